import { lowerCase } from '../base/encoding/lower-case.ts'
import { AdapterError, isAuthError, MissingAdapterMethods, toError } from '../base/errors.ts'
import { inTime } from '../base/in-time.ts'
import { isEdgeRuntime } from '../base/ports.ts'
import type { Adapter, AdapterMethod, AtomicAbilities, CountedAttempt } from '../model/adapter.ts'
import { atomic } from '../model/adapter.ts'
import { explained, missingTable } from '../model/missing-table.ts'
import type { Logger } from '../options/redacting-logger.ts'
import { abilityNames, ownersOf } from './abilities.ts'
import { isGone } from './gone.ts'
import { userIdsOf } from './user-ids.ts'

type Methods = Required<Pick<Adapter, AdapterMethod>>

/** The adapter for the core: it logs every call, and every failure is an {@link AdapterError}. */
export type Store = {
  readonly [Name in AdapterMethod]: (
    ...args: Parameters<Methods[Name]>
  ) => Promise<Awaited<ReturnType<Methods[Name]>>>
} & {
  /** The abilities of the adapter, and of the separate record store, if there is one. */
  readonly atomic: AtomicAbilities
  /** Runs work with the same key one after the other in this process, and waits for what is before it for ten seconds at most. */
  inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result>
  /** Counts an attempt; `undefined` if the adapter cannot. Any result except `true` means that it was not counted. */
  readonly countAttempt: ((attempt: CountedAttempt) => Promise<boolean>) | undefined
  /** Runs writes in a transaction; `undefined` if the adapter has no transactions. */
  readonly inTransaction:
    | (<Result>(work: (store: Store) => Promise<Result>) => Promise<Result>)
    | undefined
}

/** All methods of the adapter interface. */
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
 * Returns an adapter for the application: its own methods, with logging. `deleteUser` also deletes records in a
 * separate record store.
 */
export function wrappedAdapter(adapter: Adapter, store: Store): Adapter {
  const there = methods.filter((name) => typeof adapter[name] === 'function')
  return { ...Object.fromEntries(there.map((name) => [name, store[name]])), [atomic]: store.atomic }
}

/** Redacts positional arguments, which may be tokens. The logger redacts named members. */
function redactPositional(arg: unknown): unknown {
  return typeof arg === 'object' ? arg : '[redacted]'
}

/**
 * Ignores users that do not match exactly, since some stores ignore accents or spaces. The letter case may differ,
 * because other libraries store addresses as they were entered.
 */
function withExactMatching(store: Store): Store {
  return {
    ...store,
    async getUserByEmail(address) {
      const found = await store.getUserByEmail(address)
      return found && sameAddress(found.email, address) ? found : null
    },
    // Some adapters read first and delete then: within this process, at least, the calls do not overlap.
    useVerificationToken: (key) =>
      store.inTurn(`${key.token} ${key.identifier}`, () => store.useVerificationToken(key)),
  }
}

function sameAddress(stored: unknown, asked: string): boolean {
  return typeof stored === 'string' && lowerCase(stored) === lowerCase(asked)
}

/**
 * Wraps an adapter. Methods are looked up with each call, and called on the adapter itself.
 *
 * @param records the separate record store.
 */
export function createStore(adapter: Adapter, logger: Logger, records?: Adapter): Store {
  const abilities = adapter[atomic] ?? {}
  const ids = userIdsOf(adapter)
  const store: Record<string, unknown> = {
    atomic: wrapAbilities(adapter, logger, records),
    inTurn: (key: string, work: () => Promise<unknown>) => inTurn(adapter, key, work),
    countAttempt: abilities.countAttempt && counting(abilities, logger),
    inTransaction: abilities.transaction && transactions(abilities, logger, records),
  }
  for (const name of methods) {
    store[name] = async (...args: unknown[]): Promise<unknown> => {
      logger.debug(`adapter_${name}`, () => ({ args: args.map(redactPositional) }))
      const method = adapter[name] as Ability | undefined
      if (typeof method !== 'function') {
        throw new MissingAdapterMethods(
          `the adapter has no method ${name}; add it, or use another adapter`,
          { method: name },
        )
      }
      try {
        const converted = ids.toAdapter(name, args)
        const given = converted instanceof Promise ? await converted : converted
        let answer: unknown
        try {
          answer = await method.apply(adapter, [...given])
        } catch (error) {
          if (!(await isGone(error, adapter, name, given))) throw error
          answer = null
        }
        // Last, so that a failed deletion does not remove the second factor of the user.
        if (name === 'deleteUser') await records?.deleteUser?.(String(args[0]))
        return ids.fromAdapter(name, answer)
      } catch (error) {
        throw failed(error, name, logger)
      }
    }
  }
  return withExactMatching(store as unknown as Store)
}

type Ability = (...args: unknown[]) => unknown

/** Wraps the existing abilities in the same way as methods. */
function wrapAbilities(adapter: Adapter, logger: Logger, records?: Adapter): AtomicAbilities {
  // A transaction of the application receives the unwrapped adapter.
  const { transaction } = adapter[atomic] ?? {}
  const wrapped: Record<string, unknown> = { ...(transaction && { transaction }) }
  for (const name of abilityNames) {
    const owners = ownersOf(name, adapter, records)
    if (owners.length === 0) continue
    wrapped[name] = async (...args: unknown[]): Promise<unknown> => {
      logger.debug(`adapter_${name}`, () => ({ args: args.map(redactPositional) }))
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
      // Errors of methods inside are already wrapped and logged.
      throw isAuthError(error) ? error : failed(error, 'transaction', logger)
    }
  }
}

/** Milliseconds for which work waits in its queue. A call of the store that never answers must not keep a person out for good. */
const PATIENCE = 10_000

/** The last promise of each queue, by key. */
const queues = new WeakMap<Adapter, Map<string, Promise<unknown>>>()

async function inTurn<Result>(
  adapter: Adapter,
  key: string,
  work: () => Promise<Result>,
): Promise<Result> {
  let queue = queues.get(adapter)
  if (!queue) queues.set(adapter, (queue = new Map()))
  const before = queue.get(key)
  const turn = (before ? inTime(before, PATIENCE) : Promise.resolve()).then(work, work)
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
      // With an invalid date, an adapter might not count the attempt.
      if (Number.isNaN(attempt.expires.getTime()))
        throw new TypeError('`expires` must be a valid Date')
      const answer: unknown = await abilities.countAttempt?.(attempt)
      return answer === true
    } catch (error) {
      throw failed(error, 'countAttempt', logger)
    }
  }
}

/** Returns the error; in an edge runtime, one that names the runtime and the solution. */
function atTheEdge(error: unknown, method: string): unknown {
  if (!isEdgeRuntime()) return error
  const { message } = toError(error)
  return new Error(
    `${message} (adapter.${method}, in the edge runtime); if the adapter needs Node.js, use ` +
      '`splitConfig(config)` instead of the whole configuration here, or run this code on Node.js: docs/how-to/run-at-the-edge.md',
    { cause: error },
  )
}

function failed(error: unknown, method: string, logger: Logger): AdapterError {
  const wrapped = new AdapterError(toError(reasonOf(error, method)), { method })
  logger.error(wrapped)
  return wrapped
}

/** Returns the error, or one with the fix if it is known. */
function reasonOf(error: unknown, method: string): unknown {
  // An adapter of Latchkey has already added the command.
  if (error instanceof Error && missingTable(error.cause) !== undefined) return error
  const known = explained(error, 'create the tables that the documentation of the adapter lists')
  return known === error ? atTheEdge(error, method) : known
}
