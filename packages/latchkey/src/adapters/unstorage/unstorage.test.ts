import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createStorage } from 'unstorage'
import fsDriver from 'unstorage/drivers/fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeAdapter, sideBySide } from '../../../tests/contracts/adapter-contract.ts'
import { createMailbox } from '../../entries/testing.ts'
import { type Adapter, atomic } from '../../model/adapter.ts'
import type { AdapterUser } from '../../model/user.ts'
import { validate } from '../../option-checks/validate.ts'
import {
  type CompleteAdapter,
  interruptible,
  type StoredRecords,
} from '../../testing/adapter/index.ts'
import { unstorageAdapter } from './index.ts'
import { createKeys } from './keys.ts'

let folder: string
let stores = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-unstorage-'))
})
afterAll(() => rm(folder, { recursive: true }))

const inMemory = () => createStorage()
const inFiles = () => createStorage({ driver: fsDriver({ base: join(folder, String(++stores)) }) })

function outOfOrder() {
  const fail = () => Promise.reject(new Error('down'))
  const driver = { name: 'down', hasItem: fail, getItem: fail, getItemRaw: fail, getKeys: fail }
  return createStorage({ driver })
}

const openTwo = (storage: ReturnType<typeof inMemory>) =>
  sideBySide(() => unstorageAdapter(storage, { exclusive: true }))

const without = ['transaction'] as const
describeAdapter('unstorage (memory)', () => openTwo(inMemory()), {
  without,
  failing: async () => unstorageAdapter(outOfOrder(), { exclusive: true }),
  async interruptible() {
    const isChange = (method: string) => method === 'setItem' || method === 'removeItem'
    const { wrap, interrupt } = interruptible(isChange)
    return { ...unstorageAdapter(wrap(inMemory()), { exclusive: true }), interrupt }
  },
  async readable() {
    const storage = inMemory()
    const keys = createKeys('')
    /** What lies under a key, with its dates. */
    async function read<Stored>({ own }: { own: string }): Promise<Stored | null> {
      const found = (await storage.getItem(own)) as Record<string, unknown> | null
      for (const name of ['expires', 'emailVerified']) {
        if (typeof found?.[name] === 'string') found[name] = new Date(found[name])
      }
      return found as Stored | null
    }
    const db: StoredRecords = {
      user: (id) => read(keys.user(id)),
      account: (key) => read(keys.account(key)),
      session: (token) => read(keys.session(token)),
      verificationToken: (key) => read(keys.token(key)),
      authenticator: (id) => read(keys.authenticator(id)),
    }
    return { ...unstorageAdapter(storage, { exclusive: true }), db }
  },
})
describeAdapter('unstorage (files)', () => openTwo(inFiles()), {
  without,
})

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
}

const ada: AdapterUser = { id: '1', name: 'Ada', email: 'ada@x.example', emailVerified: null }
const expires = new Date('2030-01-01T00:00:00.123Z')
const account = { userId: '1', type: 'oauth', provider: 'acme', providerAccountId: '7' } as const
const passkey = {
  userId: '1',
  providerAccountId: 'ab/cd==',
  credentialID: 'ab/cd==',
  credentialPublicKey: 'key',
  counter: 0,
  credentialDeviceType: 'singleDevice',
  credentialBackedUp: false,
}

function open(storage = inMemory(), options = { exclusive: true }) {
  const adapter = unstorageAdapter(storage, options) as CompleteAdapter
  return { storage, adapter, atomic: adapter[atomic] }
}

describe('with unstorage', () => {
  test('reads leave nothing in memory, if nothing is written', async () => {
    const { adapter } = open()
    await adapter.createUser(ada)
    const read: WeakRef<AdapterUser>[] = []
    for (let times = 0; times < 10; times++) {
      const user = await adapter.getUser('1')
      if (user) read.push(new WeakRef(user))
    }
    await pause(0)
    collectGarbage()
    // The last one this function may still have.
    expect(read.slice(0, -1).filter((each) => each.deref() !== undefined)).toEqual([])
  })

  test('methods that need exclusive access are missing, unless the process has the driver to itself', () => {
    const { adapter } = open(inMemory(), { exclusive: false })
    expect(adapter).not.toHaveProperty('createVerificationToken')
    expect(adapter).not.toHaveProperty('useVerificationToken')
    expect(Object.keys(adapter[atomic])).toEqual([
      'listSessionsByUserId',
      'listAccountsByUserId',
      'listUsers',
    ])
    expect(adapter).toHaveProperty('createSession')
  })

  test('T-DATA-1: e-mail sign-in is refused if other processes write to the storage', () => {
    const { provider: mail } = createMailbox()
    const fault = (adapter: Adapter) =>
      validate({ providers: [], trustHost: true, secret: 'x'.repeat(32), adapter }, [mail]).fault
    expect(fault(unstorageAdapter(inMemory()))?.type).toBe('MissingAdapterMethods')
    expect(fault(unstorageAdapter(inMemory(), { exclusive: true }))).toBeUndefined()
  })

  test('T-OTV-1: two adapters on one storage let one take a verification token', async () => {
    const storage = inFiles()
    const adapters = [open(storage).adapter, open(storage).adapter]
    const token = { identifier: 'a@x.example', token: 't', expires }
    await adapters[0]?.createVerificationToken(token)
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, index) => adapters[index % 2]?.useVerificationToken(token)),
    )
    expect(taken.filter(Boolean)).toEqual([token])
  })

  test('a failure does not block other calls', async () => {
    const { adapter } = open()
    await expect(adapter.updateUser({ id: 'nobody' })).rejects.toThrow(
      'the user to update does not exist',
    )
    await adapter.createUser(ada)
    expect(await adapter.getUser('1')).toMatchObject(ada)
  })

  test('keys are those of the adapter for @auth/core, unless a driver would refuse them', async () => {
    const { storage, adapter } = open()
    await adapter.createUser(ada)
    await adapter.createUser({ ...ada, id: 'email', email: `${'l'.repeat(250)}@x.example` })
    await adapter.linkAccount(account)
    await adapter.linkAccount({ ...account, provider: 'by-user-id', providerAccountId: 'a:b/c?' })
    await adapter.createSession({ sessionToken: 's', userId: '1', expires })
    await adapter.createAuthenticator(passkey)
    await adapter.createVerificationToken({ identifier: '', token: '..', expires })
    const long = `${'l'.repeat(200)}%:${'l'.repeat(50)}@x.example`
    expect((await storage.getKeys()).toSorted()).toEqual(
      [
        'authenticator:ab%u002fcd==',
        'authenticator:by-user-id:1',
        'user:%u0065mail',
        'user:1',
        'user:account:%u0062y-user-id:a%u003ab%u002fc%u003f',
        'user:account:acme:7',
        'user:account:by-user-id:1',
        'user:email:ada@x.example',
        `user:email:${long}`,
        'user:session:by-user-id:1',
        'user:session:s',
        'user:token:%:%u002e%u002e',
        'user:token:by-identifier:%',
      ].toSorted(),
    )
    expect(await storage.getItem('user:account:acme:7')).toEqual({ ...account, id: 'acme:7' })
    expect(await storage.getItem('authenticator:by-user-id:1')).toEqual(['ab/cd=='])
  })

  test('data of the adapter for @auth/core is read, changed and removed', async () => {
    const { storage, adapter, atomic } = open()
    const rows: Record<string, unknown> = {
      'user:1': { ...ada, emailVerified: '2026-02-03T04:05:06.789Z' },
      'user:email:ada@x.example': '1',
      'user:account:acme:7': { ...account, id: 'acme:7' },
      'user:account:by-user-id:1': 'user:account:acme:7',
      'user:session:s': { sessionToken: 's', userId: '1', expires },
      'user:session:by-user-id:1': 'user:session:s',
      'authenticator:ab/cd==': passkey,
      'authenticator:by-user-id:1': ['ab/cd=='],
    }
    for (const [key, row] of Object.entries(rows)) {
      await storage.setItem(key, typeof row === 'string' ? row : JSON.stringify(row))
    }
    const user = { ...ada, image: null, emailVerified: new Date('2026-02-03T04:05:06.789Z') }
    const session = { sessionToken: 's', userId: '1', expires }
    expect(await adapter.getUserByEmail(ada.email)).toEqual(user)
    expect(await adapter.getUserByAccount(account)).toEqual(user)
    expect(await adapter.getSessionAndUser('s')).toEqual({ session, user })
    expect(await adapter.listAuthenticatorsByUserId('1')).toEqual([
      { ...passkey, transports: null },
    ])
    await adapter.updateAuthenticatorCounter('ab/cd==', 5)
    expect(await adapter.getAuthenticator('ab/cd==')).toMatchObject({ counter: 5 })
    await adapter.createSession({ ...session, sessionToken: 's2' })
    await adapter.linkAccount({ ...account, providerAccountId: '8' })
    expect(await atomic.listSessionsByUserId('1')).toHaveLength(2)
    expect(await atomic.listAccountsByUserId('1')).toHaveLength(2)
    expect(await atomic.listUsers({ limit: 9 })).toEqual({ users: [user], next: null })
    await adapter.deleteUser('1')
    expect(await storage.getKeys()).toEqual([])
  })

  test('leftover keys of the adapter for @auth/core block no new user or account', async () => {
    const { storage, adapter } = open()
    await storage.setItem('user:1', JSON.stringify(ada))
    await storage.setItem('user:email:old@x.example', '1')
    await storage.setItem('user:account:acme:7', JSON.stringify({ ...account, userId: '9' }))
    expect(await adapter.getUserByEmail('old@x.example')).toBeNull()
    await adapter.createUser({ ...ada, id: '2', email: 'old@x.example' })
    await adapter.linkAccount({ ...account, userId: '2' })
    expect(await adapter.getUserByAccount(account)).toMatchObject({ id: '2' })
  })

  test('nothing is left of a deleted user', async () => {
    const { storage, adapter } = open(inFiles())
    await adapter.createUser({ ...ada, email: 'old@x.example' })
    await adapter.updateUser({ id: '1', email: ada.email })
    await adapter.linkAccount({ ...account, type: 'webauthn', providerAccountId: 'ab/cd==' })
    await adapter.createAuthenticator(passkey)
    await adapter.createSession({ sessionToken: 's', userId: '1', expires })
    await adapter.createVerificationToken({ identifier: ada.email, token: 't', expires })
    await adapter.deleteUser('1')
    expect(await storage.getKeys()).toEqual([])
  })

  test('cleaning up removes expired attempts', async () => {
    const { storage, atomic } = open()
    const now = new Date('2029-12-31T00:00:00.000Z')
    await atomic.countAttempt({ key: 'k', limit: 2, now, expires })
    await atomic.countAttempt({ key: 'k', limit: 2, now, expires: now })
    await atomic.cleanup({ now: expires, batch: 9 })
    expect(await storage.getKeys()).toEqual(['user:attempts:k'])
    expect(await atomic.cleanup({ now: new Date(expires.getTime() + 1), batch: 9 })).toBe(1)
    expect(await storage.getKeys()).toEqual([])
  })

  test('a driver that fails is not the same as no result', async () => {
    const file = join(folder, 'a-file')
    await writeFile(file, '')
    const { adapter } = open(createStorage({ driver: fsDriver({ base: file }) }))
    await expect(adapter.getUser('1')).rejects.toThrow('ENOTDIR')
  })

  test('half of a record is not a record', async () => {
    const { storage, adapter } = open()
    await storage.setItem('user:1', '{"id":"1","na')
    await expect(adapter.getUser('1')).rejects.toThrow('is not a record')
  })

  test('T-DATA-5: a prefix keeps two stores apart', async () => {
    const storage = inMemory()
    const [one, other] = ['one:', 'other:'].map((prefix) => unstorageAdapter(storage, { prefix }))
    await one?.createUser?.(ada)
    expect(await other?.getUser?.('1')).toBeNull()
    expect(await other?.[atomic]?.listUsers?.({ limit: 9 })).toEqual({ users: [], next: null })
  })

  test('creating an adapter sends no request to the storage', () => {
    const never = () => {
      throw new Error('it was asked')
    }
    const storage = { getItem: never, setItem: never, removeItem: never, getKeys: never }
    expect(unstorageAdapter(storage)).toHaveProperty('createUser')
  })
})
