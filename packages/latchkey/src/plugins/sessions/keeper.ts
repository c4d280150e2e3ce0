import type { Awaitable } from '../../base/awaitable.ts'
import { definedOnly } from '../../base/encoding/defined-only.ts'
import { AccessDenied, SessionTokenError, SignOutError, toError } from '../../base/errors.ts'
import { type Host, Problem } from '../../entries/plugin.ts'
import { damagedRecord, isTexts, isTime } from '../../model/damaged-record.ts'
import type { EndReason } from '../../session/end-reason.ts'
import type { KnownFacts, SessionFacts } from '../../session/facts.ts'
import type { SessionHooks, Verdict } from '../../session/watch.ts'
import { changedFacts } from './binding.ts'
import type { DeviceFacts } from './device.ts'
import { type Epochs, endedMeanwhile, refuseEarlier } from './epoch.ts'
import { cutToLife, type LifeClaims, settledUntil, whyOver } from './lifetime.ts'
import { type Memory, note } from './memory.ts'
import { createObserver, type Seen } from './observer.ts'
import type { Revocations } from './revocations/revocations.ts'
import {
  claimsOf,
  LONGEST,
  type SessionData,
  type SessionRecord,
  sessionRecords,
} from './session-record.ts'
import type { Settings } from './settings.ts'
import type { AskedSlot, Slots } from './slots.ts'

/** Sessions of a user that a sign-in looks at, so that its cost does not grow with their number. */
const LOOKED_AT = 100

const DAY = 24 * 60 * 60 * 1000

/** Why a session is ended, and by whom. */
export interface Ending {
  readonly reason: EndReason
  /** The id of the user who did it, if it was another one. */
  readonly by?: string | undefined
}

/** Keeps a record beside each session. */
export interface Keeper
  extends Required<
    Pick<
      SessionHooks,
      | 'beforeProof'
      | 'beforeIssue'
      | 'afterIssue'
      | 'onExtend'
      | 'onRenew'
      | 'afterRenew'
      | 'onRename'
      | 'onEnd'
      | 'known'
    >
  > {
  /** The record of a session that is read, made if the session is older than the plugin. */
  adopt(session: SessionFacts): Promise<SessionRecord | null>
  /** Writes down that a session was seen. @returns whether it goes on. */
  touch(session: SessionFacts, request: Seen): Promise<Verdict>
  /**
   * Compares the facts to which a session is bound with those of a request.
   *
   * @returns whether the session goes on.
   */
  fits(record: SessionRecord, request: Seen): Promise<boolean>
  /**
   * No sign-in that is under way begins a session any more, and sealed sessions are over; but this one goes on.
   *
   * @returns what covers them, where they are sealed.
   */
  endEarlier(userId: string, except: string | undefined): Promise<Cover | undefined>
  /** The user is gone: so are sign-ins that are under way. */
  forget(userId: string): Promise<void>
  /** Gives a session of a user a name, or takes it away. @returns the session; `null` for one that is over or unknown. */
  rename(sid: string, userId: string, name: string): Promise<SessionRecord | null>
  /**
   * Ends a session. Of any number of calls exactly one does it.
   *
   * @param userId whose it has to be.
   * @param cover what was ended with it, if all of its user were.
   * @returns whether this call did it; `undefined` for a session that is unknown, or over for a day.
   */
  end(sid: string, how: Ending, userId?: string, cover?: Cover): Promise<boolean | undefined>
}

/** All sessions of a user before this epoch were ended; the log says so in the record with this number. */
export interface Cover {
  readonly epoch: number
  readonly seq: number
}

/** What a keeper works with. */
interface Kept {
  readonly memory: Pick<Memory, 'settled'>
  readonly epochs: Epochs
  revocations(): Promise<Revocations | undefined>
}

export function createKeeper(
  host: Host,
  settings: Settings,
  { memory: { settled }, epochs, revocations }: Kept,
): Keeper {
  const { ports, store, logger, tell } = host
  const records = sessionRecords(host)
  const { device: noteDevice, touch, absoluteMaxAge, remember, limit, atLimit, bind } = settings
  const observer = createObserver(host, settings)
  /** A clock that is a day fast must not remove what a right one needs. */
  const keptUntil = (until: number): Date => new Date(until + DAY)

  /** The end for good of a session that begins now; a token may say it already. */
  const lifeFrom = (begun: number, { abs, per }: KnownFacts): LifeClaims => {
    const end = absoluteMaxAge === false ? undefined : Math.floor(begun / 1000) + absoluteMaxAge
    return definedOnly({
      abs: typeof abs === 'number' ? abs : end,
      per: per === 0 ? (0 as const) : undefined,
    })
  }

  const isSealed = (): boolean => host.sessions.strategy() === 'jwt'

  const cutTo = (until: number, life: LifeClaims): number =>
    cutToLife(until, life, ports.now(), settings)

  function dataOf(session: SessionFacts, facts: KnownFacts): SessionData {
    const now = ports.now()
    const { auth_time, amr, epo } = facts
    const life = lifeFrom(now, facts)
    const until = cutTo(session.expires, life)
    return {
      begun: now,
      seen: now,
      until,
      ...life,
      ...(session.strategy === 'database' && { stored: [session.key] }),
      ...(typeof epo === 'number' && { epo }),
      ...(isTime(auth_time) && { auth_time }),
      ...(isTexts(amr) && { amr }),
    }
  }

  /** Reads ask the store no more for a row that cannot be extended. */
  function settle({ strategy, key }: SessionFacts, end: number, life: LifeClaims): void {
    if (strategy === 'database') note(settled, key, settledUntil(end, life, settings))
  }

  const create = async (session: SessionFacts, data: SessionData): Promise<boolean> =>
    records.create({
      key: await session.sid(),
      userId: session.userId,
      data,
      expires: keptUntil(data.until),
    })

  /** Changes the record of a session. @param change `undefined` leaves it as it is. */
  const change = async (
    sid: string,
    change: (data: SessionData, record: SessionRecord) => Awaitable<SessionData | undefined>,
  ): ReturnType<typeof records.update> =>
    records.update(sid, async (before, record) => {
      const data = await change(before, record)
      if (!data) return undefined
      const lastsUntil = data.ended && data.stored?.length ? data.ended.at : data.until
      return { data, expires: keptUntil(lastsUntil) }
    })

  const deleteRows = async ({ stored = [] }: SessionData): Promise<void> => {
    for (const key of stored) await store?.deleteSession(key)
  }

  async function loadSlots(most: number): Promise<Slots> {
    const { createSlots } = await import('./slots.ts')
    return createSlots(host, { most, atLimit }, keeper.end)
  }

  const isIdle = async (sid: string): Promise<boolean> => {
    const record = await records.get(sid)
    return record !== null && record.data.until <= ports.now()
  }

  /** Does another session of the user that goes on have the same families? Of very many, only some are looked at. */
  async function hasSame(device: DeviceFacts, userId: string, sid: string): Promise<boolean> {
    const some = await records.some(userId, LOOKED_AT)
    return some.some(({ key, data: { device: other, ended, until } }) => {
      if (key === sid) return false
      const isSame = other?.browser === device.browser && other?.system === device.system
      return isSame && other?.kind === device.kind && !ended && until > ports.now()
    })
  }

  /** Had a sealed session a record, which is gone with its user? */
  const wasKept = async ({ strategy, known }: SessionFacts): Promise<boolean> =>
    strategy === 'jwt' && (await known())['epo'] !== undefined

  /** What the record of a session that was ended says; the log is told if it does not know yet. */
  async function whyEnded(record: SessionRecord): Promise<Verdict> {
    const { ended, stored, isDamaged } = record.data
    if (isDamaged) {
      await keeper.end(record.key, { reason: 'application' })
      return 'ended'
    }
    if (!stored && ended?.seq === undefined) {
      const publish = async () => (await revocations())?.publish(record)
      void host.work.background('revocation', publish)
    }
    return ended?.reason === 'replaced' ? 'replaced' : 'ended'
  }

  async function coverOf(userId: string, epoch: number): Promise<Cover | undefined> {
    if (!isSealed()) return undefined
    const seq = await (await revocations())?.publishUser(userId, epoch)
    return seq === undefined ? undefined : { epoch, seq }
  }

  async function endOrNote(session: SessionFacts, reason: EndReason): Promise<void> {
    const sid = await session.sid()
    const ended = await keeper.end(sid, { reason })
    if (ended !== undefined || session.strategy !== 'jwt') return
    // Its cookie may come back.
    const data = dataOf(session, await session.known())
    const isNoted = await create(session, { ...data, ended: { at: ports.now(), reason } })
    const record = await records.get(sid)
    const isOver = record?.data.ended !== undefined
    // Also what another call has noted: its process may have been stopped before the others could know.
    if (isOver) await (await revocations())?.publish(record)
    // Another call was faster, and made a record of a session that goes on.
    if (!isNoted && !isOver) await endOrNote(session, reason)
  }

  /** The browser forgets its session whatever the store does: others learn of it as soon as it works again. */
  async function signedOut(session: SessionFacts): Promise<void> {
    try {
      await endOrNote(session, 'sign-out')
    } catch (error) {
      if (!settings.revocations) throw error
      logger.error(new SignOutError(toError(error)))
      void host.work.background('sign-out', () => again(() => endOrNote(session, 'sign-out')))
    }
  }

  const keeper: Keeper = {
    async beforeProof(userId) {
      return { epoch: await epochs.read(userId) }
    },

    async beforeIssue(session, proof) {
      if (session.userId === undefined)
        throw new SessionTokenError(
          'the session names no user, so it could not be ended; the user needs an `id`',
        )
      const { authTime, amr, kept, account, request, replaces, holder } = proof
      const slots = limit === undefined ? undefined : await loadSlots(limit)
      const asked: AskedSlot = {
        sid: await session.sid(),
        userId: session.userId,
        replaces: await replaces?.sid(),
      }
      const epoch = await epochs.read(asked.userId)
      refuseEarlier(epoch, proof)
      await slots?.check(asked)
      const isTicked = remember === 'ask' && kept['remember'] === '1'
      const isRemembered = remember === 'always' || isTicked || holder !== undefined
      const own = holder?.absoluteMaxAge
      const abs = own === undefined ? undefined : Math.floor(ports.now() / 1000) + own
      const facts = {
        auth_time: authTime,
        amr,
        ...(!isRemembered && { per: 0 }),
        ...definedOnly({ abs }),
        epo: epoch,
      }
      const data = dataOf(session, facts)
      if (data.until < session.expires) settle(session, data.until, data)
      const device = noteDevice && !holder ? await observer.device(request) : undefined
      // Whoever holds it has a name, and the provider is that of another session.
      const begun = holder ? { via: holder.via, name: holder.name } : { provider: account.provider }
      const address = holder ? undefined : await observer.network(request)
      await create(session, { ...data, ...begun, ...definedOnly({ device, address }) })
      await slots?.take(asked).catch((error: unknown) => {
        // Another sign-in of this browser was faster.
        throw error instanceof Problem ? new AccessDenied(error) : error
      })
      return claimsOf(data)
    },

    async afterIssue(session, { amr, account, user, holder }) {
      const sid = await session.sid()
      const record = await records.get(sid)
      // It may have been ended before its row was there, which nobody could delete then.
      if (!record || record.data.ended) throw endedMeanwhile()
      const userId = session.userId ?? String(user.id)
      // Whoever ends all sessions from now on finds this one.
      if ((await epochs.read(userId)) !== (record.data.epo ?? 0)) throw endedMeanwhile()
      const { device, address } = record.data
      const isNewDevice = device !== undefined && !(await hasSame(device, userId, sid))
      await tell('sessionStarted', {
        sid,
        userId,
        via: holder?.via ?? 'cookie',
        amr,
        provider: account.provider,
        ...definedOnly({ device, address }),
        isNewDevice,
      })
    },

    async touch(session, request) {
      const now = ports.now()
      const record = await keeper.adopt(session)
      if (!record) return (await wasKept(session)) ? 'ended' : 'good'
      const data = record.data
      if (data.ended) return whyEnded(record)
      if (!(await keeper.fits(record, request))) return 'ended'
      // Another process may have been here. Whoever is faster writes.
      if (now - data.seen >= touch * 1000)
        await records.replace(record, { data: { ...data, seen: now } })
      return 'good'
    },

    async fits(record, request) {
      if (bind.length === 0) return true
      const changed = await changedFacts(record.data, request, { bind, observer })
      if (changed.length === 0) return true
      const sid = record.key
      if (settings.bindReaction === 'end') {
        await keeper.end(sid, { reason: 'binding' })
        return false
      }
      const noted = await change(sid, (data) => {
        const suspected = new Set([...(data.suspected ?? []), ...changed])
        const isNew = suspected.size > (data.suspected?.length ?? 0) && !data.ended
        return isNew ? { ...data, suspected: [...suspected] } : undefined
      })
      if (noted?.isChanged)
        await tell('sessionSuspected', { sid, userId: record.userId ?? '', changed })
      return true
    },

    async onExtend(session, until, request) {
      try {
        const sid = await session.sid()
        const seen = ports.now()
        let isSettled = false
        const extended = await change(sid, (data) => {
          if (data.ended || whyOver(data, seen, settings)) return undefined
          const life = lifeFrom(data.begun, data)
          const cut = cutTo(until, life)
          // Its row ends when it has to. One from before the plugin may end later, and is cut.
          isSettled =
            session.strategy === 'database' &&
            cut < until &&
            cut >= session.expires &&
            seen < settledUntil(session.expires, life, settings)
          if (cut < until) settle(session, isSettled ? session.expires : cut, life)
          // Another process, with a clock that is ahead, may have sealed a cookie that lasts for longer.
          const lasts = session.strategy === 'jwt' ? Math.max(data.until, cut) : cut
          return isSettled ? undefined : { ...data, ...life, seen, until: lasts }
        })
        if (!extended) {
          const record = await keeper.adopt({ ...session, expires: until })
          if (!record) return (await wasKept(session)) ? 'ended' : 'extend'
          const adopted = record.data
          return adopted.ended ? 'ended' : claimsOf(adopted)
        }
        if (isSettled) return 'later'
        if (extended.isChanged)
          return (await keeper.fits(extended.record, request))
            ? claimsOf(extended.record.data)
            : 'ended'
        if (extended.record.data.ended) await whyEnded(extended.record)
        else await keeper.end(sid, { reason: 'absolute' })
        return 'ended'
      } catch {
        // The store has logged it. What is not written down is not extended.
        return 'later'
      }
    },

    async onRenew(from, to, { amr, authTime }) {
      const record = await keeper.adopt(from)
      const userId = record?.userId
      if (!record || userId === undefined) throw new Problem('unauthenticated', 'no such session')
      const { stored: _, ...data } = record.data
      if (data.ended || (data.epo ?? 0) < (await epochs.read(userId)))
        throw new Problem('unauthenticated', 'the session was ended')
      const life = lifeFrom(data.begun, data)
      const next: SessionData = {
        ...data,
        ...life,
        seen: ports.now(),
        until: cutTo(to.expires, life),
        auth_time: authTime,
        amr,
        ...(to.strategy === 'database' && { stored: [to.key] }),
      }
      await create(to, next)
      const slots = limit === undefined ? undefined : await loadSlots(limit)
      await slots?.take({ sid: await to.sid(), userId, replaces: await from.sid() })
      return claimsOf(next)
    },

    async afterRenew(from, to) {
      const record = await records.get(await to.sid())
      const { epo = 0, ended } = record ? record.data : {}
      const isLate = !record || ended || epo < (await epochs.read(record.userId ?? ''))
      // Of parallel calls one ends the old one, and none that comes after its end.
      if (isLate || !(await keeper.end(await from.sid(), { reason: 'replaced' })))
        throw new Problem('conflict', 'the session was ended or renewed meanwhile')
    },

    async onRename(session, to, when) {
      await change(await session.sid(), (data) => {
        if (data.ended) throw new Problem('conflict', 'an ended session cannot get a new key')
        return { ...data, stored: when === 'before' ? [session.key, to] : [to] }
      })
    },

    async onEnd(session, reason) {
      const sid = await session.sid()
      if (reason === 'failed') {
        await records.delete(sid)
        return
      }
      const isSealed = session.strategy === 'jwt'
      // An older copy of its cookie may be over, and the session goes on.
      if (reason === 'idle' && isSealed && !(await isIdle(sid))) return
      await (reason === 'sign-out' && isSealed ? signedOut(session) : endOrNote(session, reason))
    },

    async known(session) {
      const record = await records.get(await session.sid())
      if (!record) return undefined
      const { auth_time, amr, abs, per, epo } = record.data
      return definedOnly({
        ...(isTime(auth_time) && { auth_time }),
        ...(isTexts(amr) && { amr }),
        abs,
        per,
        epo,
      })
    },

    async adopt(session) {
      const sid = await session.sid()
      const record = await records.get(sid)
      if (record && record.data.isDamaged) {
        // Nobody else knows the key of its row.
        if (session.strategy === 'database') await store?.deleteSession(session.key)
        await keeper.end(sid, { reason: 'application' })
        return records.get(sid)
      }
      if (record || session.userId === undefined || (await wasKept(session))) return record
      const isSealed = session.strategy === 'jwt'
      const data = dataOf(session, isSealed ? await session.known() : {})
      // All sessions of the user may have ended while this one was unknown. Rows are found then.
      const isCovered = async (userId: string): Promise<boolean> =>
        isSealed && (data.epo ?? 0) < (await epochs.read(userId))
      const reason = 'application'
      const isOver = await isCovered(session.userId)
      await create(session, { ...data, ...(isOver && { ended: { at: ports.now(), reason } }) })
      if (!isOver && (await isCovered(session.userId))) await keeper.end(sid, { reason })
      return records.get(sid)
    },

    async endEarlier(userId, except) {
      const spare = (epo: number) =>
        change(except ?? '', (data, record) =>
          record.userId === userId && !data.ended ? { ...data, epo } : undefined,
        )
      const epoch = await epochs.raise(userId, except === undefined ? {} : { spare })
      return coverOf(userId, epoch)
    },

    async forget(userId) {
      const longest = absoluteMaxAge === false ? LONGEST : absoluteMaxAge * 1000
      const expires = new Date(ports.now() + longest + 2 * DAY)
      await coverOf(userId, await epochs.raise(userId, { expires }))
    },

    async rename(sid, userId, name) {
      let isKnown = false
      await change(sid, (data, record) => {
        isKnown = record.userId === userId && !data.ended && data.until > ports.now()
        const { name: _, ...rest } = data
        return isKnown ? { ...rest, ...(name !== '' && { name }) } : undefined
      })
      return isKnown ? records.get(sid) : null
    },

    async end(sid, { reason, by }, userId, cover) {
      const at = ports.now()
      let isForeign = false
      let isLongOver = false
      let owner: string | undefined
      let why = reason
      let isOver = false
      let damaged: SessionRecord | undefined
      const ended = await change(sid, async ({ isDamaged, ...data }, record) => {
        damaged = undefined
        isOver = false
        owner = record.userId
        isForeign = userId !== undefined && record.userId !== userId
        const before = isDamaged ? undefined : data.ended
        isLongOver = before !== undefined && before.at <= at - DAY
        if (isForeign || isLongOver) return undefined
        // First, and also for one that was ended: whoever did it may have been stopped in between.
        await deleteRows(data)
        if (before) return undefined
        why = reason === 'idle' ? (whyOver(data, at, settings) ?? reason) : reason
        if (isDamaged) {
          damaged = record
          const ending = { at, reason: why, ...definedOnly({ by }) }
          if (isSealed() || data.stored) return { ...data, ended: ending }
          // Nobody knows the key of its row. The row has no record now, and is ended as such a row is.
          isOver = true
          return { ...data, stored: [], ended: ending }
        }
        // By our clock it is over already. Others, who have another one, learn that it was ended.
        isOver = cover !== undefined && data.until <= at
        const seq = cover && (data.epo ?? 0) < cover.epoch ? cover.seq : undefined
        return { ...data, ended: { at, reason: why, ...definedOnly({ by, seq }) } }
      })
      if (!ended || isForeign) return undefined
      if (damaged && ended.isChanged) {
        const end = isOver ? 'its session ends when it is used next' : 'its session has been ended'
        logger.error(damagedRecord(damaged, `${end}, and the record was replaced`))
      }
      // Nobody is told that it is over before the others can know.
      if (!ended.record.data.stored) await (await revocations())?.publish(ended.record)
      if (isLongOver) return undefined
      if (ended.isChanged && !isOver) {
        await tell('sessionEnded', {
          sid,
          userId: owner ?? '',
          reason: why,
          ...definedOnly({ by }),
          at: new Date(at),
        })
      }
      return ended.isChanged && !isOver
    },
  }
  return keeper
}

/** Milliseconds for which a sign-out that the store did not take is tried again. */
const PATIENCE = 60_000

/** Tries again, after pauses that become longer. @throws what it failed with last. */
async function again(work: () => Promise<void>): Promise<void> {
  for (let pause = 1000, waited = 0; ; pause *= 2) {
    await new Promise((resolve) => {
      setTimeout(resolve, pause)
    })
    waited += pause
    try {
      return await work()
    } catch (error) {
      if (waited >= PATIENCE) throw error
    }
  }
}
