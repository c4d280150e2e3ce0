import {
  acrOf,
  definedOnly,
  type Host,
  isDeviceFact,
  isMethodTimes,
  isTexts,
  isTime,
  type SessionFacts,
  type SessionHooks,
  type Verdict,
} from '../../../entries/plugin.ts'
import type { Memory } from '../memory.ts'
import { createObserver, type Seen } from '../observer.ts'
import type { Revocations } from '../revocations/revocations.ts'
import type { Settings } from '../settings.ts'
import { adopt } from './adopt.ts'
import { begin, beginRenewed, confirmBegun, endReplaced } from './begin.ts'
import { fits } from './bind.ts'
import { type Cover, type Ending, endEarlier, endSession, forgetUser, onEnd } from './end.ts'
import type { Epochs } from './epoch.ts'
import { extend, rekey, rename, touch } from './extend.ts'
import type { Keeping } from './record.ts'
import { type SessionRecord, sessionRecords } from './session-record.ts'

/** Keeps a record for each session. */
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
  /** Returns the record of a session. It is created if the session is older than the plugin. */
  adopt(session: SessionFacts): Promise<SessionRecord | null>
  /** Marks a session as seen. @returns whether it is active. */
  touch(session: SessionFacts, request: Seen): Promise<Verdict>
  /**
   * Compares the facts to which a session is bound with those of a request.
   *
   * @returns whether the session stays valid.
   */
  fits(record: SessionRecord, request: Seen): Promise<boolean>
  /**
   * Ends the pending sign-ins and the sealed sessions of a user, except one session.
   *
   * @returns the end of the sealed sessions, if there are any.
   */
  endEarlier(userId: string, except: string | undefined): Promise<Cover | undefined>
  /** Ends pending sign-ins of a deleted user. */
  forget(userId: string): Promise<void>
  /** Sets or removes the name of a session. @returns the session; `null` if it is over or unknown. */
  rename(sid: string, userId: string, name: string): Promise<SessionRecord | null>
  /**
   * Ends a session. Of concurrent calls, exactly one ends it.
   *
   * @param userId the required user.
   * @param cover the end of all sessions of the user, if this one is part of it.
   * @returns whether this call ended it; `undefined` for an unknown session, or one that ended more than a day ago.
   */
  end(sid: string, how: Ending, userId?: string, cover?: Cover): Promise<boolean | undefined>
}

/** The services of a keeper. */
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
  const records = sessionRecords(host)
  const observer = createObserver(host, settings)
  const keeping: Keeping = { host, settings, records, epochs, observer, settled, revocations }
  return {
    beforeProof: async (userId) => ({ epoch: await epochs.read(userId) }),
    beforeIssue: (session, proof) => begin(session, proof, keeping),
    afterIssue: (session, proof) => confirmBegun(session, proof, keeping),
    touch: (session, request) => touch(session, request, keeping),
    fits: (record, request) => fits(record, request, keeping),
    onExtend: (session, until, request) => extend(session, until, request, keeping),
    onRenew: (from, to, renewal) => beginRenewed(from, to, renewal, keeping),
    afterRenew: (from, to) => endReplaced(from, to, keeping),
    onRename: (session, to, when) => rekey(session, to, when, keeping),
    onEnd: (session, reason) => onEnd(session, reason, keeping),
    async known(session) {
      const record = await records.get(await session.sid())
      if (!record) return undefined
      const { auth_time, second_time, amr, amr_times, abs, per, epo, browser } = record.data
      return definedOnly({
        ...(isTime(auth_time) && { auth_time }),
        ...(isTime(second_time) && { second_time }),
        ...(isTexts(amr) && { amr, acr: acrOf(amr) }),
        ...(isMethodTimes(amr_times) && { amr_times }),
        ...(isDeviceFact(browser) && { device: browser }),
        abs,
        per,
        epo,
      })
    },
    adopt: (session) => adopt(session, keeping),
    endEarlier: (userId, except) => endEarlier(userId, except, keeping),
    forget: (userId) => forgetUser(userId, keeping),
    rename: (sid, userId, name) => rename(sid, userId, name, keeping),
    end: (sid, how, userId, cover) => endSession({ sid, userId, cover }, how, keeping),
  }
}
