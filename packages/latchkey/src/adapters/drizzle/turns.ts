/**
 * Makes the other writes of this process wait while a transaction is open. An SQLite file has one writer at a time. Its
 * drivers either fail at once or block the event loop until the other writer is done, which never happens if that is
 * this process.
 */
export class Turns {
  #transaction: Promise<unknown> | undefined
  readonly #writes = new Set<Promise<unknown>>()

  /** Runs a statement in parallel to others, if no transaction is open. */
  async runShared<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#transaction) await this.#transaction
    const writing = work()
    this.#writes.add(writing)
    try {
      return await writing
    } finally {
      this.#writes.delete(writing)
    }
  }

  /** Runs a transaction, if nothing else is writing. */
  async runExclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    // There is no `await` between the check and the assignment.
    while (this.#transaction || this.#writes.size > 0) {
      await (this.#transaction ?? Promise.allSettled(this.#writes))
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#transaction = promise
    try {
      return await work()
    } finally {
      this.#transaction = undefined
      resolve()
    }
  }
}
