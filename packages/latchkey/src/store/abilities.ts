import { type Adapter, type AtomicAbilities, atomic } from '../model/adapter.ts'
import type { RecordAbilities } from '../model/record.ts'

type AbilityName = Exclude<keyof AtomicAbilities, 'transaction' | 'useRecords'>

const recordAbilityNames: readonly (keyof RecordAbilities)[] = [
  'createRecord',
  'getRecord',
  'replaceRecord',
  'takeRecord',
  'listRecords',
]

/** All abilities except `transaction`, which returns another adapter. */
export const abilityNames: readonly AbilityName[] = [
  'renameSession',
  'updateAccount',
  'countAttempt',
  'acquireLease',
  'cleanup',
  'listSessionsByUserId',
  'listAccountsByUserId',
  'deleteSessionsByUserId',
  'listUsers',
  ...recordAbilityNames,
]

/** Returns the stores whose ability of this name is called: the adapter, the record store, or both for `cleanup`. */
export function ownersOf(
  name: AbilityName,
  adapter: Adapter,
  records: Adapter = adapter,
): AtomicAbilities[] {
  const isOfRecords = (recordAbilityNames as readonly string[]).includes(name)
  const stores = isOfRecords ? [records] : name === 'cleanup' ? [adapter, records] : [adapter]
  return [...new Set(stores)]
    .flatMap((store) => store[atomic] ?? [])
    .filter((abilities) => typeof abilities[name] === 'function')
}

/** Returns whether a store supports records. */
export function hasRecords(
  abilities: AtomicAbilities | undefined,
): abilities is AtomicAbilities & Required<RecordAbilities> {
  return recordAbilityNames.every((name) => typeof abilities?.[name] === 'function')
}
