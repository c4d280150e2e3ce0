import { afterEach, describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import type { AdapterAccount } from '../../src/model/account.ts'
import { type Adapter, atomic } from '../../src/model/adapter.ts'
import type { AdapterUser } from '../../src/model/user.ts'
import { wrapped } from '../support/recording.ts'
import {
  acme,
  askForLink,
  createSite,
  errorOf,
  providerSignIn,
  SESSION_COOKIE,
  type Site,
  sqlStore,
  strategies,
} from './support/site.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** As an adapter that was written for Auth.js: the same methods, and nothing else. */
function plain(adapter: Adapter): Adapter {
  const { [atomic]: _, ...methods } = adapter
  return methods
}

const stores: Readonly<Record<string, () => Promise<Adapter>>> = {
  memory: async () => memoryAdapter(),
  'memory without transactions': async () => plain(memoryAdapter()),
  sqlite: async () => {
    const { adapter, close } = await sqlStore()
    closers.push(close)
    return adapter
  },
  'sqlite without transactions': async () => {
    const { adapter, close } = await sqlStore()
    closers.push(close)
    return plain(adapter)
  },
}

/** Fails at the next call of a method, once armed. */
function failingOnce(inner: Adapter, name: string): { adapter: Adapter; arm(): void } {
  let armed = false
  const adapter = wrapped(inner, (method, run) => (...args) => {
    if (method !== name || !armed) return run(...args)
    armed = false
    throw new Error('the store is gone for a moment')
  })
  return {
    adapter,
    arm: () => {
      armed = true
    },
  }
}

async function carol({ adapter }: Site) {
  return adapter.getUserByEmail?.('carol@example.com')
}

describe.each(Object.entries(stores))('a first sign-in on %s', (_name, open) => {
  test('T-DATA-3: that fails half-way leaves no user behind, and works the next time', async () => {
    for (const method of ['createUser', 'linkAccount']) {
      const { adapter, arm } = failingOnce(await open(), method)
      const site = await createSite({ adapter })
      arm()
      expect(errorOf(await providerSignIn(site.world, 'acme'))).toBe('Configuration')
      expect(site.world.jar.has(SESSION_COOKIE)).toBe(false)
      expect(await carol(site)).toBeNull()
      expect(errorOf(await providerSignIn(site.world, 'acme'))).toBeNull()
      expect(await carol(site)).toMatchObject({ email: 'carol@example.com' })
    }
  })

  test('T-LINK-4: in fifty browsers of one person makes one user with one account', async () => {
    const site = await createSite({ adapter: await open() })
    const ends = await Promise.all(
      Array.from({ length: 50 }, () => providerSignIn(site.world.otherBrowser(), 'acme')),
    )
    const errors = new Set(ends.map(errorOf))
    expect(
      [...errors].filter((error) => error !== null && error !== 'OAuthAccountNotLinked'),
    ).toEqual([])
    expect(errors).toContain(null)
    const user = await carol(site)
    expect(await site.adapter.getAccount?.('carol', 'acme')).toMatchObject({ userId: user?.id })
    expect(errorOf(await providerSignIn(site.world.otherBrowser(), 'acme'))).toBeNull()
  })
})

test('T-LINK-4: fifty simultaneous first sign-ins all succeed with transactions', async () => {
  const site = await createSite({ adapter: memoryAdapter() })
  const ends = await Promise.all(
    Array.from({ length: 50 }, () => providerSignIn(site.world.otherBrowser(), 'acme')),
  )
  expect(ends.map(errorOf)).toEqual(Array.from({ length: 50 }, () => null))
})

const errorsIn = ({ world }: Site): string[] =>
  world.log.filter(({ level }) => level === 'error').map(({ message }) => message)

const methodsIn = ({ writes }: Site): string[] => writes.map(({ method }) => method)

test('T-DATA-3: a store with transactions undoes writes by itself', async () => {
  const { adapter, arm } = failingOnce(memoryAdapter(), 'linkAccount')
  const site = await createSite({ adapter })
  arm()
  expect(errorOf(await providerSignIn(site.world, 'acme'))).toBe('Configuration')
  expect(methodsIn(site)).toEqual(['createUser', 'linkAccount'])
  expect(await carol(site)).toBeNull()
})

test('T-DATA-3: if nothing was written, nothing is undone', async () => {
  const { adapter, arm } = failingOnce(plain(memoryAdapter()), 'createUser')
  const site = await createSite({ adapter })
  arm()
  expect(errorOf(await providerSignIn(site.world, 'acme'))).toBe('Configuration')
  expect(methodsIn(site)).toEqual(['createUser'])
  expect(new Set(errorsIn(site))).toEqual(new Set(['the store is gone for a moment']))
})

test('T-DATA-3: a user from a call that failed is removed', async () => {
  const adapter = wrapped(plain(memoryAdapter()), (method, run) => async (...args) => {
    const answer = await run(...args)
    if (method !== 'createUser' || !JSON.stringify(args).includes('carol')) return answer
    throw new Error('the answer was lost')
  })
  const site = await createSite({ adapter })
  expect(errorOf(await providerSignIn(site.world, 'acme'))).toBe('Configuration')
  expect(await carol(site)).toBeNull()
  expect(new Set(errorsIn(site))).toEqual(new Set(['the answer was lost']))
})

describe.each([
  ['nothing', undefined],
  ['null', null],
  ['a user without an id', { name: 'carol', email: 'carol@example.com', emailVerified: null }],
])('T-FLOW-3: a store that returns %s for a new user', (_what, given) => {
  const silent = (inner: Adapter): Adapter =>
    wrapped(inner, (method, run) => async (...args) => {
      const answer = await run(...args)
      return method === 'createUser' && JSON.stringify(args).includes('carol') ? given : answer
    })

  test('signs nobody in by a provider, and no user is left behind', async () => {
    const site = await createSite({ adapter: silent(plain(memoryAdapter())) })
    expect(errorOf(await providerSignIn(site.world, 'acme'))).toBe('Configuration')
    const logged = site.world.log.findLast(({ level }) => level === 'error')
    expect(logged).toMatchObject({
      message: 'the adapter returned a user without an id; return the stored user with its `id`',
      detail: { cause: { method: 'createUser' } },
    })
    expect(await site.world.session()).toBeNull()
    expect(await carol(site)).toBeNull()
    expect(methodsIn(site)).toEqual(['createUser', 'deleteUser'])
  })

  test.each(strategies)('signs nobody in by mail, with %s sessions', async (strategy) => {
    const site = await createSite({ strategy, adapter: silent(memoryAdapter()) })
    const end = await site.world.get(await askForLink(site, 'carol@example.com'))
    expect(errorOf(end)).toBe('Configuration')
    expect(site.world.jar.has(SESSION_COOKIE)).toBe(false)
  })
})

test('T-DATA-3: a user that cannot be deleted, because the adapter lacks the method, is logged', async () => {
  const { deleteUser: _, ...inner } = plain(memoryAdapter())
  const { adapter, arm } = failingOnce(inner, 'linkAccount')
  const site = await createSite({ adapter })
  arm()
  expect(errorOf(await providerSignIn(site.world, 'acme'))).toBe('Configuration')
  const lacking = 'the adapter has no method deleteUser; add it, or use another adapter'
  expect(errorsIn(site).filter((message) => message === lacking)).toHaveLength(1)
  expect(errorsIn(site).at(-1)).toBe('the store is gone for a moment')
})

describe('T-LINK-4: if another process was faster,', () => {
  const theirs = { id: 'theirs', name: 'carol', email: 'carol@example.com', emailVerified: null }
  const account = {
    userId: 'theirs',
    type: 'oauth',
    provider: 'acme',
    providerAccountId: 'carol',
  } as const

  /** Something else happens in the store right before a method is first called for Carol. */
  function siteWith(
    name: 'createUser' | 'linkAccount',
    meanwhile: (inner: Required<Adapter>) => Promise<unknown>,
    more: object = {},
  ): Promise<Site> {
    const inner = plain(memoryAdapter()) as Required<Adapter>
    let isOver = false
    const adapter = wrapped(inner, (method, run) => async (...args) => {
      if (method === name && !isOver && JSON.stringify(args).includes('carol')) {
        isOver = true
        await meanwhile(inner)
      }
      return run(...args)
    })
    return createSite({ adapter, config: { providers: [acme(more)] } })
  }

  async function ownerOfAccount({ adapter }: Site) {
    return (await adapter.getUserByAccount?.(account))?.id
  }

  test('the visitor is signed in as the user of that process', async () => {
    const site = await siteWith('createUser', async (inner) => {
      await inner.createUser(theirs)
      await inner.linkAccount(account)
    })
    expect(errorOf(await providerSignIn(site.world, 'acme'))).toBeNull()
    expect((await site.world.session())?.user?.['email']).toBe('carol@example.com')
    expect(await ownerOfAccount(site)).toBe('theirs')
  })

  test('the user of this process is removed', async () => {
    const request = () => ({ id: 'carol' })
    const site = await siteWith(
      'linkAccount',
      async (inner) => {
        await inner.createUser({ ...theirs, email: null as unknown as string })
        await inner.linkAccount(account)
      },
      { userinfo: { url: 'https://acme.example/user', request } },
    )
    expect(errorOf(await providerSignIn(site.world, 'acme'))).toBeNull()
    expect((await site.world.session())?.user?.['name']).toBe('carol')
    expect(await ownerOfAccount(site)).toBe('theirs')
    const made = site.writes.find(({ method }) => method === 'createUser')?.args[0] as AdapterUser
    expect(await site.adapter.getUser?.(made.id)).toBeNull()
  })

  test.each([
    [false, 'OAuthAccountNotLinked', undefined],
    [true, null, 'theirs'],
  ])(
    'with the address only, the rule for linking by address decides: %s',
    async (allowDangerousEmailAccountLinking, error, owner) => {
      const site = await siteWith('createUser', async (inner) => inner.createUser(theirs), {
        allowDangerousEmailAccountLinking,
      })
      expect(errorOf(await providerSignIn(site.world, 'acme'))).toBe(error)
      expect(await ownerOfAccount(site)).toBe(owner)
    },
  )

  test('the first failure is the reported one, even if the store fails once more', async () => {
    let isGone = false
    const inner = plain(memoryAdapter())
    const adapter = wrapped(inner, (method, run) => (...args) => {
      if (method === 'createUser' && JSON.stringify(args).includes('carol')) {
        isGone = true
        throw new Error('no room for users')
      }
      if (isGone) throw new Error('the store is gone')
      return run(...args)
    })
    const site = await createSite({ adapter })
    expect(errorOf(await providerSignIn(site.world, 'acme'))).toBe('Configuration')
    expect(errorsIn(site)).toContain('the store is gone')
    expect(errorsIn(site).at(-1)).toBe('no room for users')
  })
})

/** A store that looks before it writes, takes its time in between, and keeps nothing unique. */
function looseStore() {
  const users: AdapterUser[] = []
  const accounts: AdapterAccount[] = []
  const pause = () => new Promise((resolve) => setImmediate(resolve))
  const adapter: Adapter = {
    async createUser(user) {
      await pause()
      users.push(user)
      return user
    },
    async getUser(id) {
      await pause()
      return users.find((user) => user.id === id) ?? null
    },
    async getUserByEmail(email) {
      await pause()
      return users.find((user) => user.email === email) ?? null
    },
    async getUserByAccount({ provider, providerAccountId }) {
      await pause()
      const account = accounts.find(
        (each) => each.provider === provider && each.providerAccountId === providerAccountId,
      )
      return users.find(({ id }) => id === account?.userId) ?? null
    },
    async linkAccount(account) {
      await pause()
      accounts.push(account)
      return account
    },
  }
  return { adapter, users, accounts }
}

/** Says no address. */
const nameless = (id: string) =>
  acme({ id, userinfo: { url: 'https://acme.example/user', request: idOf } })

const idOf = ({ tokens }: { tokens: { access_token?: string } }) => ({
  id: tokens.access_token?.slice('access-'.length),
})

describe('T-LINK-4: simultaneous sign-ins on a store without unique keys', () => {
  test('with one address at two providers make one user', async () => {
    const { adapter, users } = looseStore()
    const providers = [acme(), acme({ id: 'other' })]
    const { world } = await createSite({ strategy: 'jwt', adapter, config: { providers } })
    const ends = await Promise.all(
      ['acme', 'other'].map((id) => providerSignIn(world.otherBrowser(), id)),
    )
    expect(new Set(ends.map(errorOf))).toEqual(new Set([null, 'OAuthAccountNotLinked']))
    expect(users.filter(({ email }) => email === 'carol@example.com')).toHaveLength(1)
  })

  test('with one account without an address make one user', async () => {
    const { adapter, users, accounts } = looseStore()
    const config = { providers: [nameless('acme')] }
    const { world } = await createSite({ strategy: 'jwt', adapter, config })
    const ends = await Promise.all(
      Array.from({ length: 5 }, () => providerSignIn(world.otherBrowser(), 'acme')),
    )
    expect(ends.map(errorOf)).toEqual([null, null, null, null, null])
    expect(users.filter(({ name }) => name === 'carol')).toHaveLength(1)
    expect(accounts).toHaveLength(1)
  })
})

test.each([
  ['with an address', acme],
  ['without one', () => nameless('acme')],
])('a visitor %s does not wait for the sign-in of another one', async (_what, provider) => {
  const inner = memoryAdapter()
  let goOn: (() => void) | undefined
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const adapter = wrapped(plain(inner), (method, run) => async (...args) => {
    if (method === 'createUser' && JSON.stringify(args).includes('carol')) await held
    return run(...args)
  })
  const { world } = await createSite({ adapter, config: { providers: [provider()] } })
  const slow = providerSignIn(world.otherBrowser(), 'acme', 'carol')
  expect(errorOf(await providerSignIn(world.otherBrowser(), 'acme', 'dora'))).toBeNull()
  goOn?.()
  expect(errorOf(await slow)).toBeNull()
})

test('T-DATA-3: a user that cannot be removed is logged once', async () => {
  const inner = plain(memoryAdapter())
  const site = await createSite({
    adapter: {
      ...inner,
      linkAccount: async () => {
        throw new Error('no room for accounts')
      },
      deleteUser: async () => {
        throw new Error('no deleting either')
      },
    },
  })
  expect(errorOf(await providerSignIn(site.world, 'acme'))).toBe('Configuration')
  expect(errorsIn(site)).toEqual([
    'no room for accounts',
    'no deleting either',
    // Once where it happened, and once as the end of the request.
    'no room for accounts',
  ])
})

describe.each(strategies)(
  'T-LINK-2: an address that its provider denies, with %s sessions',
  (strategy) => {
    const claims = (verified: unknown) => ({
      userinfo: {
        url: 'https://acme.example/user',
        request: () => ({ id: 'eve', email: 'dora@example.com', email_verified: verified }),
      },
    })
    async function attack(verified: unknown, more: object = {}): Promise<Site> {
      const usual = await createSite()
      const [password, mail] = usual.config.providers ?? []
      if (!password || !mail) throw new Error('the site has changed')
      const providers = [password, mail, acme({ ...claims(verified), ...more })]
      const site = await createSite({ strategy, config: { providers } })
      return { ...site, mails: usual.mails }
    }

    test.each([false, 'false', 'False', 'FALSE', 0, '0'])(
      '(%j) creates no user if mail signs people in',
      async (verified) => {
        const site = await attack(verified)
        expect(errorOf(await providerSignIn(site.world, 'acme', 'eve'))).toBe(
          'OAuthAccountNotLinked',
        )
        expect(await site.adapter.getUserByEmail?.('dora@example.com')).toBeNull()
      },
    )

    test('creates a user if no mail signs people in', async () => {
      const { adapter, world } = await createSite({
        strategy,
        config: { providers: [acme(claims(false))] },
      })
      expect(errorOf(await providerSignIn(world, 'acme', 'eve'))).toBeNull()
      expect(await adapter.getUserByEmail?.('dora@example.com')).not.toBeNull()
    })

    test.each([false, 'false', 'False', 'FALSE', 0, '0'])(
      '(%j) joins nobody, for any option of the provider',
      async (verified) => {
        const site = await attack(verified, { allowDangerousEmailAccountLinking: true })
        const dora = site.world.otherBrowser()
        await dora.get(await askForLink({ ...site, world: dora }, 'dora@example.com'))
        expect(dora.jar.has(SESSION_COOKIE)).toBe(true)
        expect(errorOf(await providerSignIn(site.world, 'acme', 'eve'))).toBe(
          'OAuthAccountNotLinked',
        )
        expect(await site.adapter.getAccount?.('eve', 'acme')).toBeNull()
      },
    )

    test.each([undefined, null, '', true, 'True', 1, '1', '10', '0x1', 'falsey', 'not false'])(
      '(%j) is no denial, and signs the user in',
      async (verified) => {
        const site = await attack(verified, { allowDangerousEmailAccountLinking: true })
        expect(errorOf(await providerSignIn(site.world, 'acme', 'eve'))).toBeNull()
      },
    )
  },
)

describe.each(Object.entries(stores).filter(([name]) => !name.includes('without')))(
  'T-OIDC-15: tokens on %s',
  (_name, open) => {
    test('are those of the latest sign-in, and older ones stay if it has none', async () => {
      let round = 0
      const adapter = await open()
      const answers = [
        { access_token: 'first', refresh_token: 'only once', token_type: 'bearer', expires_in: 60 },
        { access_token: 'second', token_type: 'bearer', scope: 'read' },
      ]
      const usual = await createSite()
      const provider = acme({
        token: {
          url: 'https://acme.example/token',
          conform: () => Response.json(answers[round++]),
        },
        userinfo: {
          url: 'https://acme.example/user',
          request: () => ({ id: 'carol', email: 'carol@example.com' }),
        },
      })
      const site = await createSite({
        adapter,
        config: { providers: [...(usual.config.providers ?? []).slice(0, 1), provider] },
      })
      await providerSignIn(site.world, 'acme')
      const before = await adapter.getAccount?.('carol', 'acme')
      expect(before).toMatchObject({ access_token: 'first', refresh_token: 'only once' })
      await providerSignIn(site.world.otherBrowser(), 'acme')
      expect(await adapter.getAccount?.('carol', 'acme')).toEqual({
        ...before,
        access_token: 'second',
        scope: 'read',
      })
    })
  },
)
