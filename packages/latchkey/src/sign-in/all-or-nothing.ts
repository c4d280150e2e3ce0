import { AdapterError } from '../base/errors.ts'
import type { Logger } from '../options/redacting-logger.ts'
import type { Store } from '../store/store.ts'

/** Writes that belong together. */
export interface Group {
  readonly store: Store
  /** Registers a function that undoes the last write, for stores without transactions. */
  undoWith(step: () => Promise<unknown>): void
}

/**
 * Runs writes that must happen all or not at all: in a transaction, or with undo steps after a failure, the newest
 * first. `work` must not call functions of the application: they could wait for the store that the transaction holds.
 *
 * @throws the error of `work`. A failed undo step is only logged.
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
      // The store has already logged an `AdapterError`.
      await step().catch((why) => why instanceof AdapterError || logger.error(why))
    }
    throw error
  }
}
