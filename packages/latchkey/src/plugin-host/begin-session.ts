import { AccessDenied } from '../base/errors.ts'
import { parseCookies } from '../http/cookies/cookies.ts'
import type { Account } from '../model/account.ts'
import type { SessionPlan } from '../plan/plan.ts'
import type { HeadlessSignIn, HostSessions } from '../plugin/host-groups.ts'
import { currentOf, start } from '../session/sessions.ts'

/** Begins the session of a program. @throws {AccessDenied} if the application refuses it. */
export async function beginSession(
  { user, request, ...proven }: HeadlessSignIn,
  { session, ports }: SessionPlan,
): ReturnType<HostSessions['begin']> {
  const { keeping, cookie, watch, elsewhere } = session.parts
  elsewhere?.()
  const { holder } = proven
  const { secure } = request
  const id = String(user.id)
  const account: Account = {
    provider: holder.via,
    type: 'credentials',
    providerAccountId: id,
    userId: id,
  }
  const signedIn = { user: { ...user, id }, account }
  const proof = { ...signedIn, ...proven, request, since: ports.now(), kept: {} }
  const draft = await keeping.draft(signedIn, proof, secure)
  const carried = { value: '', secure, holder }
  const cookies =
    draft &&
    (await start(
      draft,
      request,
      (written) => {
        carried.value = written.value
        return cookie.write({ cookies: parseCookies(null), secure }, written)
      },
      watch && ((facts, work) => watch.issue(facts, proof, work)),
    ))
  const kept = cookies && (await keeping.find(carried, request))
  if (!kept) throw new AccessDenied('the `jwt` callback began no session')
  return { value: carried.value, cookies, current: currentOf(kept, carried) }
}
