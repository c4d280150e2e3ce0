import type { LimitSubject, LimitsApi } from 'latchkey/plugins/limits'
import type { Sources } from '../settings.ts'
import { UserError } from '../user-error.ts'
import { apiOf, withLatchkey } from './with-latchkey.ts'

/**
 * Forgets the attempts of a subject at an action.
 *
 * @throws {UserError} if the action has no rules for the subject, or there are no limits.
 */
export function resetLimit(action: string, subject: LimitSubject, sources: Sources): Promise<void> {
  return withLatchkey(sources, async (configured) => {
    const off = 'limits: are off, so no attempts are counted; set LATCHKEY_LIMITS=true'
    const limits = apiOf<LimitsApi>('limits', off, configured)
    const count = await limits.reset(action, subject)
    if (count === 0)
      throw new UserError(
        `limits: the action ${action} has no rule for this; see the table of actions in docs/reference/configuration.md, and give --identifier, --user or --address`,
      )
    process.stdout.write(`forgot the attempts of ${count} ${count === 1 ? 'rule' : 'rules'}\n`)
  })
}
