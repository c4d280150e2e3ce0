import {
  definedOnly,
  type Host,
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
      const { auth_time, amr, abs, per, epo } = record.data
      return definedOnly({
        ...(isTime(auth_time) && { auth_time }),
        ...(isTexts(amr) && { amr }),
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
