import type { LimitSubject, LimitsApi } from 'latchkey/plugins/limits'
import type { Sources } from '../settings.ts'
import { UserError } from '../user-error.ts'
import { withLatchkey } from './with-latchkey.ts'

/**
 * Forgets the attempts of a subject at an action.
 *
 * @throws {UserError} if the action has no rules for the subject, or there are no limits.
 */
export function resetLimit(action: string, subject: LimitSubject, sources: Sources): Promise<void> {
  return withLatchkey(sources, async ({ config, latchkey }) => {
    if (!config.plugins?.some(({ name }) => name === 'limits'))
      throw new UserError('limits: are off, so no attempts are counted; set LATCHKEY_LIMITS=true')
    const { limits } = latchkey.api as unknown as { limits: LimitsApi }
    const count = await limits.reset(action, subject)
    if (count === 0)
      throw new UserError(
        `limits: the action ${action} has no rule for this; see the table of actions in docs/reference/configuration.md, and give --identifier, --user or --address`,
      )
    process.stdout.write(`forgot the attempts of ${count} ${count === 1 ? 'rule' : 'rules'}\n`)
  })
}
