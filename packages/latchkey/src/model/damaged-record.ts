import { AdapterError } from '../base/errors.ts'
import { oncePer } from '../base/once.ts'
import type { PluginRecord } from './record.ts'

/** Has `get`, `take` and `list` return damaged records, for callers that know what to do with one. */
export const WITH_DAMAGED: WithDamaged = { damaged: 'return' }

export interface WithDamaged {
  /**
   * Returns a record whose stored text is damaged, with `isDamaged` and empty `data`. Otherwise such a record throws: a
   * caller that takes it for an empty one could accept what it must refuse.
   */
  readonly damaged: 'return'
}

/** Returns whether a stored value can be a date: milliseconds since the epoch. */
export const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) <= 8.64e15

/** Returns whether a stored value is a list of texts. */
export const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

/**
 * Returns the error for a record whose data cannot be used, for the log.
 *
 * @param consequence what happens because of it.
 * @param named whether the key appears in the message: not if it may be a secret.
 */
export function damagedRecord(
  { kind, key }: PluginRecord,
  consequence: string,
  named: boolean = true,
): AdapterError {
  const name = named
    ? `the record of kind "${kind}" with the key "${key}"`
    : `a record of kind "${kind}"`
  return new AdapterError(`${name} is damaged; ${consequence}`)
}

/** Most damaged records that are remembered as logged, for each logger. */
const MOST_REPORTED = 1000

const reportedBy = oncePer((_logger: object) => new Set<string>(), new WeakMap())

/** Logs a damaged record that is read again and again: once, until it is replaced. Parameters as of {@link damagedRecord}. */
export function reportDamaged(
  logger: { error(error: Error): void },
  record: PluginRecord,
  consequence: string,
  named: boolean = true,
): void {
  const reported = reportedBy(logger)
  const name = `${record.kind} ${record.key} ${record.version}`
  if (reported.has(name)) return
  if (reported.size >= MOST_REPORTED) reported.clear()
  reported.add(name)
  logger.error(damagedRecord(record, consequence, named))
}
