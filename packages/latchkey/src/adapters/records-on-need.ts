import { type Adapter, atomic } from '../model/adapter.ts'

/**
 * Creates an adapter that stores no records until a plugin needs them.
 *
 * It stays the same object: `deleteUser`, for example, then also deletes records if the application calls it. A copy
 * with methods of the application, `{ ...adapter, createUser }`, keeps these methods.
 */
export function recordsOnNeed<Own extends Adapter>(create: (records: boolean) => Own): Own {
  const before = create(false)
  let after: Adapter | undefined
  const useRecords = (copy: Adapter = adapter): void => {
    after ??= create(true)
    for (const each of new Set([adapter, copy])) {
      replaceSame(each, before, after)
      each[atomic] = { ...each[atomic] }
      replaceSame(each[atomic], before[atomic] ?? {}, after[atomic] ?? {})
    }
  }
  const adapter: Own = { ...before, [atomic]: { ...before[atomic], useRecords } }
  return adapter
}

/** Replaces the members that have not changed. */
function replaceSame<Members extends object>(target: Members, before: Members, after: Members) {
  for (const name of Object.keys(after) as (keyof Members)[])
    if (target[name] === before[name]) target[name] = after[name]
}
