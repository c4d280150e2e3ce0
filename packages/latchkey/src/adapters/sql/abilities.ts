import { optionError } from '../../base/option-error.ts'
import type { AdapterAccount, TokenSet } from '../../model/account.ts'
import type { AtomicAbilities, UserPage } from '../../model/adapter.ts'
import { acquireLease, countAttempt } from './attempts.ts'
import { checkCount } from './check-count.ts'
import type { Engine } from './engine.ts'
import { recordAbilities } from './records.ts'

/** What can also be done within a transaction. */
export function abilities(engine: Engine): AtomicAbilities {
  return {
    renameSession: (from, to) => renameSession(engine, from, to),
    updateAccount: (account) => updateAccount(engine, account),
    listSessionsByUserId: (userId) => engine.list('session', { userId }),
    listAccountsByUserId: (userId) => engine.list('account', { userId }),
    deleteSessionsByUserId: (userId, except) =>
      engine.remove(
        'session',
        { userId },
        except === undefined ? undefined : { field: 'sessionToken', is: '<>', value: except },
      ),
    listUsers: (options) => listUsers(engine, options),
    ...(engine.has('record') && recordAbilities(engine)),
  }
}

/** What runs into others and tries again, which a transaction cannot. */
export function abilitiesOutside(engine: Engine): AtomicAbilities {
  return {
    countAttempt: (attempt) => countAttempt(engine, attempt),
    acquireLease: (lease) => acquireLease(engine, lease),
    cleanup: (options) => cleanup(engine, options),
  }
}

async function renameSession(engine: Engine, from: string, to: string): Promise<boolean> {
  return (await engine.change('session', { sessionToken: from }, { sessionToken: to })) !== null
}

async function updateAccount(
  engine: Engine,
  {
    provider,
    providerAccountId,
    ...changes
  }: Pick<AdapterAccount, 'provider' | 'providerAccountId'> & TokenSet,
): Promise<boolean> {
  return (await engine.change('account', { provider, providerAccountId }, changes)) !== null
}

const EXPIRING = ['session', 'verificationToken', 'record'] as const

/** @throws RangeError for a batch that is no number of rows. */
export async function cleanup(
  engine: Engine,
  { now, batch }: { now: Date; batch: number },
): Promise<number> {
  checkCount(batch)
  const over = { field: 'expires', is: '<', value: now } as const
  let most = 0
  for (const table of EXPIRING.filter(engine.has))
    most = Math.max(most, await engine.removeSome(table, over, batch))
  return most
}

/** By id: the primary key has an order, and nobody's id changes. */
async function listUsers(
  engine: Engine,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<UserPage> {
  checkCount(limit)
  if (after !== undefined && typeof after !== 'string')
    throw optionError('`after` must be a string', 'adapterCall')
  // One more, to see whether there are more.
  const users = await engine.page('user', 'id', limit + 1, after)
  const page = users.slice(0, limit)
  return { users: page, next: users.length > limit ? (page.at(-1)?.id ?? null) : null }
}
