import { definedOnly } from '../base/encoding/defined-only.ts'
import { AccountNotLinked, AdapterError } from '../base/errors.ts'
import { type Outcome, redirect, withCookies } from '../http/outcome.ts'
import type { SiteRequest } from '../http/request.ts'
import { trusted, withParams } from '../http/safe-url.ts'
import type { AdapterUser } from '../model/user.ts'
import type { Plan } from '../plan/plan.ts'
import type {
  Admitted,
  GivenUser,
  ProvenAccount,
  VerifiedIdentity,
  Visit,
  Visitor,
} from '../plan/provider.ts'
import type { PendingSignIn } from '../plugin/hooks.ts'
import { isSecondFactor } from '../session/proof/factors.ts'
import type { Renewal } from '../session/strategy.ts'
import { admitUser, findUser } from './admission.ts'
import { askSignIn } from './ask-sign-in.ts'
import { keepWay } from './last-way.ts'
import { needBrowser } from './need-browser.ts'
import { proveAgain } from './prove-again.ts'
import { drawCsrf } from './visit.ts'
import { visitorOf } from './visitor.ts'

/** Completes a sign-in with any provider: callback, user, gates, session, event, redirect. */
export async function establishSession(
  identity: VerifiedIdentity,
  request: SiteRequest,
  visit: Visit,
  plan: Plan,
): Promise<Outcome> {
  needBrowser(request, plan)
  const { account, cookies } = identity
  const { profile, dpop, credentials } = identity as Partial<
    Pick<ProvenAccount, 'profile' | 'dpop'> & Pick<GivenUser, 'credentials'>
  >

  const proved = identity.proven === 'account' && (await boundProof(identity, request, visit, plan))
  if (proved) return proved
  const visitor = visitorOf(request, plan)
  const known = plan.store ? await findUser(identity, plan.store, plan, visitor) : null
  const before = identity.before ?? (known && (await plan.watch?.beforeProof(known.id))) ?? {}
  const isAtOnce = identity.proven === 'word' || identity.proven === 'passkey'
  const { context, kept = {} } = isAtOnce ? visit : identity
  const { callbackUrl } = visit
  const detour = await askSignIn(
    {
      user: known ?? identity.user,
      account,
      callbackUrl,
      ...definedOnly({ profile, credentials, context }),
    },
    plan.callbacks,
  )
  if (detour) return redirect(await plan.resolveRedirect(detour, request.origin), cookies)

  const admitted = await admit(identity, request, visitor, plan)
  const { user, isNewUser } = admitted
  const proven: PendingSignIn = {
    user,
    account: plan.store ? { ...account, userId: idOf(user) } : account,
    ...definedOnly({ profile, isNewUser }),
    ...(isLink(identity, known, user)
      ? await provenBefore(identity, user, request, plan)
      : await provenAlso(identity, plan)),
    before: admitted.before ?? before,
    since: visit.since,
    kept,
    callbackUrl,
    ...definedOnly({ dpop }),
  }
  const passed = (await plan.plugins?.gates?.pass(proven, request)) ?? proven
  const end = 'kind' in passed ? passed : await finishSignIn(passed, request, plan)
  return withCookies(end, cookies)
}

async function admit(
  identity: VerifiedIdentity,
  request: SiteRequest,
  visitor: Visitor,
  plan: Plan,
): Promise<Admitted> {
  if (plan.store) return admitUser(identity, plan.store, plan, visitor, request)
  const { user } = identity
  return { user, isNewUser: identity.proven === 'word' ? (identity.isNewUser ?? false) : undefined }
}

/** @throws {AdapterError} if the adapter returned a user without an id. */
function idOf({ id }: Admitted['user']): string {
  if (id) return id
  throw new AdapterError(
    'the adapter returned a user without an id; return the stored user with its `id`',
  )
}

/** Completes a sign-in after its gates: session, event, redirect. */
export async function finishSignIn(
  pending: PendingSignIn,
  request: SiteRequest,
  plan: Plan,
): Promise<Outcome> {
  needBrowser(request, plan)
  const { user, account, profile, isNewUser } = pending
  const { amr, authTime, secondTime, methodTimes, before, since = 0, kept = {} } = pending
  const { callbackUrl, dpop } = pending
  const signedIn = { user, account, ...definedOnly({ profile, isNewUser }) }
  const times = { authTime, secondTime, methodTimes }
  const proof = { ...signedIn, request, before, since, kept, amr, ...times, dpop }
  const session = await plan.session.issue(signedIn, request, proof)
  await plan.plugins?.gates?.passed(pending)
  await plan.emit('signIn', signedIn)
  // Forms from before the sign-in must not work in the new session.
  const fresh = plan.csrf ? [(await drawCsrf(request, plan)).cookie] : []
  const further = (await plan.plugins?.actions.signedIn(pending, request)) ?? []
  const to = afterSignIn(signedIn.isNewUser, callbackUrl, plan)
  const way = keepWay(signedIn.account.provider, request, plan)
  return redirect(to, [...session, ...fresh, ...further, ...way])
}

/** Returns the end of a further proof of the signed-in user; `undefined` for a sign-in. @throws {AccountNotLinked} */
async function boundProof(
  identity: ProvenAccount,
  request: SiteRequest,
  visit: Visit,
  plan: Plan,
): Promise<Outcome | undefined> {
  await needBound(identity, request, plan)
  return identity.bound?.provesSince === undefined
    ? undefined
    : proveAgain(identity, request, visit, plan)
}

/** @throws {AccountNotLinked} if the response is for another account than requested, or for another session. */
async function needBound(
  { account, bound, begunBy }: ProvenAccount,
  request: SiteRequest,
  plan: Plan,
): Promise<void> {
  if (!bound) return
  const refuse = (why: string): never => {
    throw new AccountNotLinked(why, { provider: account.provider })
  }
  const { sid, account: asked = account.providerAccountId } = bound
  if (account.providerAccountId !== asked)
    refuse(
      'the provider returned another account than the one to connect; sign in to the right account at the provider',
    )
  const current = await plan.session.current(request)
  if (!current || (plan.store && current.user.id !== begunBy))
    refuse('the user who began to connect the account is no longer signed in')
  if (sid !== undefined && (await current?.facts.sid()) !== sid)
    refuse('another session began to connect the account; connect it again in this session')
}

/** Returns whether a signed-in user only added an account or a passkey. */
function isLink(
  identity: VerifiedIdentity,
  known: AdapterUser | null,
  { id }: Admitted['user'],
): boolean {
  if (identity.proven === 'account' && identity.bound) return true
  const isAdded = identity.proven === 'passkey' || (identity.proven === 'account' && !known)
  return isAdded && identity.begunBy !== undefined && identity.begunBy === id
}

/** An added account proves nothing about the user, so the session keeps the method and the time of its earlier proof. */
async function provenBefore(
  identity: VerifiedIdentity,
  { id }: Admitted['user'],
  request: SiteRequest,
  plan: Plan,
): Promise<Renewal> {
  const now = provenBy(identity, plan)
  const current = plan.watch && (await plan.session.current(request))
  if (!current || current.user.id !== id) return now
  const known = await current.facts.known()
  const { amr = now.amr, auth_time: authTime = now.authTime, second_time: secondTime = 0 } = known
  return { amr, authTime, secondTime, methodTimes: known.amr_times }
}

/** Returns the methods and the times of the proof, with what a plugin takes from the ID token of a provider. */
async function provenAlso(identity: VerifiedIdentity, plan: Plan): Promise<Renewal> {
  const proof = provenBy(identity, plan)
  const claims = identity.proven === 'account' ? identity.claims : undefined
  if (!claims || !plan.plugins) return proof
  const { provider } = identity.account
  const further = await plan.plugins.proofs.ofProvider({ provider, claims })
  if (!isSecondFactor(further)) return proof
  // Without its time, it may be from a session at the provider that is weeks old: it counts, and is not recent.
  const { auth_time: at } = claims
  const secondTime = typeof at === 'number' ? Math.min(at, proof.authTime) : 0
  return { ...proof, amr: [...new Set([...proof.amr, ...further])], secondTime }
}

/** Returns the method and the time of the proof. At a provider, the proof may be older than this sign-in. */
function provenBy(identity: VerifiedIdentity, { ports }: Plan): Renewal {
  const now = Math.floor(ports.now() / 1000)
  const isOidc = identity.proven === 'account' && identity.account.type === 'oidc'
  const at = isOidc ? identity.profile['auth_time'] : undefined
  return {
    amr: identity.amr ?? AMR[identity.proven],
    authTime: typeof at === 'number' ? Math.min(at, now) : now,
  }
}

/** Authentication methods (RFC 8176), which has no names for mails and providers. */
const AMR: Readonly<Record<VerifiedIdentity['proven'], readonly string[]>> = {
  account: ['fed'],
  address: ['email'],
  passkey: ['pop'],
  word: ['pwd'],
}

function afterSignIn(
  isNewUser: boolean | undefined,
  callbackUrl: Visit['callbackUrl'],
  { pages }: Plan,
): Visit['callbackUrl'] {
  return isNewUser && pages.newUser
    ? trusted(withParams(pages.newUser, { callbackUrl }))
    : callbackUrl
}
