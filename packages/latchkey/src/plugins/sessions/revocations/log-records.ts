import {
  encodeBase64url,
  type Host,
  type HostSessions,
  type KindRecord,
  type RecordKind,
  recordKind,
} from '../../../entries/plugin.ts'
import { type Entries, type LogData, logData, unknownEntries } from './snapshot.ts'

/** Records of ended sessions. The key of a record is its number, and the numbers have no gap. */
export const LOG = 'revocation-log'

/** The part of the host that the log uses. */
export type LogHost = Pick<Host, 'records' | 'ports' | 'logger'> & {
  readonly sessions: Pick<HostSessions, 'longest'>
}

/** Returns the records of the log, or of its segments. */
export function logRecords(host: LogHost, kind: string): RecordKind<LogData> {
  return recordKind(host, kind, {
    shape: logData,
    onDamaged(record, report) {
      report('each read of a sealed session calls the store')
      return unknownEntries(record, host.sessions.longest())
    },
  })
}

/** Returns all records of a kind that exist during the whole listing. */
export async function listAll(host: LogHost, kind: string): Promise<KindRecord<LogData>[]> {
  const all: KindRecord<LogData>[] = []
  for await (const record of logRecords(host, kind).each()) all.push(record)
  return all
}

/** The records of the log, by their numbers. */
export interface NumberedRecords {
  get(seq: number): Promise<LogData | undefined>
  /** @returns `false` if there is a record with this number. */
  create(seq: number, entries: Entries): Promise<boolean>
}

export function numberedRecords(host: LogHost): NumberedRecords {
  const { ports } = host
  const records = logRecords(host, LOG)
  return {
    get: async (seq) => (await records.get(String(seq)))?.data,
    create(seq, entries) {
      const id = encodeBase64url(ports.random(16))
      const data: LogData = { id, at: ports.now(), ...entries }
      return records.create({ key: String(seq), data })
    },
  }
}
