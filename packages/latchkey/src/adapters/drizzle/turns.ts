/**
 * Lets others of this process wait while a transaction is open. An SQLite file has one writer at a
 * time, and its drivers either fail at once or stop the event loop until the other one is done, which
 * is never when it is this process.
 */
export class Turns {
  #transaction: Promise<unknown> | undefined
  readonly #writes = new Set<Promise<unknown>>()

  /** Runs one statement beside others, when no transaction is open. */
  async beside<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#transaction) await this.#transaction
    const writing = work()
    this.#writes.add(writing)
    try {
      return await writing
    } finally {
      this.#writes.delete(writing)
    }
  }

  /** Runs a transaction, when nobody else is writing. */
  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    // Nothing is awaited between looking and taking.
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
