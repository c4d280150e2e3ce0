/** A clause of the protocol, and how the code would be without it. */
export interface Clause {
  /** Below `src`. */
  readonly file: string
  readonly find: string
  readonly without: string
  /** The schedules that find it. */
  readonly profile: string
}

/**
 * Each is there for a reason: without it, a schedule of the model ends badly. Rarer ones are left to longer runs, and to
 * tests beside the code.
 */
export const clauses: Readonly<Record<string, Clause>> = {
  'REV-8: a reading ends with the anchor': {
    file: 'plugins/sessions/revocations/log.ts',
    find: 'if (!record || entriesOf(record).id !== anchor) return load(seq)',
    without: '',
    profile: 'all',
  },
  'REV-3: whoever appends looks at the record before': {
    file: 'plugins/sessions/revocations/log.ts',
    find: 'if (before && entriesOf(before).id === anchor) return seq + 1',
    without: 'if (before || !before) return seq + 1',
    profile: 'compaction',
  },
  'REV-6: records are taken away from the lowest on': {
    file: 'plugins/sessions/revocations/compaction.ts',
    find: 'done.sort((a, b) => a - b)',
    without: 'done.sort((a, b) => b - a)',
    profile: 'compaction',
  },
  'REV-9: an end that meets a noted one waits for the log': {
    file: 'plugins/sessions/keeper.ts',
    find: 'if (isOver) await',
    without: 'if (isNoted && isOver) await',
    profile: 'ends',
  },
  'REV-6: a record is taken away when a segment has what it says': {
    file: 'plugins/sessions/revocations/compaction.ts',
    find: 'if (record && !live([entriesOf(record)]).every(has)) break',
    without: '',
    profile: 'all',
  },
  'SES-17: a record keeps the later end': {
    file: 'plugins/sessions/keeper.ts',
    find: 'Math.max(data.until, cut)',
    without: 'cut',
    profile: 'alive',
  },
  'REV-8: a gap that stays is filled': {
    file: 'plugins/sessions/revocations/log.ts',
    find: 'if (gap === lastGap) await fill(gaps.length > 0 ? gaps : [top])',
    without: '',
    profile: 'restore',
  },
  'REV-9: whoever meets an end waits for the log': {
    file: 'plugins/sessions/keeper.ts',
    find: 'if (!ended.data.stored) await (await revocations())?.publish(ended.record)',
    without: 'if (ended.changed) await (await revocations())?.publish(ended.record)',
    profile: 'ends',
  },
  'REV-11: what the store said is good for the bound': {
    file: 'revocation/judge.ts',
    find: 'if (ageOf(begun, clocks) > bound) return undefined',
    without: '',
    profile: 'alive',
  },
  'REV-10: the age is judged again after a shared reading': {
    file: 'revocation/judge.ts',
    find: 'if (!fresh || ageOf(fresh.asOf, clocks) > bound) return undefined',
    without: 'if (!fresh) return undefined',
    profile: 'all',
  },
  'REV-10: a snapshot has an age': {
    file: 'plugins/sessions/revocations/verdict.ts',
    find: 'if (!snapshot || ageOf(snapshot.asOf, clocks) > bound) return',
    without: 'if (!snapshot) return',
    profile: 'all',
  },
  'REV-10: a read of a machine that was paused is given up': {
    file: 'revocation/judge.ts',
    find: 'if (ageOf(begun, clocks) > LONGEST_READ) break',
    without: '',
    profile: 'all',
  },
  'SES-5: a record lives a day longer than its cookie': {
    file: 'plugins/sessions/keeper.ts',
    find: 'const keptUntil = (until: number): Date => new Date(until + DAY)',
    without: 'const keptUntil = (until: number): Date => new Date(until + 60_000)',
    profile: 'skew',
  },
  'SES-24: an epoch has no end while its user is there': {
    file: 'plugins/sessions/epoch.ts',
    find: '...(expires && { expires })',
    without: 'expires: expires ?? new Date(ports.now() + 4 * 86_400_000)',
    profile: 'skew',
  },
  'SES-25: a session is spared before the epoch is raised': {
    file: 'plugins/sessions/epoch.ts',
    find: 'await spare?.(epoch)',
    without: 'setTimeout(() => spare?.(epoch), 1)',
    profile: 'alive',
  },
  'SES-3: an end that meets an adoption is tried again': {
    file: 'plugins/sessions/keeper.ts',
    find: 'if (isNoted || isOver) return',
    without: 'if (isNoted || !isNoted) return',
    profile: 'alive',
  },
  'REV-2: a session whose record went with its user is over': {
    file: 'plugins/sessions/revocations/truth.ts',
    find: "return claimed !== undefined || isEarlier ? 'user-deleted' : undefined",
    without: 'return undefined',
    profile: 'skew',
  },
  'REV-18: a snapshot is proved for the nonce of its request': {
    file: 'verifier-revocations.ts',
    find: 'if (d !== digest || m !== proof || !isOurs) {',
    without: 'if (d !== digest || !isOurs || proof === undefined) {',
    profile: 'edge',
  },
  'REV-18: the age of a snapshot counts from the sending': {
    file: 'verifier-revocations.ts',
    find: 'Object.assign(snapshot, { asOf, anchor })',
    without: 'Object.assign(snapshot, { asOf: momentOf(clocks), anchor })',
    profile: 'edge',
  },
  'REV-18: a verifier is answered from a reading that began after its request': {
    file: 'plugins/sessions/routes/revocations.ts',
    find: 'await kept?.log.refreshAnew()',
    without: 'await kept?.log.refresh()',
    profile: 'edge',
  },
  'REV-19: what goes on is asked for again after each change': {
    file: 'verifier-revocations.ts',
    find: 'if (from !== 0 && sessions.length === 0 && users.length === 0) return',
    without: 'if (from >= 0) return',
    profile: 'edge',
  },
  'REV-19: an answer on one session is proved for its nonce': {
    file: 'verifier-revocations.ts',
    find: 'if (m !== (await proveCheck(keys.check, n, asked, live))) {',
    without: 'if (m === (await proveCheck(keys.check, n, asked, !live))) {',
    profile: 'edge',
  },
}
