import { type Call, Problem, type SafeUrl } from '../../../entries/plugin.ts'
import { tellSecurity } from '../../../entries/plugin-accounts.ts'
import type { NameData } from '../names.ts'
import type { Own } from '../own.ts'
import { invalidName, nameTaken } from '../refusals.ts'

/** Seconds since the last proof of identity: a stranger at an open browser does not rename its user. */
const FRESH = 24 * 60 * 60

/**
 * Gives the caller a name.
 *
 * @param back the page after a proof of identity.
 * @returns the name as it is shown.
 * @throws {Problem} if the name is refused, or the caller must not change it now.
 */
export async function rename(
  name: string,
  { current }: Pick<Call<unknown>, 'current'>,
  back: SafeUrl,
  own: Own,
): Promise<string> {
  const { host, rules, names } = own
  // Before the proof: nobody proves their identity for a name that is refused in any case.
  const fault = rules.faultOf(name)
  if (fault !== undefined) throw invalidName(name, fault)
  await host.sessions.needFresh(current, FRESH, back)
  const userId = current?.user.id ?? ''
  await needChangeable(userId, name, own)
  if (!(await (await names()).give(name, userId))) throw nameTaken(name)
  await tellSecurity(host, { type: 'username.set', outcome: 'success', userId })
  return rules.shown(name)
}

/** Returns from when on a user may change a name, in milliseconds. */
export function changeableFrom(
  { since }: Pick<NameData, 'since'>,
  { settings: { change } }: Own,
): number | 'never' {
  return change === 'never' ? change : since + change.every * 1000
}

/** The first name, and another spelling of the same name, are no change. @throws {Problem} */
async function needChangeable(userId: string, name: string, own: Own): Promise<void> {
  const { host, rules, names } = own
  const current = await (await names()).current(userId)
  if (!current || current.key === rules.fold(name)) return
  const from = changeableFrom(current.data, own)
  if (from === 'never') throw new Problem('username_fixed', '`change` of usernames() is never')
  const wait = from - host.ports.now()
  if (wait <= 0) return
  const retryAfter = Math.ceil(wait / 1000)
  throw new Problem('username_too_early', 'the user changed the name a short time ago', {
    headers: { 'retry-after': String(retryAfter) },
    members: { retryAfter },
  })
}
