/** A clause of the protocol, and how the code would be without it. */
export interface Clause {
  /** Below `src`. */
  readonly file: string
  readonly find: string
  readonly without: string
  /** The profile of the model that finds it, or the test that does where schedules seldom meet it. */
  readonly foundBy: string | DirectTest
}

export interface DirectTest {
  /** Below the package. */
  readonly file: string
  readonly name: string
}

/** Each is there for a reason: without it, a schedule of the model or a test fails. */
export const clauses: Readonly<Record<string, Clause>> = {
  'REV-8: a reading ends with the anchor': {
    file: 'plugins/sessions/revocations/log-reader.ts',
    find: 'hasStill(seq, [anchor, ...found.map(({ id }) => id)])',
    without: 'hasStill(seq + 1, found.map(({ id }) => id))',
    foundBy: 'all',
  },
  'REV-8: new records are read once more': {
    file: 'plugins/sessions/revocations/log-reader.ts',
    find: 'hasStill(seq, [anchor, ...found.map(({ id }) => id)])',
    without: 'hasStill(seq, [anchor])',
    foundBy: {
      file: 'src/plugins/sessions/tests/revocations-log.test.ts',
      name: 'knows all sessions that ended afterwards, if it knew an earlier part of the log',
    },
  },
  'REV-8: the log is listed once more': {
    file: 'plugins/sessions/revocations/log-reader.ts',
    find: 'if (isMixed(log, again, ranges)) continue',
    without: '',
    foundBy: {
      file: 'src/plugins/sessions/tests/revocations-log.test.ts',
      name: 'knows all sessions that ended afterwards, if it reads the whole log',
    },
  },
  'REV-3: whoever appends looks at the record before': {
    file: 'plugins/sessions/revocations/log.ts',
    find: 'if (before?.id === anchor) return seq + 1',
    without: 'if (before || !before) return seq + 1',
    foundBy: 'compaction',
  },
  'REV-6: records are taken away from the lowest on': {
    file: 'plugins/sessions/revocations/compaction.ts',
    find: 'done.sort((a, b) => a - b)',
    without: 'done.sort((a, b) => b - a)',
    foundBy: {
      file: 'src/plugins/sessions/tests/revocations-compaction.test.ts',
      name: 'hides no entry from a process that already read a part of the log',
    },
  },
  'REV-9: an end that meets a noted one waits for the log': {
    file: 'plugins/sessions/records/end.ts',
    find: 'if (isOver) await',
    without: 'if (isNoted && isOver) await',
    foundBy: 'ends',
  },
  'REV-6: a record is taken away when a segment has what it says': {
    file: 'plugins/sessions/revocations/compaction.ts',
    find: 'if (data && !live([data]).every(has)) break',
    without: '',
    foundBy: {
      file: 'src/plugins/sessions/tests/revocations-compaction.test.ts',
      name: 'removes no entry that no segment has',
    },
  },
  'SES-17: a record keeps the later end': {
    file: 'plugins/sessions/records/extend.ts',
    find: 'Math.max(data.until, cut)',
    without: 'cut',
    foundBy: 'alive',
  },
  'REV-8: a gap that stays is filled': {
    file: 'plugins/sessions/revocations/log-reader.ts',
    find: 'if (gap === lastGap) await fill(gaps.length > 0 ? gaps : [top])',
    without: '',
    foundBy: 'restore',
  },
  'REV-9: whoever meets an end waits for the log': {
    file: 'plugins/sessions/records/end.ts',
    find: 'if (!ended.record.data.stored) await (await revocations())?.publish(ended.record)',
    without: 'if (ended.isChanged) await (await revocations())?.publish(ended.record)',
    foundBy: 'ends',
  },
  'REV-9: an end that is repeated looks into the log': {
    file: 'plugins/sessions/revocations/revocations.ts',
    find: 'if (!ended || (await isWritten(record))) return',
    without: 'if (ended?.seq !== undefined || (await isWritten(record))) return',
    foundBy: {
      file: 'src/plugins/sessions/tests/revocations.test.ts',
      name: 'is written into the log by the next end, if a restored backup lost its record of the log',
    },
  },
  'REV-11: what the store said is good for the bound': {
    file: 'protocols/revocation/judge.ts',
    find: 'if (ageOf(begun, clocks) > bound) return undefined',
    without: '',
    foundBy: 'alive',
  },
  'REV-10: the age is judged again after a shared reading': {
    file: 'protocols/revocation/judge.ts',
    find: 'if (!fresh || ageOf(fresh.asOf, clocks) > bound) return undefined',
    without: 'if (!fresh) return undefined',
    foundBy: 'all',
  },
  'REV-10: a snapshot has an age': {
    file: 'plugins/sessions/revocations/verdict.ts',
    find: 'if (!snapshot || ageOf(snapshot.asOf, clocks) > bound) return',
    without: 'if (!snapshot) return',
    foundBy: 'all',
  },
  'REV-10: a read of a machine that was paused is given up': {
    file: 'protocols/revocation/judge.ts',
    find: 'if (ageOf(begun, clocks) > LONGEST_READ) break',
    without: '',
    foundBy: 'all',
  },
  'SES-5: a record lives a day longer than its cookie': {
    file: 'plugins/sessions/records/record.ts',
    find: 'const keptUntil = (until: number): Date => new Date(until + DAY)',
    without: 'const keptUntil = (until: number): Date => new Date(until + 60_000)',
    foundBy: 'skew',
  },
  'SES-24: an epoch has no end while its user is there': {
    file: 'plugins/sessions/records/epoch.ts',
    find: '...(expires && { expires })',
    without: 'expires: expires ?? new Date(ports.now() + 4 * 86_400_000)',
    foundBy: {
      file: 'src/plugins/sessions/tests/races.test.ts',
      name: 'SES-24: stores an epoch without an expiry as long as the user exists',
    },
  },
  'SES-25: a session is spared before the epoch is raised': {
    file: 'plugins/sessions/records/epoch.ts',
    find: 'await spare?.(epoch)',
    without: 'setTimeout(() => spare?.(epoch), 1)',
    foundBy: 'alive',
  },
  'SES-3: an end that meets an adoption is tried again': {
    file: 'plugins/sessions/records/end.ts',
    find: 'if (!isNoted && !isOver) await endOrNote(session, reason, keeping)',
    without: '',
    foundBy: 'alive',
  },
  'REV-2: a session whose record went with its user is over': {
    file: 'plugins/sessions/revocations/truth.ts',
    find: "return claimed !== undefined || isEarlier ? 'user-deleted' : undefined",
    without: 'return undefined',
    foundBy: 'skew',
  },
  'REV-18: a snapshot is proved for the nonce of its request': {
    file: 'verifier/revocations.ts',
    find: 'if (d !== digest || m !== proof || !isOurs) {',
    without: 'if (d !== digest || !isOurs || proof === undefined) {',
    foundBy: 'edge',
  },
  'REV-18: the age of a snapshot counts from the sending': {
    file: 'verifier/revocations.ts',
    find: 'Object.assign(snapshot, { asOf, anchor })',
    without: 'Object.assign(snapshot, { asOf: momentOf(clocks), anchor })',
    foundBy: 'edge',
  },
  'REV-18: nothing is added to a snapshot without entries': {
    file: 'verifier/revocations.ts',
    find: 'if (snapshot && !state.isLost && !snapshot.isFull) {',
    without: 'if (snapshot && !state.isLost) {',
    foundBy: {
      file: 'tests/http/verifier-revocations.test.ts',
      name: 'REV-18: requests the whole log after a response of a process that has too many entries',
    },
  },
  'REV-18: a verifier is answered from a reading that began after its request': {
    file: 'plugins/sessions/routes/revocations.ts',
    find: 'await kept?.log.refreshAnew()',
    without: 'await kept?.log.refresh()',
    foundBy: {
      file: 'tests/http/verifier-revocations.test.ts',
      name: 'REV-18: answers from a reading of the log that began after the request',
    },
  },
  'REV-19: what goes on is asked for again after each change': {
    file: 'verifier/revocations.ts',
    find: 'if (from !== 0 && sessions.length === 0 && users.length === 0) return',
    without: 'if (from >= 0) return',
    foundBy: 'edge',
  },
  'REV-19: an answer on one session is proved for its nonce': {
    file: 'verifier/revocations.ts',
    find: 'if (m !== (await proveCheck(keys.check, n, asked, live))) {',
    without: 'if (m === (await proveCheck(keys.check, n, asked, !live))) {',
    foundBy: 'edge',
  },
}
