import { definedOnly } from '../encoding/defined-only.ts'
import { AdapterError } from '../errors.ts'
import { trusted, withParams } from '../http/safe-url.ts'
import type { AdapterUser } from '../model/user.ts'
import { type Outcome, redirect } from '../outcome.ts'
import type { Plan } from '../plan.ts'
import type { Admitted, VerifiedIdentity, Visit } from '../provider.ts'
import type { AuthRequest } from '../request.ts'
import { matchings } from './admission.ts'
import { askSignIn } from './ask-sign-in.ts'
import { drawCsrf } from './visit.ts'

/** The end of every sign-in, whatever the provider: gate, user, session, event, way back. */
export async function establishSession(
  identity: VerifiedIdentity,
  request: AuthRequest,
  visit: Visit,
  plan: Plan,
): Promise<Outcome> {
  const { account, credentials, profile, cookies } = identity
  const matching = matchings[identity.admission]

  const current = (): Promise<AdapterUser | null> => plan.session.currentUser(request)
  const known = plan.store ? await matching.find(identity, plan.store, plan, current) : null
  const detour = await askSignIn(
    { user: known ?? identity.user, account, ...definedOnly({ profile, credentials }) },
    plan.callbacks,
  )
  if (detour) return redirect(await plan.resolveRedirect(detour, request.origin), cookies)

  const { user, isNewUser }: Admitted = plan.store
    ? await matching.admit(identity, plan.store, plan, current)
    : { user: identity.user, isNewUser: matching.unstored }
  let owned = account
  if (plan.store) {
    if (!user.id) throw new AdapterError('the adapter gave a user without an id')
    owned = { ...account, userId: user.id }
  }

  const signedIn = { user, account: owned, ...definedOnly({ profile, isNewUser }) }
  const session = await plan.session.issue(signedIn, request)
  await plan.emit('signIn', signedIn)
  // Forms that were open before belong to the visitor who was not signed in.
  const fresh = plan.csrf ? [(await drawCsrf(request, plan)).cookie] : []
  return redirect(afterSignIn(isNewUser, visit, plan), [...cookies, ...session, ...fresh])
}

function afterSignIn(
  isNewUser: boolean | undefined,
  { callbackUrl }: Visit,
  { pages }: Plan,
): Visit['callbackUrl'] {
  return isNewUser && pages.newUser
    ? trusted(withParams(pages.newUser, { callbackUrl }))
    : callbackUrl
}
