import { type Adapter, atomic } from '../model/adapter.ts'

/**
 * Creates an adapter that stores no records until a plugin needs them.
 *
 * It stays the same object: what the application calls itself, `deleteUser` for example, then deletes records, too.
 */
export function recordsOnNeed(create: (records: boolean) => Adapter): Adapter {
  const adapter = create(false)
  const useRecords = (): void => {
    Object.assign(adapter, create(true))
  }
  return Object.assign(adapter, { [atomic]: { ...adapter[atomic], useRecords } })
}
