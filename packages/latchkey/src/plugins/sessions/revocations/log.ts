import { inTime } from '../../../entries/plugin.ts'
import type { RevocationState } from '../../../protocols/revocation/state.ts'
import { createReader, type LogReader, noteChange } from './log-reader.ts'
import { type LogHost, numberedRecords } from './log-records.ts'
import type { Entries, Snapshot } from './snapshot.ts'

/** The largest number of entries in one record. */
const MOST_ENTRIES = 500

/** Attempts of an append. */
const TRIES = 8

/** Milliseconds for an append. One that takes longer may still succeed, which has no effect beside a repeated one. */
const PATIENCE = 10_000

/** The log of ended sessions, as a process reads and writes it. */
export interface RevocationLog extends LogReader {
  /**
   * Appends entries. Simultaneous calls share the next record.
   *
   * @returns the number of the record.
   * @throws if the store fails. The entries may have been written.
   */
  append(entries: Entries): Promise<number>
  /** Returns the entries of a record; `undefined` if it does not exist or was compacted. */
  read(seq: number): Promise<Entries | undefined>
}

/** Entries that wait to be written. */
interface Waiting {
  readonly entries: Entries
  readonly written: (seq: number) => void
  readonly failed: (error: unknown) => void
}

export function createLog(
  host: LogHost,
  state: RevocationState<Snapshot>,
  {
    maxEntries,
    notify,
  }: {
    readonly maxEntries: number
    readonly notify?: ((seq: number) => Promise<void>) | undefined
  },
): RevocationLog {
  const records = numberedRecords(host)
  const { get, create } = records
  const { refresh, refreshAnew } = createReader(host, state, { records, maxEntries })

  /** @returns the number of the record with the entries. */
  async function write(entries: Entries): Promise<number> {
    for (let tries = 0; tries < TRIES; tries++) {
      const { snapshot } = state
      if (snapshot && !state.isLost) {
        const { seq, anchor } = snapshot
        if (await create(seq + 1, entries)) {
          const before = await get(seq)
          if (before?.id === anchor) return seq + 1
          // The number was free because the log was replaced, so readers would not find it.
          state.isLost = true
        }
      }
      if (!(await refreshAnew())) break
    }
    throw new Error('the end of a session could not be stored')
  }

  const waiting: Waiting[] = []
  let writing: Promise<void> | undefined

  function begin(): void {
    writing ??= writeAll().finally(() => {
      writing = undefined
      // Entries may have arrived while the last record was written.
      if (waiting.length > 0) begin()
    })
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const group = takeGroup(waiting)
      const entries = {
        s: group.flatMap(({ entries: { s } }) => s),
        u: group.flatMap(({ entries: { u } }) => u),
      }
      try {
        // A call that never answers must not keep all later ends of sessions from being stored.
        const seq = await inTime(write(entries), PATIENCE)
        state.snapshot?.include(entries)
        noteChange(state)
        for (const { written } of group) written(seq)
        // The notification may be lost.
        notify?.(seq).catch(() => undefined)
      } catch (error) {
        for (const { failed } of group) failed(error)
      }
    }
  }

  return {
    refresh,
    refreshAnew,
    read: get,
    append: (entries) =>
      new Promise((written, failed) => {
        waiting.push({ entries, written, failed })
        begin()
      }),
  }
}

const sizeOf = ({ s, u }: Entries): number => s.length + u.length

/** Returns the first entries that fit into one record, at least one. */
function takeGroup(waiting: Waiting[]): Waiting[] {
  let size = 0
  let many = 0
  for (const { entries } of waiting) {
    size += sizeOf(entries)
    if (many > 0 && size > MOST_ENTRIES) break
    many++
  }
  return waiting.splice(0, many)
}
