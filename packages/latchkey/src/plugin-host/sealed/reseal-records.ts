import { AuthError } from '../../base/errors.ts'
import { WITH_DAMAGED } from '../../model/damaged-record.ts'
import type { PluginRecord } from '../../model/record.ts'
import type { RecordSealer } from '../../plugin/host-groups.ts'
import type { ResealedRecords, SealedKind } from '../../plugin/sealed-kind.ts'
import type { Records } from '../../store/records.ts'
import type { SharedHost } from '../host.ts'
import { type SealedBy, sealedKeyId } from './sealed-by.ts'

type Outcome = keyof ResealedRecords | 'unsealed'

/** Records of a page. */
const PAGE = 200
/** Attempts at a record that others change at the same time. */
const TRIES = 5
/** Unreadable values that are named in the log. */
const NAMED = 20

/** Seals all values that do not expire with the first secret. It may be interrupted, and repeated. */
export async function resealRecords(
  kinds: readonly SealedKind[],
  host: Pick<SharedHost, 'records' | 'keys' | 'ports' | 'logger'>,
  sealedBy: SealedBy,
): Promise<ResealedRecords> {
  const total = { resealed: 0, current: 0, unreadable: 0, unsealed: 0 }
  for (const { kind, member, sealer } of kinds) {
    const seals = sealer?.(host) ?? host.keys.sealer(kind)
    const before = total.unreadable
    for await (const record of allRecords(kind, host.records)) {
      const outcome = await reseal(record, member, seals, host.records)
      total[outcome]++
      if (outcome === 'unreadable' && total.unreadable <= NAMED)
        host.logger.error(
          new AuthError(
            `no configured secret opens the ${kind} of the user ${record.userId ?? 'unknown'}; add the secret that sealed it, and seal the records again`,
          ),
        )
    }
    if (total.unreadable === before) await sealedBy.forget(kind)
  }
  const { unsealed: _, ...counts } = total
  return counts
}

async function* allRecords(kind: string, records: Records): AsyncGenerator<PluginRecord> {
  let after: string | undefined
  do {
    const page = await records.list(
      { kind, limit: PAGE, ...(after !== undefined && { after }) },
      WITH_DAMAGED,
    )
    yield* page.records
    after = page.next ?? undefined
  } while (after !== undefined)
}

async function reseal(
  first: PluginRecord,
  member: string,
  sealer: RecordSealer,
  records: Records,
): Promise<Outcome> {
  let record: PluginRecord | null = first
  for (let attempt = 0; attempt < TRIES && record; attempt++) {
    const { key, userId, data }: PluginRecord = record
    const sealed = data[member]
    if (typeof sealed !== 'string' || sealedKeyId(sealed) === undefined) return 'unsealed'
    if (await sealer.isCurrent(sealed)) return 'current'
    const bound = { key, userId }
    const opened = await sealer.open(sealed, bound)
    if (!opened) return 'unreadable'
    const next = { ...data, [member]: await sealer.seal(opened, bound) }
    if (await records.replace(record, { data: next })) return 'resealed'
    record = await records.get(record.kind, key, WITH_DAMAGED)
  }
  // It was deleted, or others write it all the time, and they seal with the first secret.
  return 'current'
}
