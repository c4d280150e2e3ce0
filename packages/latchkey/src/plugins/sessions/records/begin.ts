import {
  AccessDenied,
  definedOnly,
  deviceFact,
  type JsonObject,
  type KnownFacts,
  Problem,
  type Proof,
  type ProofFacts,
  provedBy,
  type Renewal,
  type SessionFacts,
  SessionTokenError,
} from '../../../entries/plugin.ts'
import type { DeviceFacts } from '../device.ts'
import { adopt } from './adopt.ts'
import { endSession } from './end.ts'
import { createRecord, cutTo, dataOf, type Keeping, lifeFrom, settle } from './record.ts'
import { claimsOf, type SessionData } from './session-record.ts'
import type { AskedSlot, Slots } from './slots.ts'

/** The number of a user's sessions that a sign-in reads, which bounds its cost. */
const LOOKED_AT = 100

/** Creates the record of a new session. @returns its claims. @throws if the session is refused. */
export async function begin(
  session: SessionFacts,
  proof: Proof,
  keeping: Keeping,
): Promise<JsonObject> {
  const { userId } = session
  if (userId === undefined)
    throw new SessionTokenError(
      'the session names no user, so it could not be ended; the user needs an `id`',
    )
  const slots = await loadSlots(keeping)
  const [sid, replaces] = [await session.sid(), await proof.replaces?.sid()]
  const asked: AskedSlot = { sid, userId, replaces }
  const epoch = await keeping.epochs.read(userId)
  refuseEarlier(epoch, proof)
  await slots?.check(asked)
  const { attempts, plugins } = keeping.host
  const device = await deviceFact(userId, proof, attempts, plugins.factors())
  const data = dataOf(
    session,
    { ...factsOf(proof, epoch, keeping), ...definedOnly({ device }) },
    keeping,
  )
  if (data.until < session.expires) settle(session, data.until, data, keeping)
  await createRecord(session, { ...data, ...(await originOf(proof, keeping)) }, keeping)
  await slots?.take(asked).catch((error: unknown) => {
    // Another sign-in of this browser was faster.
    throw error instanceof Problem ? new AccessDenied(error) : error
  })
  return claimsOf(data)
}

/** Returns the facts about a proof that a record has; `acr` follows from `amr`. */
function timesOf(proof: Renewal): Omit<ProofFacts, 'acr'> {
  const { acr: _, ...facts } = provedBy(proof)
  return facts
}

/** Returns the facts of a session from its proof. */
function factsOf(
  { kept, holder, ...proof }: Proof,
  epo: number,
  { host, settings: { remember } }: Keeping,
): KnownFacts {
  const isTicked = remember === 'ask' && kept['remember'] === '1'
  const isRemembered = remember === 'always' || isTicked || holder !== undefined
  const own = holder?.absoluteMaxAge
  const abs = own === undefined ? undefined : Math.floor(host.ports.now() / 1000) + own
  return {
    ...timesOf(proof),
    ...(!isRemembered && { per: 0 }),
    ...definedOnly({ abs }),
    epo,
  }
}

/**
 * Returns the origin of a session. For a program it is the program's name, with the provider of the session that
 * approved it.
 */
async function originOf(
  { request, account, holder }: Proof,
  { observer, settings }: Keeping,
): Promise<Pick<SessionData, 'provider' | 'via' | 'name' | 'device' | 'address'>> {
  if (holder) return definedOnly({ via: holder.via, name: holder.name })
  const device = settings.device ? await observer.device(request) : undefined
  const address = await observer.network(request)
  return { provider: account.provider, ...definedOnly({ device, address }) }
}

/** Checks that a new session was not ended meanwhile, and sends the event. */
export async function confirmBegun(
  session: SessionFacts,
  { amr, account, user, holder }: Proof,
  keeping: Keeping,
): Promise<void> {
  const { host, records, epochs } = keeping
  const sid = await session.sid()
  const record = await records.get(sid)
  // It may have been ended before its row existed, so the row could not be deleted.
  if (!record || record.data.ended) throw endedMeanwhile()
  const userId = session.userId ?? String(user.id)
  // From here on, a call that ends all sessions finds this one.
  if ((await epochs.read(userId)) !== (record.data.epo ?? 0)) throw endedMeanwhile()
  const { device, address } = record.data
  const isNewDevice = device !== undefined && !(await hasSame(device, userId, sid, keeping))
  await host.tell('sessionStarted', {
    sid,
    userId,
    via: holder?.via ?? 'cookie',
    amr,
    provider: account.provider,
    ...definedOnly({ device, address }),
    isNewDevice,
  })
}

/** Returns whether another active session of the user has the same families. If there are many, only some are read. */
async function hasSame(
  device: DeviceFacts,
  userId: string,
  sid: string,
  { host, records }: Keeping,
): Promise<boolean> {
  const some = await records.some(userId, LOOKED_AT)
  return some.some(({ key, data: { device: other, ended, until } }) => {
    if (key === sid) return false
    const isSame = other?.browser === device.browser && other?.system === device.system
    return isSame && other?.kind === device.kind && !ended && until > host.ports.now()
  })
}

/** Creates the record of a renewed session. @returns its claims. */
export async function beginRenewed(
  from: SessionFacts,
  to: SessionFacts,
  proof: Renewal,
  keeping: Keeping,
): Promise<JsonObject> {
  const record = await adopt(from, keeping)
  const userId = record?.userId
  if (!record || userId === undefined) throw new Problem('unauthenticated', 'no such session')
  const { stored: _, second_time: __, amr_times: ___, ...data } = record.data
  if (data.ended || (data.epo ?? 0) < (await keeping.epochs.read(userId)))
    throw new Problem('unauthenticated', 'the session was ended')
  const life = lifeFrom(data.begun, data, keeping)
  const next: SessionData = {
    ...data,
    ...life,
    seen: keeping.host.ports.now(),
    until: cutTo(to.expires, life, keeping),
    ...timesOf(proof),
    ...(to.strategy === 'database' && { stored: [to.key] }),
  }
  await createRecord(to, next, keeping)
  const slots = await loadSlots(keeping)
  await slots?.take({ sid: await to.sid(), userId, replaces: await from.sid() })
  return claimsOf(next)
}

/** Ends the session that a renewed one replaces. @throws {Problem} `conflict` if either was ended meanwhile. */
export async function endReplaced(
  from: SessionFacts,
  to: SessionFacts,
  keeping: Keeping,
): Promise<void> {
  const record = await keeping.records.get(await to.sid())
  const { epo = 0, ended } = record?.data ?? {}
  const isLate = !record || ended || epo < (await keeping.epochs.read(record.userId ?? ''))
  const end = async () => endSession({ sid: await from.sid() }, { reason: 'replaced' }, keeping)
  // Of parallel calls, one ends the old session. All others fail.
  if (isLate || !(await end()))
    throw new Problem('conflict', 'the session was ended or renewed meanwhile')
}

async function loadSlots(keeping: Keeping): Promise<Slots | undefined> {
  const { host, settings } = keeping
  const { limit: most, atLimit } = settings
  if (most === undefined) return undefined
  const { createSlots } = await import('./slots.ts')
  return createSlots(host, { most, atLimit }, (sid, how, userId) =>
    endSession({ sid, userId }, how, keeping),
  )
}

/**
 * Compares the epoch of a user with that from before the proof was read.
 *
 * @throws {AccessDenied} if all sessions of the user were ended meanwhile.
 */
function refuseEarlier(epoch: number, { before, since }: Proof): void {
  const { epoch: expected } = (before['sessions'] ?? {}) as { epoch?: number }
  // If the user was unknown before the proof, the time is compared. Equal times do not prove the order.
  const isEarlier = expected === undefined ? epoch >= since : epoch !== expected
  if (isEarlier) throw endedMeanwhile()
}

function endedMeanwhile(): AccessDenied {
  return new AccessDenied(new Problem('conflict', 'the session was ended while it began'))
}
