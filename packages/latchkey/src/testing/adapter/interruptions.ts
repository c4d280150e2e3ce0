import { atomic } from '../../model/adapter.ts'
import {
  ACCOUNT_METHODS,
  type AdapterCase,
  AUTHENTICATOR_METHODS,
  type CompleteAdapter,
  type OpenedAdapter,
  RECORD_ABILITIES,
  SESSION_METHODS,
  TOKEN_METHODS,
} from './cases.ts'
import { expect } from './expect.ts'
import { withRequestedIds } from './own-ids.ts'
import {
  account,
  authenticator,
  NOW,
  record,
  replaced,
  session,
  take,
  token,
  user,
} from './resources.ts'

/** An interruption of a request that changes the store. */
export interface Interruption {
  /** The number of the request that fails, counted from now on. The first is 1. All others succeed. */
  readonly change: number
  /** Whether the store makes the change and only the response is lost. */
  readonly made: boolean
}

/** An adapter on an empty store whose connection the kit may interrupt. */
export type InterruptibleAdapter = OpenedAdapter & {
  /**
   * Makes a request fail, and replaces earlier interruptions.
   *
   * @returns a function that returns whether it has failed.
   */
  interrupt(interruption: Interruption): () => boolean
}

/** An operation with several steps, which is interrupted after each of them. */
export interface InterruptionCase extends Pick<AdapterCase, 'name' | 'requirements' | 'needs'> {
  prepare?(adapter: CompleteAdapter): unknown
  /** @param attempt 0, and 1 for the repetition. */
  act(adapter: CompleteAdapter, attempt: number): unknown
  /** Returns whether the operation is complete although it failed, because the store made the change. */
  done?(adapter: CompleteAdapter): Promise<boolean>
  /** Checks the state after the operation, at the first or the second attempt. */
  after(adapter: CompleteAdapter): Promise<unknown>
}

const other = user({ id: 'other', email: 'bob@x.example' })

const passkeyAccount = account({
  provider: 'passkey',
  type: 'webauthn',
  providerAccountId: authenticator().credentialID,
})

async function byAccount(adapter: CompleteAdapter): Promise<string | undefined> {
  const { provider, providerAccountId } = account()
  return (await adapter.getUserByAccount({ provider, providerAccountId }))?.id
}

export const interruptionCases: readonly InterruptionCase[] = [
  {
    name: 'after an interrupted creation, a user is stored completely or can be created',
    needs: ['createUser', 'getUser', 'getUserByEmail'],
    act: (adapter, attempt) => adapter.createUser(user({ id: `ada-${attempt}` })),
    async done(adapter) {
      const found = await adapter.getUserByEmail(user().email)
      const byId = await adapter.getUser('ada-0')
      if (byId) expect(found, 'the user by address').toEqual(byId)
      return found !== null
    },
    async after(adapter) {
      const found = await adapter.getUserByEmail(user().email)
      expect(found).toMatchObject({ name: user().name, email: user().email })
      expect(await adapter.getUser(found?.id ?? '')).toEqual(found)
    },
  },
  {
    name: 'after an interrupted change of address, a user is found and can be changed',
    needs: ['createUser', 'getUser', 'getUserByEmail', 'updateUser'],
    prepare: (adapter) => adapter.createUser(user()),
    act: (adapter) => adapter.updateUser({ id: user().id, email: 'new@x.example' }),
    async done(adapter) {
      const found = [
        await adapter.getUserByEmail(user().email),
        await adapter.getUserByEmail('new@x.example'),
      ].filter((each) => each !== null)
      expect(found, 'the user by the old and the new address').toHaveLength(1)
      return false
    },
    async after(adapter) {
      expect((await adapter.getUserByEmail('new@x.example'))?.id).toBe(user().id)
      expect(await adapter.getUserByEmail(user().email)).toBeNull()
      await adapter.createUser(user({ id: 'other' }))
      expect((await adapter.getUserByEmail(user().email))?.id).toBe('other')
    },
  },
  {
    name: 'after an interrupted link, an account is linked or can be linked',
    needs: ACCOUNT_METHODS,
    prepare: (adapter) => adapter.createUser(user()),
    act: (adapter) => adapter.linkAccount(account()),
    done: async (adapter) => (await byAccount(adapter)) === user().id,
    after: async (adapter) => expect(await byAccount(adapter)).toBe(user().id),
  },
  {
    name: 'T-LINK-8: entries whose creation was interrupted are removed with their user',
    requirements: ['A-22'],
    needs: [...ACCOUNT_METHODS, ...SESSION_METHODS, 'deleteUser'],
    prepare: (adapter) => adapter.createUser(user()),
    async act(adapter, attempt) {
      // Not repeated: the user is deleted instead.
      if (attempt > 0) return
      await adapter.linkAccount(account())
      await adapter.createSession(session())
    },
    async after(adapter) {
      await adapter.deleteUser(user().id)
      await adapter.createUser(user())
      await adapter.createUser(other)
      expect(await adapter.getSessionAndUser(session().sessionToken)).toBeNull()
      expect(await byAccount(adapter)).toBe(undefined)
      await adapter.linkAccount(account({ userId: 'other' }))
      expect(await byAccount(adapter)).toBe('other')
    },
  },
  {
    name: 'after an interrupted creation of a session, its user can get another session',
    needs: SESSION_METHODS,
    prepare: (adapter) => adapter.createUser(user()),
    act: (adapter, attempt) => adapter.createSession(session({ sessionToken: `t-${attempt}` })),
    async done(adapter) {
      return (await adapter.getSessionAndUser('t-0')) !== null
    },
    async after(adapter) {
      const found = await adapter.getSessionAndUser('t-0')
      const second = await adapter.getSessionAndUser('t-1')
      expect((found ?? second)?.user, 'who has a session').toMatchObject({ id: user().id })
    },
  },
  {
    name: 'T-SESS-5: an interrupted deletion of a session can be repeated',
    requirements: ['A-13'],
    needs: SESSION_METHODS,
    async prepare(adapter) {
      await adapter.createUser(user())
      await adapter.createSession(session())
    },
    act: (adapter) => adapter.deleteSession(session().sessionToken),
    after: async (adapter) =>
      expect(await adapter.getSessionAndUser(session().sessionToken)).toBeNull(),
  },
  {
    name: 'an interrupted unlinking can be repeated, and then the account can be linked again',
    requirements: ['A-13'],
    needs: [...ACCOUNT_METHODS, 'unlinkAccount'],
    async prepare(adapter) {
      await adapter.createUser(user())
      await adapter.createUser(other)
      await adapter.linkAccount(account())
    },
    act: (adapter) => adapter.unlinkAccount(account()),
    async after(adapter) {
      expect(await byAccount(adapter)).toBe(undefined)
      await adapter.linkAccount(account({ userId: 'other' }))
      expect(await byAccount(adapter)).toBe('other')
    },
  },
  {
    name: 'an interrupted unlinking of a passkey can be repeated, and then removes the passkey',
    requirements: ['A-13'],
    needs: [...ACCOUNT_METHODS, ...AUTHENTICATOR_METHODS, 'unlinkAccount'],
    async prepare(adapter) {
      await adapter.createUser(user())
      await adapter.linkAccount(passkeyAccount)
      await adapter.createAuthenticator(authenticator())
    },
    act: (adapter) => adapter.unlinkAccount(passkeyAccount),
    async after(adapter) {
      expect(await adapter.getUserByAccount(passkeyAccount)).toBeNull()
      expect(await adapter.getAuthenticator(authenticator().credentialID)).toBeNull()
    },
  },
  {
    name: 'T-LINK-8, T-SESS-5: an interrupted deletion of a user can be repeated, and is then complete',
    requirements: ['A-13', 'A-22'],
    needs: [...ACCOUNT_METHODS, ...SESSION_METHODS, 'getUser', 'getUserByEmail', 'deleteUser'],
    async prepare(adapter) {
      await adapter.createUser(user())
      // Not every adapter has these methods.
      await adapter.createVerificationToken?.(token())
      await adapter.createAuthenticator?.(authenticator())
      await adapter.linkAccount(account())
      await adapter.linkAccount(account({ providerAccountId: 'second' }))
      await adapter.createSession(session())
      await adapter.createSession(session({ sessionToken: 'second' }))
    },
    act: (adapter) => adapter.deleteUser(user().id),
    async after(adapter) {
      expect(await adapter.getUser(user().id)).toBeNull()
      expect(await adapter.getUserByEmail(user().email)).toBeNull()
      // A later user inherits nothing.
      await adapter.createUser(user())
      for (const sessionToken of [session().sessionToken, 'second'])
        expect(await adapter.getSessionAndUser(sessionToken)).toBeNull()
      expect(await byAccount(adapter)).toBe(undefined)
      expect((await adapter.useVerificationToken?.(token())) ?? null, 'a token').toBeNull()
      const { credentialID } = authenticator()
      expect((await adapter.getAuthenticator?.(credentialID)) ?? null, 'a passkey').toBeNull()
      await adapter.linkAccount(account())
      await adapter.linkAccount(account({ providerAccountId: 'second' }))
    },
  },
  {
    name: 'after an interrupted registration, a passkey is stored or can be registered',
    needs: AUTHENTICATOR_METHODS,
    prepare: (adapter) => adapter.createUser(user()),
    act: (adapter) => adapter.createAuthenticator(authenticator()),
    done: async (adapter) =>
      (await adapter.getAuthenticator(authenticator().credentialID)) !== null,
    async after(adapter) {
      expect(await adapter.getAuthenticator(authenticator().credentialID)).notToBeNull()
      expect(await adapter.listAuthenticatorsByUserId(user().id)).toHaveLength(1)
    },
  },
  {
    name: 'T-OTV-1: after an interrupted take, a verification token can be taken at most once',
    requirements: ['A-10'],
    needs: TOKEN_METHODS,
    prepare: (adapter) => adapter.createVerificationToken(token()),
    act: (adapter) => take(adapter, token()),
    after: async (adapter) => expect(await take(adapter, token())).toBeNull(),
  },
  {
    name: 'after an interrupted creation of a verification token, another one can be stored',
    needs: TOKEN_METHODS,
    act: (adapter, attempt) =>
      adapter.createVerificationToken(token({ token: `token-${attempt}` })),
    async after(adapter) {
      const taken = [
        await take(adapter, token({ token: 'token-0' })),
        await take(adapter, token({ token: 'token-1' })),
      ].filter((each) => each !== null)
      expect(taken.length > 0, 'whether a token can be taken').toBe(true)
    },
  },
  {
    name: 'after an interrupted creation, a record is stored completely or can be created, and is deleted with its user',
    requirements: ['A-22'],
    needs: [...RECORD_ABILITIES, 'deleteUser'],
    act: (adapter) => adapter[atomic].createRecord(record(), NOW),
    done: async (adapter) => (await adapter[atomic].getRecord(record())) !== null,
    async after(adapter) {
      const { kind, userId } = record()
      const { getRecord, listRecords } = adapter[atomic]
      expect(await getRecord(record())).toEqual(record())
      expect((await listRecords({ kind, userId, limit: 5 })).records).toEqual([record()])
      expect((await listRecords({ kind, limit: 5 })).records).toEqual([record()])
      await adapter.deleteUser(user().id)
      expect(await getRecord(record())).toBeNull()
    },
  },
  {
    name: 'after an interrupted replacement, a record is either the old one or the new one',
    needs: RECORD_ABILITIES,
    prepare: (adapter) => adapter[atomic].createRecord(record(), NOW),
    act: (adapter, attempt) => adapter[atomic].replaceRecord(replaced(record(), { attempt })),
    async after(adapter) {
      const found = await adapter[atomic].getRecord(record())
      expect(found).toMatchObject({ ...record(), version: 2, data: found?.data })
      expect(typeof found?.data['attempt']).toBe('number')
    },
  },
  {
    name: 'T-OTV-1: after an interrupted take, a record can be taken at most once, and can be created again',
    requirements: ['A-53'],
    needs: RECORD_ABILITIES,
    prepare: (adapter) => adapter[atomic].createRecord(record(), NOW),
    act: (adapter) => adapter[atomic].takeRecord(record()),
    async after(adapter) {
      const { kind, userId } = record()
      expect(await adapter[atomic].takeRecord(record())).toBeNull()
      expect((await adapter[atomic].listRecords({ kind, userId, limit: 5 })).records).toEqual([])
      expect(await adapter[atomic].createRecord(record(), NOW)).toBe(true)
      expect((await adapter[atomic].listRecords({ kind, userId, limit: 5 })).records).toEqual([
        record(),
      ])
    },
  },
  {
    name: 'T-LINK-8: an interrupted deletion of a user with records can be repeated, and is then complete',
    requirements: ['A-13', 'A-22'],
    needs: [...RECORD_ABILITIES, 'createUser', 'deleteUser'],
    async prepare(adapter) {
      await adapter.createUser(user())
      for (const each of ['one', 'two', 'three'])
        await adapter[atomic].createRecord(record({ key: each }), NOW)
    },
    act: (adapter) => adapter.deleteUser(user().id),
    async after(adapter) {
      for (const each of ['one', 'two', 'three'])
        expect(await adapter[atomic].getRecord(record({ key: each }))).toBeNull()
      const { kind, userId } = record()
      await adapter.createUser(user())
      expect((await adapter[atomic].listRecords({ kind, userId, limit: 5 })).records).toEqual([])
    },
  },
]

/**
 * Returns a client or connection whose calls fail when the kit says so.
 *
 * @param isChange whether a call changes the store.
 */
export function interruptible(
  isChange: (method: string, args: readonly unknown[]) => boolean,
): Pick<InterruptibleAdapter, 'interrupt'> & {
  wrap<Client extends object>(client: Client): Client
} {
  let current = { change: 0, made: false, happened: false }
  let changes = 0
  const breakOff = async (make: () => unknown): Promise<never> => {
    current.happened = true
    if (current.made) await make()
    throw new Error('the connection broke')
  }
  const wrapped = <Client extends object>(client: Client): Client =>
    new Proxy(client, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (name === atomic && member) return wrapped(member)
        if (typeof member !== 'function') return member
        return (...args: readonly unknown[]): unknown => {
          const make = () => member.apply(target, args) as unknown
          const breaks = isChange(String(name), args) && ++changes === current.change
          return breaks ? breakOff(make) : make()
        }
      },
    })
  return {
    wrap: wrapped,
    interrupt(interruption) {
      const next = { ...interruption, happened: false }
      current = next
      changes = 0
      return () => next.happened
    },
  }
}

/** Interrupts an operation at each of its changes, once before the change and once after it. */
export async function runInterrupted(
  rule: InterruptionCase,
  open: () => Promise<InterruptibleAdapter>,
): Promise<void> {
  for (const made of [false, true]) {
    let change = 1
    while (await interruptChange(rule, open, { change, made })) change++
    if (change === 1) throw new Error('nothing was interrupted')
  }
}

/** @returns whether the operation has this change. */
async function interruptChange(
  { prepare, act, done, after }: InterruptionCase,
  open: () => Promise<InterruptibleAdapter>,
  interruption: Interruption,
): Promise<boolean> {
  const opened = await open()
  try {
    const adapter = withRequestedIds(opened)
    await prepare?.(adapter)
    const happened = opened.interrupt(interruption)
    let failed = false
    try {
      await act(adapter, 0)
    } catch {
      failed = true
    }
    if (failed && !happened()) throw new Error('it failed without being interrupted')
    opened.interrupt({ change: 0, made: false })
    if (failed && !(await done?.(adapter))) await act(adapter, 1)
    await after(adapter)
    return happened()
  } catch (error) {
    const { change, made } = interruption
    const how = made ? 'was made without an answer' : 'was refused'
    throw new Error(`when change ${change} ${how}: ${String(error)}`, { cause: error })
  } finally {
    await opened[Symbol.asyncDispose]?.()
  }
}
