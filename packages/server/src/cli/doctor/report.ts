import { firstLine, UserError } from '../../user-error.ts'

/** Every check, by the id of its findings, with the title of a finding. */
export const checks = {
  configuration: 'the service would not start',
  secret: 'production would not start with this secret',
  database: 'the database cannot be used',
  tables: 'the tables of the database do not fit',
  redis: 'Redis cannot be used',
  'redis-eviction': 'Redis may remove sessions and revocations when its memory is full',
  mail: 'no mails can be sent',
  'client-address': 'all clients share the limits of one',
  provider: 'the metadata of a provider cannot be read',
  clock: 'the clocks of this machine and of a provider differ',
  push: 'instances do not learn at once that a session was ended',
  'revocation-bound': 'sealed sessions that were ended may be accepted for longer',
  'strict-rotation': 'two instances may renew the same tokens, and the provider then ends them',
  'plain-tokens': 'tokens of providers can be read in the database',
  'sessions-off': 'sessions that were ended are valid again',
  'deleted-users': 'sessions stay valid although their user was deleted',
  'sealed-records': 'stored passwords, tokens or keys cannot be opened',
  'password-hashing': 'passwords are hashed with less than this machine could do',
  'lost-factors': 'users who lose their second factor cannot sign in any more',
  'return-address': 'a sign-out ends at an error page of the provider',
  'front-channel': 'anybody who knows the id of a session at the provider can end it with a link',
} as const

export type CheckId = keyof typeof checks

/** A problem that a check found. */
export interface Finding {
  readonly id: CheckId
  /** `error` if something does not work, `warning` if something may not work. */
  readonly level: 'error' | 'warning'
  /** The problem in a few words. */
  readonly title: string
  /** The value that was found and the value that was expected. */
  readonly seen: string
  /** How to solve the problem. */
  readonly fix: string
}

export interface Report {
  readonly findings: Finding[]
  readonly checked: CheckId[]
  readonly skipped: { readonly id: CheckId; readonly why: string }[]
}

export type Found = Pick<Finding, 'seen' | 'fix'> & Partial<Pick<Finding, 'level'>>

/** Collects the findings of checks. */
export class Examination {
  readonly report: Report = { findings: [], checked: [], skipped: [] }

  /**
   * Runs a check. If it throws, the error is a finding, since the check could not find out whether there is a problem.
   *
   * @returns what the check returns; `undefined` if it threw.
   */
  async check<Result>(
    id: CheckId,
    work: (found: (finding: Found) => void) => Result | Promise<Result>,
  ): Promise<Result | undefined> {
    this.report.checked.push(id)
    const found = (finding: Found): void => this.found(id, finding)
    try {
      return await work(found)
    } catch (error) {
      const mistakes = error instanceof UserError ? error.mistakes : [firstLine(error)]
      for (const mistake of mistakes) found({ level: 'error', ...partsOf(mistake) })
      return undefined
    }
  }

  found(id: CheckId, { level = 'warning', seen, fix }: Found): void {
    this.report.findings.push({ id, level, title: checks[id], seen, fix })
  }

  skip(why: string, ...ids: readonly CheckId[]): void {
    this.report.skipped.push(...ids.map((id) => ({ id, why })))
  }
}

/** Splits the message of a mistake into the problem and the solution. */
export function partsOf(mistake: string): Pick<Finding, 'seen' | 'fix'> {
  // Not after the brackets of a function, for example `limits(): `.
  const afterBracket = (/[^(]\): /.exec(mistake)?.index ?? -2) + 2
  const ends = [mistake.indexOf('; '), afterBracket].filter((at) => at > 0)
  const end = Math.min(...ends)
  const [seen, fix] = [mistake.slice(0, end), mistake.slice(end + 2)]
  return ends.length > 0 && fix
    ? { seen, fix }
    : { seen: mistake, fix: 'fix this, and run the command again' }
}
