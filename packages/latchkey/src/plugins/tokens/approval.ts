import {
  type Call,
  type HeadlessSignIn,
  type Host,
  Problem,
  type SessionHolder,
  type SiteRequest,
} from '../../entries/plugin.ts'
import type { Approval } from './approved.ts'
import type { BearerStore } from './bearer/store.ts'

/** Returns the approval of a program by the signed-in user. */
export async function approvalOf(
  current: NonNullable<Call['current']>,
  host: Host,
): Promise<Approval> {
  const userId = String(current.facts.userId ?? current.user.id)
  // First, so that a later end of all sessions also ends the approved one.
  const before = await host.sessions.beforeProof(userId)
  const { auth_time: authTime = 0, amr = [], abs } = await current.facts.known()
  const until = typeof abs === 'number' ? { until: abs } : {}
  return { userId, authTime, amr: [...amr], before, ...until }
}

/** Begins the session of an approved program. @returns `null` if the approval is over. */
export async function beginApproved(
  { userId, authTime, amr, before, until }: Approval,
  { absoluteMaxAge, ...asked }: SessionHolder,
  request: SiteRequest,
  { host, bearers }: { readonly host: Host; bearers(): Promise<BearerStore> },
): ReturnType<BearerStore['begin']> {
  const user = await host.store?.getUser(userId)
  if (!user) throw new Problem('invalid_grant', 'the user does not exist any more')
  const left = until === undefined ? Infinity : until - Math.floor(host.ports.now() / 1000)
  if (left <= 0) throw new Problem('invalid_grant', 'the session that approved it is over')
  const most = Math.min(left, absoluteMaxAge ?? Infinity)
  const holder = { ...asked, ...(most !== Infinity && { absoluteMaxAge: most }) }
  const signIn: HeadlessSignIn = { user, authTime, amr, before, holder, request }
  return (await bearers()).begin(signIn)
}
