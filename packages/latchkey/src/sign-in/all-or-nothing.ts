import { AdapterError } from '../errors.ts'
import type { Logger } from '../options/redacting-logger.ts'
import type { Store } from '../store/store.ts'

/** Writes that belong together. */
export interface Group {
  readonly store: Store
  /** How to take back what was just written, for stores without transactions. */
  undoWith(step: () => Promise<unknown>): void
}

/**
 * Runs writes of which all must happen or none: in a transaction, or taking back on failure what was
 * written, the newest first. No function of the application is called inside: it might wait for the
 * very store that the transaction holds.
 *
 * @throws what `work` throws; that something could not be taken back is logged.
 */
export async function allOrNothing<Result>(
  store: Store,
  logger: Logger,
  work: (group: Group) => Promise<Result>,
): Promise<Result> {
  if (store.inTransaction) {
    return store.inTransaction((inside) => work({ store: inside, undoWith() {} }))
  }
  const steps: (() => Promise<unknown>)[] = []
  try {
    return await work({ store, undoWith: (step) => steps.push(step) })
  } catch (error) {
    for (const step of steps.toReversed()) {
      // The store has logged its own errors.
      await step().catch((why) => why instanceof AdapterError || logger.error(why))
    }
    throw error
  }
}
