/** Mistakes of the person who starts the service: printed on one line each, without a stack trace. */
export class UserError extends Error {
  override readonly name = 'UserError'
  /** The messages without the sections of the docs. */
  readonly mistakes: readonly string[]

  constructor(mistakes: string | readonly string[], options?: ErrorOptions) {
    const all = typeof mistakes === 'string' ? [mistakes] : mistakes
    super(all.map(withDocs).join('\n'), options)
    this.mistakes = all
  }
}

const PAGE = 'latchkey/docs/reference/errors.md'
const CONFIG_FILE = `${PAGE}#configuration-file-of-the-service`
const OPTIONS = `${PAGE}#options-of-the-service`
const STORES = `${PAGE}#stores-of-the-service`

/** The section of the docs about the command line. */
export const COMMAND_LINE = `${PAGE}#command-line-of-the-service`

/** Sections of the docs, by the option that a message begins with. */
const sections: Readonly<Record<string, string>> = {
  '--config': CONFIG_FILE,
  auth: CONFIG_FILE,
  dataDir: STORES,
  database: STORES,
  redis: STORES,
  tokens: COMMAND_LINE,
}

/** Returns the line of a mistake with the section of the docs that explains it, unless the line names one already. */
export function withDocs(mistake: string): string {
  return mistake.includes('latchkey/docs/') ? mistake : `${mistake} (${sectionOf(mistake)})`
}

function sectionOf(mistake: string): string {
  const [start = ''] = mistake.split(' ')
  if (/\.(?:json|[cm]?[jt]s):?$/.test(start)) return CONFIG_FILE
  if (!start.endsWith(':')) return COMMAND_LINE
  return sections[start.slice(0, -1)] ?? OPTIONS
}

/** Collects mistakes, so that all of them are reported at once. */
export class Mistakes {
  readonly #found: string[] = []

  /** Returns what the work returns. If the work throws a mistake, it keeps the mistake and returns `undefined`. */
  attempt<Result>(work: () => Result): Result | undefined {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      this.#found.push(...error.mistakes)
      return undefined
    }
  }

  /** @throws {UserError} if there are mistakes. */
  judge(): void {
    if (this.#found.length > 0) throw new UserError(this.#found)
  }
}

/** Returns the first line of an error of the library, with the section of the docs for its type. */
export function explainedLine(error: unknown): string {
  const { docs }: { docs?: unknown } = Object(error)
  return typeof docs === 'string' ? `${firstLine(error)} (${docs})` : firstLine(error)
}

/** Returns the first line of an error's message. */
export function firstLine(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split(/[\r\n]/)
  return line
}
