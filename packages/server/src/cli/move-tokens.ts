import { atomic } from 'latchkey/adapters'
import type { MovedTokens, ProviderTokensApi } from 'latchkey/plugins/provider-tokens'
import type { Sources } from '../settings.ts'
import { UserError } from '../user-error.ts'
import { apiOf, type Configured, withLatchkey } from './with-latchkey.ts'

/** Number of users that are read at a time. */
const PAGE = 100

/**
 * Moves the tokens of all accounts from their columns into sealed records, or back. It continues where an earlier run
 * was interrupted.
 *
 * @throws {UserError} if this is not possible, or if some tokens could not be moved.
 */
export function moveTokens(direction: 'seal' | 'restore', sources: Sources): Promise<void> {
  return withLatchkey(sources, async (configured) => {
    const { listUsers, cleanup } = configured.adapter?.[atomic] ?? {}
    if (!listUsers)
      throw new UserError(
        'tokens: auth.adapter cannot list users; use an adapter that has `listUsers`, or call sealColumns and restoreColumns of the plugin providerTokens for each user',
      )
    const move = moverFor(direction, configured)
    const count = { moved: 0, left: 0, failed: 0 }
    let after: string | undefined
    do {
      const { users, next } = await listUsers({
        limit: PAGE,
        ...(after !== undefined && { after }),
      })
      for (const { id } of users) {
        const { moved, left, failed } = await move(id)
        count.moved += moved
        count.left += left
        count.failed += failed
      }
      after = next ?? undefined
    } while (after !== undefined)
    if (direction === 'restore' && cleanup) await removeExpired(cleanup)
    process.stdout.write(`moved ${count.moved}, left ${count.left}, failed ${count.failed}\n`)
    if (count.failed > 0)
      throw new UserError(
        `tokens: the tokens of ${count.failed} accounts could not be moved; fix the errors above, and run "latchkey tokens ${direction}" again`,
      )
  })
}

function moverFor(
  direction: 'seal' | 'restore',
  configured: Configured,
): (userId: string) => Promise<MovedTokens> {
  const off =
    'providerTokens: is off, so nothing would read sealed tokens; set LATCHKEY_PROVIDER_TOKENS=true'
  const providerTokens = apiOf<ProviderTokensApi>('providerTokens', off, configured)
  const name = direction === 'seal' ? 'sealColumns' : 'restoreColumns'
  return async (userId) => {
    try {
      return await providerTokens[name](userId)
    } catch (error) {
      if (error instanceof TypeError) throw new UserError(error.message, { cause: error })
      throw error
    }
  }
}

type Cleanup = (options: { now: Date; batch: number }) => number | PromiseLike<number>

/** The records of restored tokens have expired, and nothing else may ever remove them. */
async function removeExpired(cleanup: Cleanup): Promise<void> {
  const options = { now: new Date(Date.now() + 1), batch: 500 }
  while ((await cleanup(options)) === options.batch);
}
