import type { AdapterAccount, TokenSet } from '../../model/account.ts'
import {
  type Adapter,
  AdapterConflict,
  type AtomicAbilities,
  atomic,
  type ConflictKind,
  type UserAdapter,
} from '../../model/adapter.ts'
import type { AdapterSession } from '../../model/session.ts'
import type { AdapterUser } from '../../model/user.ts'
import { checkClient, checkNames, type Mistaken } from '../expected.ts'
import { checkPage } from '../paging.ts'
import { checkCounter, missing, ownerMissing } from '../problems.ts'
import {
  checkLease,
  given,
  parseRecord,
  type RecordName,
  type Records,
  toJson,
} from '../records.ts'
import type { RedisClient } from './client.ts'
import { createEngine, type Engine, time } from './engine.ts'
import { createKeys, type Keys } from './keys.ts'
import { recordAbilities } from './records.ts'
import * as scripts from './scripts.ts'

export {
  fromIoredis,
  fromNodeRedis,
  fromUpstash,
  type IoredisClient,
  type NodeRedisClient,
  type RedisClient,
  type UpstashClient,
} from './client.ts'

export interface RedisAdapterOptions {
  /**
   * The beginning of all keys, for example `app:`.
   *
   * In a cluster it needs a hash tag, for example `{app}:`, so that all keys are in one slot, on one machine. Without
   * it, the cluster refuses the first write.
   *
   * @default ''
   */
  readonly prefix?: string | undefined
}

/** Clients that need a function around them. */
const MISTAKEN: readonly Mistaken[] = [
  {
    what: 'a client of redis',
    has: ['evalSha', 'sendCommand'],
    write: 'redisAdapter(fromNodeRedis(client))',
  },
  {
    what: 'a client of ioredis',
    has: ['evalsha', 'duplicate'],
    write: 'redisAdapter(fromIoredis(client))',
  },
  {
    what: 'a client of @upstash/redis',
    has: ['evalsha'],
    write: 'redisAdapter(fromUpstash(client))',
  },
]

function checkRedis(client: unknown): void {
  const expected = 'the result of fromNodeRedis, fromIoredis or fromUpstash'
  checkClient('redisAdapter', client, expected, ['eval', 'evalSha'], MISTAKEN)
}

/**
 * Creates an adapter that stores everything in Redis, Valkey or a compatible server with Lua scripts.
 *
 * @param client the result of {@link fromNodeRedis}, {@link fromIoredis} or {@link fromUpstash}.
 */
export function redisAdapter(client: RedisClient, options: RedisAdapterOptions = {}): UserAdapter {
  checkRedis(client)
  checkNames('redisAdapter', options, ['prefix'])
  const { prefix = '' } = options
  const store: Store = { keys: createKeys(prefix), engine: createEngine(client, prefix) }
  return {
    ...accountMethods(store),
    ...sessionMethods(store),
    ...tokenMethods(store),
    ...authenticatorMethods(store),
    ...userMethods(store),
    [atomic]: abilities(store),
  }
}

interface Store {
  readonly engine: Engine
  readonly keys: Keys
}

type AccountKey = Pick<AdapterAccount, 'provider' | 'providerAccountId'>

function userMethods({ engine, keys }: Store): UserAdapter {
  return {
    async createUser(user) {
      const text = toJson(user)
      const users = [keys.user(user.id), keys.users, ...emailKeys(keys, user)]
      const answer = await engine.word(scripts.createUser, users, user.id, text, user.email ?? '')
      if (answer !== 'done') throw new AdapterConflict(answer as ConflictKind)
      return parseRecord('user', text)
    },
    getUser: (id) => engine.record('user', scripts.read, [keys.user(id)]),
    getUserByEmail: (address) =>
      engine.record('user', scripts.userByEmail, [keys.email(address)], address),
    getUserByAccount: ({ provider, providerAccountId }) =>
      engine.record(
        'user',
        scripts.userByAccount,
        [keys.account({ provider, providerAccountId })],
        provider,
        providerAccountId,
      ),
    async updateUser(changes) {
      const key = keys.user(changes.id)
      const user = await change(engine, 'user', key, changes, async (before, after, user) => {
        const [oldEmail = key] = emailKeys(keys, parseRecord('user', before))
        const [newEmail = key] = emailKeys(keys, user)
        const all = [key, keys.users, oldEmail, newEmail]
        const args = [user.id, before, after, user.email ?? '']
        const answer = await engine.word(scripts.updateUser, all, ...args)
        if (answer === 'user.email') throw new AdapterConflict(answer)
        return answer
      })
      if (!user) throw missing('user')
      return user
    },
    deleteUser: (id) =>
      engine.record(
        'user',
        scripts.deleteUser,
        [
          keys.user(id),
          keys.users,
          keys.sessions,
          keys.tokens,
          keys.accountsOf(id),
          keys.sessionsOf(id),
          keys.authenticatorsOf(id),
          keys.recordsOfUser(id),
        ],
        id,
      ),
  }
}

/** Required by the types, but a provider may return none. */
function emailKeys(keys: Keys, { email }: AdapterUser): string[] {
  return email ? [keys.email(email)] : []
}

function accountMethods({ engine, keys }: Store): Adapter {
  return {
    async linkAccount(account) {
      const { provider, providerAccountId, userId } = account
      // Adapters of Auth.js with this layout require an id, which Latchkey does not use.
      const text = toJson({ ...account, id: `${provider}:${providerAccountId}` })
      const all = [keys.user(userId), keys.account(account), keys.accountsOf(userId)]
      created('account', await engine.word(scripts.createOwned, all, text))
      return parseRecord('account', text)
    },
    async unlinkAccount({ provider, providerAccountId }) {
      const key = keys.account({ provider, providerAccountId })
      const account = await engine.record(
        'account',
        scripts.unlinkAccount,
        [key],
        provider,
        providerAccountId,
      )
      return account ?? undefined
    },
    async getAccount(providerAccountId, provider) {
      const key = keys.account({ provider, providerAccountId })
      const account = await engine.record('account', scripts.read, [key])
      return account?.provider === provider && account.providerAccountId === providerAccountId
        ? account
        : null
    },
  }
}

function sessionMethods(store: Store): Adapter {
  const { engine, keys } = store
  return {
    async createSession(session) {
      const { sessionToken, userId, expires } = session
      const text = toJson(session)
      const all = [
        keys.user(userId),
        keys.session(sessionToken),
        keys.sessions,
        keys.sessionsOf(userId),
      ]
      created('session', await engine.word(scripts.createSession, all, text, time(expires)))
      return parseRecord('session', text)
    },
    async getSessionAndUser(sessionToken) {
      const [session, user] = await engine.texts(scripts.sessionAndUser, [
        keys.session(sessionToken),
      ])
      if (session === undefined || user === undefined) return null
      return { session: parseRecord('session', session), user: parseRecord('user', user) }
    },
    updateSession: (changes) => changeSession(store, changes.sessionToken, changes),
    deleteSession: (sessionToken) =>
      engine.record('session', scripts.takeSession, [keys.session(sessionToken), keys.sessions]),
  }
}

/** Changes a session. Another token in `changes` also changes the key. */
function changeSession(
  { engine, keys }: Store,
  sessionToken: string,
  changes: Partial<AdapterSession>,
): Promise<AdapterSession | null> {
  const key = keys.session(sessionToken)
  return change(engine, 'session', key, changes, async (before, after, session) => {
    const next = keys.session(session.sessionToken)
    const all = [key, next, keys.sessions, keys.sessionsOf(session.userId)]
    const answer = await engine.word(
      scripts.changeSession,
      all,
      before,
      after,
      time(session.expires),
    )
    if (answer === 'taken') throw new AdapterConflict('session')
    return answer
  })
}

function tokenMethods({ engine, keys }: Store): Adapter {
  return {
    async createVerificationToken({ identifier, token, expires }) {
      const text = toJson({ identifier, token, expires })
      const all = [keys.token({ identifier, token }), keys.tokens, keys.tokensOf(identifier)]
      created('verificationToken', await engine.word(scripts.createToken, all, text, time(expires)))
      return parseRecord('verificationToken', text)
    },
    async useVerificationToken({ identifier, token }) {
      // The link of a mail may lack the address. The token alone finds nothing.
      if (identifier === undefined) return null
      const all = [keys.token({ identifier, token }), keys.tokens, keys.tokensOf(identifier)]
      const taken = await engine.record('verificationToken', scripts.takeToken, all)
      if (taken?.identifier !== identifier || taken.token !== token) return null
      return { identifier, token, expires: taken.expires }
    },
  }
}

function authenticatorMethods({ engine, keys }: Store): Adapter {
  return {
    async createAuthenticator(authenticator) {
      const { credentialID, userId } = authenticator
      const text = toJson(authenticator)
      const all = [
        keys.user(userId),
        keys.authenticator(credentialID),
        keys.authenticatorsOf(userId),
      ]
      created('authenticator', await engine.word(scripts.createOwned, all, text))
      return parseRecord('authenticator', text)
    },
    getAuthenticator: (credentialID) =>
      engine.record('authenticator', scripts.read, [keys.authenticator(credentialID)]),
    listAuthenticatorsByUserId: (userId) =>
      list(engine, 'authenticator', keys.authenticatorsOf(userId), userId),
    async updateAuthenticatorCounter(credentialID, counter) {
      const key = keys.authenticator(credentialID)
      const updated = await change(engine, 'authenticator', key, { counter }, (before, after) => {
        checkCounter(parseRecord('authenticator', before).counter, counter)
        return engine.word(scripts.replace, [key], before, after)
      })
      if (!updated) throw missing('authenticator')
      return updated
    },
  }
}

function abilities(store: Store): AtomicAbilities {
  const { engine, keys } = store
  return {
    renameSession: async (from, to) =>
      (await changeSession(store, from, { sessionToken: to })) !== null,
    async updateAccount(changes: AccountKey & TokenSet) {
      const key = keys.account(changes)
      const updated = await change(engine, 'account', key, changes, (before, after) =>
        engine.word(scripts.replace, [key], before, after),
      )
      return updated !== null
    },
    async countAttempt({ key, limit, now, expires }) {
      const args = [String(limit), time(now), time(expires)]
      return (await engine.number(scripts.countAttempt, [keys.attempts(key)], ...args)) === 1
    },
    async acquireLease({ name, now, expires }) {
      checkLease({ now, expires })
      const args = [time(now), time(expires)]
      return (await engine.number(scripts.acquireLease, [keys.lease(name)], ...args)) || null
    },
    cleanup: ({ now, batch }) =>
      engine.number(
        scripts.cleanup,
        [keys.sessions, keys.tokens, keys.expiringRecords],
        time(now),
        String(batch),
      ),
    listSessionsByUserId: (userId) => list(engine, 'session', keys.sessionsOf(userId), userId),
    listAccountsByUserId: (userId) => list(engine, 'account', keys.accountsOf(userId), userId),
    deleteSessionsByUserId: (userId, except) => {
      const staying = except === undefined ? [] : [keys.session(except)]
      const all = [keys.sessionsOf(userId), keys.sessions, ...staying]
      return engine.number(scripts.endSessions, all, userId)
    },
    async listUsers({ limit, after }) {
      checkPage({ limit, after })
      const start = after === undefined ? '' : `=${after}`
      const one = String(limit + 1)
      const found = await engine.texts(scripts.listUsers, [keys.users], start, one)
      const page = found.slice(0, 2 * limit)
      return {
        users: page
          .filter((text, place) => place % 2 === 1 && text !== '')
          .map((text) => parseRecord('user', text)),
        next: found.length > page.length ? (page.at(-2) ?? null) : null,
      }
    },
    ...recordAbilities(store),
  }
}

async function list<Name extends RecordName>(
  engine: Engine,
  name: Name,
  index: string,
  userId: string,
): Promise<Records[Name][]> {
  const texts = await engine.texts(scripts.list, [index], userId)
  return texts.map((text) => parseRecord(name, text))
}

/**
 * Changes members of an entry. It writes only if the entry is the one that was read; otherwise it reads it again.
 *
 * @param write receives the stored text and the new one, and returns `again` if the stored text is another one.
 * @returns the new entry; `null` if there is none.
 */
async function change<Name extends RecordName>(
  engine: Engine,
  name: Name,
  key: string,
  changes: Partial<Records[Name]>,
  write: (before: string, after: string, changed: Records[Name]) => Promise<string>,
): Promise<Records[Name] | null> {
  for (;;) {
    const [before = ''] = await engine.texts(scripts.read, [key])
    if (before === '') return null
    const after = toJson({ ...(JSON.parse(before) as object), ...given(changes) })
    const changed = parseRecord(name, after)
    if ((await write(before, after, changed)) !== 'again') return changed
  }
}

function created(name: ConflictKind, answer: string): void {
  if (answer === 'missing') throw ownerMissing(name)
  if (answer === 'taken') throw new AdapterConflict(name)
}
