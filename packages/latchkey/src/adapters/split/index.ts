import {
  type Adapter,
  type AdapterMethod,
  type AtomicAbilities,
  atomic,
} from '../../model/adapter.ts'
import type { AdapterSession } from '../../model/session.ts'
import type { AdapterUser } from '../../model/user.ts'
import { checkClient, checkNames } from '../expected.ts'
import { ownerMissing } from '../problems.ts'
import { recordsOnNeed } from '../records-on-need.ts'
import { type Guests, guestsOf } from './guests.ts'

export interface SplitAdapterOptions {
  /** Stores users, accounts, authenticators and the records of plugins. */
  readonly users: Adapter
  /**
   * Stores sessions, verification tokens, attempts and leases. It also stores each user who has a session, but only
   * with the id.
   */
  readonly sessions: Adapter
}

/**
 * Creates one adapter from two: users in a database, sessions in a store that is faster or deletes expired entries itself.
 *
 * @throws {TypeError} if `sessions` cannot store users, which it needs as the owners of sessions.
 */
export function splitAdapter(stores: SplitAdapterOptions): Adapter {
  checkNames('splitAdapter', stores, ['users', 'sessions'])
  checkClient('splitAdapter', stores.users, 'an adapter as `users`', [])
  checkClient('splitAdapter', stores.sessions, 'an adapter as `sessions`', [])
  const useRecords = stores.users[atomic]?.useRecords
  if (!useRecords) return adapterOf(stores)
  return recordsOnNeed((records) => {
    if (records) useRecords(stores.users)
    return adapterOf(stores)
  })
}

function adapterOf({ users, sessions }: SplitAdapterOptions): Adapter {
  return {
    ...forward(users, USER_METHODS),
    ...forward(sessions, SESSION_METHODS),
    ...together(users, sessions),
    [atomic]: {
      ...forward(users[atomic] ?? {}, USER_ABILITIES),
      ...forward(sessions[atomic] ?? {}, SESSION_ABILITIES),
      ...inBoth(users[atomic] ?? {}, sessions[atomic] ?? {}),
      ...transactions(users),
    },
  }
}

const USER_METHODS = [
  'createUser',
  'getUser',
  'getUserByEmail',
  'getUserByAccount',
  'updateUser',
  'linkAccount',
  'unlinkAccount',
  'getAccount',
  'createAuthenticator',
  'getAuthenticator',
  'listAuthenticatorsByUserId',
  'updateAuthenticatorCounter',
] as const satisfies AdapterMethod[]

const SESSION_METHODS = [
  'updateSession',
  'deleteSession',
  'createVerificationToken',
  'useVerificationToken',
] as const satisfies AdapterMethod[]

type Ability = keyof AtomicAbilities

const USER_ABILITIES = [
  'updateAccount',
  'listAccountsByUserId',
  'listUsers',
  'createRecord',
  'getRecord',
  'replaceRecord',
  'takeRecord',
  'listRecords',
] as const satisfies Ability[]

const SESSION_ABILITIES = [
  'renameSession',
  'countAttempt',
  'acquireLease',
  'listSessionsByUserId',
] as const satisfies Ability[]

/** Returns the existing methods, each called on its object. */
function forward<Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  names: readonly Name[],
): Pick<Owner, Name> {
  const there = names.filter((name) => typeof owner[name] === 'function')
  return Object.fromEntries(
    there.map((name) => [
      name,
      (...args: unknown[]) => (owner[name] as (...args: unknown[]) => unknown)(...args),
    ]),
  ) as Pick<Owner, Name>
}

/** The methods that use both stores. */
function together(users: Adapter, sessions: Adapter): Adapter {
  if (!sessions.createSession) return forward(users, ['deleteUser'])
  const guests = guestsOf(sessions)
  return {
    createSession: (session) => createSession(users, guests, session),
    async getSessionAndUser(sessionToken) {
      const found = await sessions.getSessionAndUser?.(sessionToken)
      const user = found && (await users.getUser?.(found.session.userId))
      return user ? { session: found.session, user } : null
    },
    ...(users.deleteUser ? { deleteUser: (id) => deleteUser(users, guests, id) } : {}),
  }
}

/** Checks afterwards whether the user exists, so that a user who is deleted meanwhile has no session. */
async function createSession(
  users: Adapter,
  guests: Guests,
  session: AdapterSession,
): Promise<AdapterSession> {
  const created = await guests.admit(session)
  if (await users.getUser?.(session.userId)) return created
  await guests.remove(session.userId)
  throw ownerMissing('session')
}

/**
 * Deletes the sessions first: if the rest fails, nobody is signed in. It deletes them again at the end, for sign-ins in
 * between. If that fails, the remaining sessions have no user, and another call removes them.
 */
async function deleteUser(
  users: Adapter,
  guests: Guests,
  id: string,
): Promise<AdapterUser | null | undefined | void> {
  const user = await users.getUser?.(id)
  await guests.remove(id, user?.email)
  const deleted = await users.deleteUser?.(id)
  await guests.remove(id)
  return deleted
}

/** The store of users has records. It may also have sessions and tokens from before the stores were split. */
function inBoth(users: AtomicAbilities, sessions: AtomicAbilities): AtomicAbilities {
  const { cleanup, deleteSessionsByUserId } = sessions
  return {
    ...((cleanup ?? users.cleanup) && {
      cleanup: async (options) =>
        Math.max((await cleanup?.(options)) ?? 0, (await users.cleanup?.(options)) ?? 0),
    }),
    ...(deleteSessionsByUserId && {
      deleteSessionsByUserId: async (id, except) =>
        (await deleteSessionsByUserId(id, except)) +
        ((await users.deleteSessionsByUserId?.(id, except)) ?? 0),
    }),
  }
}

/** Transactions only include the store of users: changes of the other store could not be undone. */
function transactions({ [atomic]: abilities }: Adapter): Pick<AtomicAbilities, 'transaction'> {
  if (!abilities?.transaction) return {}
  return {
    transaction: <Result>(work: (adapter: Adapter) => Promise<Result>) =>
      abilities.transaction?.((inside) =>
        work({
          ...forward(inside, USER_METHODS),
          [atomic]: forward(inside[atomic] ?? {}, USER_ABILITIES),
        }),
      ) as Promise<Result>,
  }
}
