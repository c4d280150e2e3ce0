import { lowerCase } from '../encoding/lower-case.ts'
import { AdapterError, isAuthError, MissingAdapterMethods, toError } from '../errors.ts'
import type { Adapter, AdapterMethod, AtomicAbilities, CountedAttempt } from '../model/adapter.ts'
import { atomic } from '../model/adapter.ts'
import { explained, missingTable } from '../model/missing-table.ts'
import type { Logger } from '../options/redacting-logger.ts'
import { isEdgeRuntime } from '../ports.ts'
import { abilityNames, ownersOf } from './abilities.ts'

type Methods = Required<Pick<Adapter, AdapterMethod>>

/** The adapter as the core calls it: every call logged, every failure an {@link AdapterError}. */
export type Store = {
  readonly [Name in AdapterMethod]: (
    ...args: Parameters<Methods[Name]>
  ) => Promise<Awaited<ReturnType<Methods[Name]>>>
} & {
  /** Abilities of the adapter, and the records of the store beside it, if there is one. */
  readonly atomic: AtomicAbilities
  /** Runs work of this process on the same thing one after the other. */
  inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result>
  /** Counts an attempt; `undefined` where the adapter cannot. An answer that is not `true` is a no. */
  readonly countAttempt: ((attempt: CountedAttempt) => Promise<boolean>) | undefined
  /** Runs writes that belong together, all or none; `undefined` where the adapter has no transactions. */
  readonly inTransaction:
    | (<Result>(work: (store: Store) => Promise<Result>) => Promise<Result>)
    | undefined
}

/** Every method of the contract. */
const methods: readonly AdapterMethod[] = [
  'createUser',
  'getUser',
  'getUserByEmail',
  'getUserByAccount',
  'updateUser',
  'deleteUser',
  'linkAccount',
  'unlinkAccount',
  'getAccount',
  'createSession',
  'getSessionAndUser',
  'updateSession',
  'deleteSession',
  'createVerificationToken',
  'useVerificationToken',
  'createAuthenticator',
  'getAuthenticator',
  'listAuthenticatorsByUserId',
  'updateAuthenticatorCounter',
]

/**
 * Returns an adapter as an application may use it: with the methods that it has, logged, and with the records
 * beside it, which its `deleteUser` deletes, too.
 */
export function wrappedAdapter(adapter: Adapter, store: Store): Adapter {
  const there = methods.filter((name) => typeof adapter[name] === 'function')
  return { ...Object.fromEntries(there.map((name) => [name, store[name]])), [atomic]: store.atomic }
}

/** An argument without a name may be a token; those with names are judged by the logger. */
function nameless(arg: unknown): unknown {
  return typeof arg === 'object' ? arg : '[redacted]'
}

/**
 * Stores that fold accents or blanks find users who were not asked for; one letter case is as good
 * as another, since addresses are kept in lower case here and as they were typed elsewhere.
 */
function exactly(store: Store): Store {
  return {
    ...store,
    async getUserByEmail(address) {
      const found = await store.getUserByEmail(address)
      return found && sameAddress(found.email, address) ? found : null
    },
    // Some adapters find first and remove then: here at least, nobody comes in between.
    useVerificationToken: (key) =>
      store.inTurn(`${key.token} ${key.identifier}`, () => store.useVerificationToken(key)),
  }
}

function sameAddress(stored: unknown, asked: string): boolean {
  return typeof stored === 'string' && lowerCase(stored) === lowerCase(asked)
}

/**
 * Wraps an adapter. Methods are looked up at each call and called on the adapter itself.
 *
 * @param records where records are, if not in the adapter.
 */
export function createStore(adapter: Adapter, logger: Logger, records?: Adapter): Store {
  const abilities = adapter[atomic] ?? {}
  const store: Record<string, unknown> = {
    atomic: wrapAbilities(adapter, logger, records),
    inTurn: (key: string, work: () => Promise<unknown>) => inTurn(adapter, key, work),
    countAttempt: abilities.countAttempt && counting(abilities, logger),
    inTransaction: abilities.transaction && transactions(abilities, logger, records),
  }
  for (const name of methods) {
    store[name] = async (...args: unknown[]): Promise<unknown> => {
      logger.debug(`adapter_${name}`, () => ({ args: args.map(nameless) }))
      const method = adapter[name] as ((...args: unknown[]) => unknown) | undefined
      if (typeof method !== 'function') {
        throw new MissingAdapterMethods(`the adapter has no method ${name}`, { method: name })
      }
      try {
        const answer = await method.apply(adapter, args)
        // Last, so that nobody loses a second factor who then is not deleted.
        if (name === 'deleteUser') await records?.deleteUser?.(String(args[0]))
        return answer
      } catch (error) {
        throw failed(error, name, logger)
      }
    }
  }
  return exactly(store as unknown as Store)
}

type Ability = (...args: unknown[]) => unknown

/** The abilities that there are, logged and failing as methods do. */
function wrapAbilities(adapter: Adapter, logger: Logger, records?: Adapter): AtomicAbilities {
  // Whoever runs a transaction of their own is handed the adapter as it is.
  const { transaction } = adapter[atomic] ?? {}
  const wrapped: Record<string, unknown> = { ...(transaction && { transaction }) }
  for (const name of abilityNames) {
    const owners = ownersOf(name, adapter, records)
    if (owners.length === 0) continue
    wrapped[name] = async (...args: unknown[]): Promise<unknown> => {
      logger.debug(`adapter_${name}`, () => ({ args: args.map(nameless) }))
      try {
        const answers: unknown[] = []
        for (const owner of owners) answers.push(await (owner[name] as Ability).apply(owner, args))
        return name === 'cleanup' ? Math.max(...(answers as number[])) : answers[0]
      } catch (error) {
        throw failed(error, name, logger)
      }
    }
  }
  return wrapped
}

function transactions(
  abilities: AtomicAbilities,
  logger: Logger,
  records: Adapter | undefined,
): <Result>(work: (store: Store) => Promise<Result>) => Promise<Result> {
  return async (work) => {
    try {
      return await (abilities as Required<AtomicAbilities>).transaction((inside) =>
        work(createStore(inside, logger, records)),
      )
    } catch (error) {
      // What a method inside threw is wrapped and logged already.
      throw isAuthError(error) ? error : failed(error, 'transaction', logger)
    }
  }
}

/** The last of those who wait, by what they wait for. */
const queues = new WeakMap<Adapter, Map<string, Promise<unknown>>>()

async function inTurn<Result>(
  adapter: Adapter,
  key: string,
  work: () => Promise<Result>,
): Promise<Result> {
  let queue = queues.get(adapter)
  if (!queue) queues.set(adapter, (queue = new Map()))
  const before = queue.get(key) ?? Promise.resolve()
  const turn = before.then(work, work)
  queue.set(key, turn)
  try {
    return await turn
  } finally {
    if (queue.get(key) === turn) queue.delete(key)
  }
}

function counting(
  abilities: AtomicAbilities,
  logger: Logger,
): (attempt: CountedAttempt) => Promise<boolean> {
  return async (attempt) => {
    try {
      // Of a date that is none an adapter may count nothing.
      if (Number.isNaN(attempt.expires.getTime())) throw new TypeError('`expires` is no date')
      const answer: unknown = await abilities.countAttempt?.(attempt)
      return answer === true
    } catch (error) {
      throw failed(error, 'countAttempt', logger)
    }
  }
}

/** Returns the error, or one that says where the adapter ran and what works there. */
function atTheEdge(error: unknown, method: string): unknown {
  if (!isEdgeRuntime()) return error
  const { message } = toError(error)
  return new Error(
    `${message} (adapter.${method}, in the edge runtime); if the adapter needs Node.js, give this side of the application ` +
      '`splitConfig(config)` instead of the whole configuration, or run it on Node.js: docs/how-to/run-at-the-edge.md',
    { cause: error },
  )
}

function failed(error: unknown, method: string, logger: Logger): AdapterError {
  const wrapped = new AdapterError(toError(reasonOf(error, method)), { method })
  logger.error(wrapped)
  return wrapped
}

/** Returns the error, or one that says what mends it, where that is known. */
function reasonOf(error: unknown, method: string): unknown {
  // One of ours has said it, with the command.
  if (error instanceof Error && missingTable(error.cause) !== undefined) return error
  const known = explained(error, 'create the tables that the documentation of the adapter names')
  return known === error ? atTheEdge(error, method) : known
}
