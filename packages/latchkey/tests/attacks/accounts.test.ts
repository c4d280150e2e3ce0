import { afterEach, describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { type Adapter, atomic } from '../../src/model/adapter.ts'
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

describe.each(Object.entries(stores))('first sign-ins on %s', (_name, open) => {
  test('T-DATA-3: one that fails half-way leaves no user behind, and works the next time', async () => {
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

  test('T-LINK-4: of one person in fifty browsers make one user with one account', async () => {
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

test('T-LINK-4: with transactions all fifty are signed in', async () => {
  const site = await createSite({ adapter: memoryAdapter() })
  const ends = await Promise.all(
    Array.from({ length: 50 }, () => providerSignIn(site.world.otherBrowser(), 'acme')),
  )
  expect(ends.map(errorOf)).toEqual(Array.from({ length: 50 }, () => null))
})

test('T-DATA-3: a user that cannot be taken back is logged', async () => {
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
  const logged = site.world.log
    .filter(({ level }) => level === 'error')
    .map(({ message }) => message)
  expect(logged).toContain('no room for accounts')
  expect(logged).toContain('no deleting either')
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
      '(%j) makes no user where mail signs people in',
      async (verified) => {
        const site = await attack(verified)
        expect(errorOf(await providerSignIn(site.world, 'acme', 'eve'))).toBe(
          'OAuthAccountNotLinked',
        )
        expect(await site.adapter.getUserByEmail?.('dora@example.com')).toBeNull()
      },
    )

    test('makes a user where no mail signs people in', async () => {
      const { adapter, world } = await createSite({
        strategy,
        config: { providers: [acme(claims(false))] },
      })
      expect(errorOf(await providerSignIn(world, 'acme', 'eve'))).toBeNull()
      expect(await adapter.getUserByEmail?.('dora@example.com')).not.toBeNull()
    })

    test.each([false, 'false', 'False', 'FALSE', 0, '0'])(
      '(%j) joins nobody, whatever the provider may do',
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

    test.each([undefined, null, '', true, 'True', 1, '1'])(
      '(%j) is one only if the provider says so',
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
    test('are those of the latest sign-in; what it did not bring stays', async () => {
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
