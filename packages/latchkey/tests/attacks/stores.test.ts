import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createMailbox, createWorld, type World } from '../../src/entries/testing.ts'
import type { Adapter } from '../../src/model/adapter.ts'
import { atomic } from '../../src/model/adapter.ts'
import Credentials from '../../src/providers/credentials.ts'

const SESSION = '__Secure-authjs.session-token'
const ADA = { id: 'u1', name: 'Ada', email: 'ada@example.com', emailVerified: null }
const plain = 'f0f0f0f0-0000-4000-8000-000000000000'

/** A store with a row as Auth.js wrote it, and without abilities beyond its contract. */
async function storeOfAuthJs(
  more: (store: Adapter) => Partial<Adapter> = () => ({}),
): Promise<Adapter> {
  const store = memoryAdapter()
  await store.createUser?.(ADA)
  await store.createSession?.({
    sessionToken: plain,
    userId: 'u1',
    expires: new Date(Date.UTC(2030, 0, 20)),
  })
  return { ...store, [atomic]: {}, ...more(store) }
}

function browserOf(adapter: Adapter): World {
  const world = createWorld({ adapter, providers: [Credentials({ authorize: () => ADA })] })
  world.jar.set(SESSION, plain)
  return world
}

describe('T-SESS-4: a session from the store of Auth.js', () => {
  test('is stored under its hash after a read, and nowhere else', async () => {
    const adapter = await storeOfAuthJs()
    const world = browserOf(adapter)
    expect((await world.session())?.user?.['name']).toBe('Ada')
    expect(await adapter.getSessionAndUser?.(plain)).toBeNull()
    expect((await world.session())?.user?.['name']).toBe('Ada')
  })

  test('is stored anew without members of the old row, for example its id', async () => {
    const created: object[] = []
    const adapter = await storeOfAuthJs((store) => ({
      async getSessionAndUser(token) {
        const found = (await store.getSessionAndUser?.(token)) ?? null
        return found && { ...found, session: { ...found.session, id: 'row-1' } }
      },
      createSession(session) {
        created.push(session)
        return store.createSession?.(session) ?? session
      },
    }))
    await browserOf(adapter).session()
    expect(created.map((session) => Object.keys(session).sort())).toEqual([
      ['expires', 'sessionToken', 'userId'],
    ])
  })

  test('survives many simultaneous reads', async () => {
    const world = browserOf(await storeOfAuthJs())
    const names = await Promise.all(
      Array.from({ length: 20 }, async () => (await world.session())?.user?.['name']),
    )
    expect(new Set(names)).toEqual(new Set(['Ada']))
    expect((await world.session())?.user?.['name']).toBe('Ada')
  })

  test('T-SESS-5: does not come back if the user signs out during a read', async () => {
    let signOut: (() => Promise<void>) | undefined
    const adapter = await storeOfAuthJs((store) => ({
      async createSession(session) {
        await signOut?.()
        return (await store.createSession?.(session)) ?? session
      },
    }))
    const world = browserOf(adapter)
    // Another process removes the row between the reader's two steps.
    signOut = async () => {
      signOut = undefined
      await adapter.deleteSession?.(plain)
    }
    expect(await world.session()).toBeNull()
    world.jar.set(SESSION, plain)
    expect(await world.session()).toBeNull()
  })
})

describe('T-DATA-2: a store that matches more than the exact value', () => {
  async function mailTo(stored: string, asked: string): Promise<unknown> {
    const store = memoryAdapter()
    await store.createUser?.({ ...ADA, email: stored })
    const mailbox = createMailbox()
    const world = createWorld({
      adapter: { ...store, getUserByEmail: async () => (await store.getUser?.('u1')) ?? null },
      session: { strategy: 'jwt' },
      providers: [mailbox.provider],
      callbacks: { session: ({ session, token }) => ({ ...session, id: token.sub }) },
    })
    await world.post('/auth/signin/email', { email: asked })
    await world.get(mailbox.last().url)
    return world.session()
  }

  test('does not sign in a user whose address has other accents', async () => {
    expect(await mailTo('ada@example.com', 'ada@exämple.com')).not.toMatchObject({ id: 'u1' })
  })

  test('signs in a user whose address was stored in capitals', async () => {
    expect(await mailTo('Ada@Example.com', 'ada@example.com')).toMatchObject({ id: 'u1' })
  })
})

test('T-SESS-13: an update cannot name another user, with any callback', async () => {
  const world = createWorld({
    providers: [Credentials({ authorize: () => ADA })],
    callbacks: {
      jwt: ({ token, trigger, session }) =>
        trigger === 'update' ? { ...token, ...(session as object) } : token,
      session: ({ session, token }) => ({ ...session, id: token.sub, nick: token['nick'] }),
    },
  })
  await world.post('/auth/callback/credentials')
  const csrfToken = await world.csrfToken()
  const body = JSON.stringify({ csrfToken, data: { sub: 'admin', exp: 9e9, nick: 'a' } })
  const headers = { 'content-type': 'application/json' }
  const answer = await world.request('/auth/session', { method: 'POST', headers, body })
  expect(await answer.json()).toMatchObject({ id: 'u1', nick: 'a' })
})

for (const answer of [new Error('no'), Response.json({}), new URL('https://app.example/no')]) {
  test(`T-FLOW-2: a signIn callback that returns ${answer.constructor.name} lets nobody in`, async () => {
    const world = createWorld({
      providers: [Credentials({ authorize: () => ADA })],
      callbacks: { signIn: () => answer as unknown as boolean },
    })
    const end = await world.post('/auth/callback/credentials')
    expect(end.headers.get('location')).toBe('https://app.example/auth/error?error=AccessDenied')
    expect(await world.session()).toBeNull()
  })
}

test('a session reports the end of its cookie, also if its token would last longer', async () => {
  const world = createWorld({
    providers: [Credentials({ authorize: () => ADA })],
    session: { maxAge: 60, updateAge: 30 },
    jwt: { maxAge: 600 },
  })
  await world.post('/auth/callback/credentials')
  expect((await world.session())?.expires).toBe('2030-01-01T00:01:00.000Z')
})

test('T-OTV-2: a browser that requested a link of one provider is not known to another', async () => {
  const { provider, last } = createMailbox()
  const world = createWorld({
    adapter: memoryAdapter(),
    providers: [
      { ...provider, id: 'one' },
      { ...provider, id: 'two' },
    ],
  })
  await world.post('/auth/signin/one', { email: 'ada@example.com' })
  const elsewhere = last().url.replace('/callback/one', '/callback/two')
  const answer = await world.get(elsewhere)
  expect([answer.status, await world.session()]).toEqual([200, null])
})

test('T-AUD-1: session tokens in calls of the adapter are not logged', async () => {
  const world = browserOf(await storeOfAuthJs())
  await world.session()
  expect(world.log.map(({ message }) => message)).toContain('adapter_getSessionAndUser')
  expect(JSON.stringify(world.log)).not.toContain(plain)
})

test('T-WEB-3: pages cannot be framed, also in browsers that know the older header only', async () => {
  const world = createWorld({ providers: [Credentials({ authorize: () => ADA })] })
  const page = await world.get('/auth/signin')
  expect(page.headers.get('x-frame-options')).toBe('DENY')
})
