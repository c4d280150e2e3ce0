/** Mistakes of the person who starts the service: reported in a line each, without a stack trace. */
export class UserError extends Error {
  override readonly name = 'UserError'
  readonly mistakes: readonly string[]

  constructor(mistakes: string | readonly string[], options?: ErrorOptions) {
    const all = typeof mistakes === 'string' ? [mistakes] : mistakes
    super(all.join('\n'), options)
    this.mistakes = all
  }
}

/** Collects mistakes, so that all of them are reported at once. */
export class Mistakes {
  readonly #found: string[] = []

  /** Returns what the work returns; `undefined` when it made a mistake, which is kept. */
  attempt<Result>(work: () => Result): Result | undefined {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      this.#found.push(...error.mistakes)
      return undefined
    }
  }

  /** @throws {UserError} when any was made. */
  judge(): void {
    if (this.#found.length > 0) throw new UserError(this.#found)
  }
}

/** The message of an error, without what follows its first line. */
export function firstLine(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split(/[\r\n]/)
  return line
}
