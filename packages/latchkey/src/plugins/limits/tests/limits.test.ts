import { describe, expect, test } from 'vitest'
import {
  approve,
  createSite,
  locationOf,
  ORIGIN,
  PASSWORD,
} from '../../../../tests/attacks/support/site.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { type AuthConfig, createLatchkey } from '../../../entries/index.ts'
import { definePlugin, type Host } from '../../../entries/plugin.ts'
import { withClientAddress } from '../../../http/origin/client-address.ts'
import { type Adapter, type AtomicAbilities, atomic } from '../../../model/adapter.ts'
import type { World } from '../../../testing/world.ts'
import { createClients } from '../address.ts'
import { createProcessCounts } from '../counting/process-counts.ts'
import { type LimitsOptions, limits } from '../index.ts'

const HERE = '192.0.2.1'
const THERE = '198.51.100.7'

/** A site with the plugin, and how often its `authorize` ran. */
async function limitedSite(
  options: LimitsOptions = {},
  more: { config?: Partial<AuthConfig>; adapter?: Adapter } = {},
) {
  const tries: string[] = []
  const adapter = more.adapter ?? memoryAdapter()
  const site = await createSite({
    strategy: 'jwt',
    adapter,
    config: { plugins: [limits(options)] },
  })
  const providers = (site.config.providers ?? []).map((provider) => {
    const given = typeof provider === 'function' ? provider() : provider
    if (given.type !== 'credentials') return provider
    const { authorize } = given.options ?? given
    const counted: typeof authorize = (...asked) => {
      tries.push(String(asked[0]['username']))
      return authorize?.(...asked) ?? null
    }
    return { ...given, authorize: counted, options: { ...given.options, authorize: counted } }
  })
  const { world } = site
  Object.assign(world.config, { providers, ...more.config })
  const cookies = async (): Promise<{ token: string; cookie: string }> => {
    const { jar } = world
    const token = await world.csrfToken()
    return { token, cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') }
  }
  /** Posts a form from an address, or JSON. */
  const post = async (
    path: string,
    fields: Record<string, string> | string,
    from: string | undefined = HERE,
    headers: Record<string, string> = {},
  ): Promise<Response> => {
    const { token, cookie } = await cookies()
    const isJson = typeof fields === 'string'
    const body = isJson
      ? JSON.stringify({ csrfToken: token, ...JSON.parse(fields) })
      : new URLSearchParams({ csrfToken: token, ...fields })
    const request = new Request(ORIGIN + path, {
      method: 'POST',
      body,
      headers: { cookie, ...(isJson && { 'content-type': 'application/json' }), ...headers },
    })
    return world.core.auth(withClientAddress(request, from), world.config)
  }
  return { ...site, world, tries, post }
}

const GUESS = { username: 'ada', password: 'a guess' }
const guessAs = (username: string) => ({ username, password: 'a guess' })
const SIGN_IN = '/auth/callback/credentials'

describe('T-PWD-4: a sign-in with a password', () => {
  test('LIM-3: is allowed to one network 30 times in a quarter of an hour, for any names', async () => {
    const { post, tries, world } = await limitedSite()
    for (let i = 0; i < 30; i++) {
      expect((await post(SIGN_IN, guessAs(`user-${i}`))).status).toBe(302)
    }
    const refused = await post(SIGN_IN, guessAs('ada'))
    expect(refused.status).toBe(429)
    expect(tries).toHaveLength(30)
    expect((await post(SIGN_IN, { username: 'ada', password: PASSWORD }, THERE)).status).toBe(302)
    world.advance(15 * 60 + 1)
    expect((await post(SIGN_IN, guessAs('bob'))).status).toBe(302)
    expect(tries).toHaveLength(32)
  })

  test('LIM-3: is allowed for one user from one network 5 times in a minute', async () => {
    const { post, tries } = await limitedSite()
    for (const username of ['ada', 'ADA', 'Ada', ' ada', 'ada '])
      await post(SIGN_IN, guessAs(username))
    expect((await post(SIGN_IN, GUESS)).status).toBe(429)
    expect(tries).toHaveLength(5)
    expect((await post(SIGN_IN, guessAs('bob'))).status).toBe(302)
    expect((await post(SIGN_IN, GUESS, THERE)).status).toBe(302)
  })

  test('LIM-3: counts for one user, also with further fields and lists of JSON', async () => {
    const { post, tries } = await limitedSite()
    for (let i = 0; i < 5; i++) await post(SIGN_IN, { ...GUESS, email: `user-${i}` })
    for (const username of ['ada', 'ａｄａ', ['ada'], [['ADA']]])
      expect((await post(SIGN_IN, JSON.stringify({ ...GUESS, username }))).status).toBe(429)
    for (let i = 0; i < 5; i++)
      await post(SIGN_IN, JSON.stringify({ ...GUESS, username: ['ada', i] }))
    const other = await post(SIGN_IN, JSON.stringify({ ...GUESS, username: { eq: 'ada' } }))
    expect(other.status).toBe(429)
    expect(tries).toHaveLength(10)
  })

  test('LIM-3: is not allowed more often by 50 simultaneous requests than by 50 sequential ones', async () => {
    const { post, tries, world } = await limitedSite()
    await world.csrfToken()
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(SIGN_IN, GUESS)))
    expect(tries).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(45)
  })

  test('is counted when code calls `signIn`', async () => {
    const { post, tries, world } = await limitedSite()
    for (let i = 0; i < 5; i++) await post(SIGN_IN, GUESS)
    const { signIn } = createLatchkey(world.config, {})
    const request = withClientAddress(new Request(`${ORIGIN}/login`, { method: 'POST' }), HERE)
    // The limits of a configuration are kept in its store, by the clock of its world.
    world.advance((Date.now() - world.now()) / 1000)
    for (let i = 0; i < 5; i++) await signIn.result(request.clone(), 'credentials', GUESS)
    const answer = await signIn(request, 'credentials', GUESS)
    expect(locationOf(answer)).toBe(`${ORIGIN}/auth/error?error=TooManyAttempts`)
    expect(tries.length).toBeLessThanOrEqual(10)
    expect(await signIn.result(request, 'credentials', GUESS)).toMatchObject({
      error: 'TooManyAttempts',
    })
  })
})

describe('LIM-8: a refusal', () => {
  async function refusal(headers: Record<string, string> = {}, options: LimitsOptions = {}) {
    const rules = { 'credentials.sign-in': [{ by: 'network', limit: 1, window: 900 }] as const }
    const { post, world } = await limitedSite({ rules, ...options })
    await post(SIGN_IN, GUESS)
    world.advance(300)
    return post(SIGN_IN, GUESS, HERE, headers)
  }

  test('is a page that says how long to wait', async () => {
    const answer = await refusal({ accept: 'text/html' })
    expect(answer.status).toBe(429)
    const seconds = Number(answer.headers.get('retry-after'))
    expect(seconds).toBeGreaterThanOrEqual(600)
    expect(seconds).toBeLessThanOrEqual(990)
    const text = await answer.text()
    expect(text).toContain('<h1>Too many attempts</h1>')
    expect(text).toMatch(/Wait 1\d minutes, then try again\./)
  })

  test('reports the limit of the network to programs', async () => {
    const answer = await refusal({ 'x-auth-return-redirect': '1' })
    expect(answer.status).toBe(429)
    expect(answer.headers.get('ratelimit-policy')).toBe('"credentials-sign-in-network";q=1;w=900')
    expect(answer.headers.get('ratelimit')).toMatch(/^"credentials-sign-in-network";r=0;t=\d+$/)
    expect(await answer.json()).toEqual({
      error: 'TooManyAttempts',
      message: 'Too many attempts. Try again later.',
      url: `${ORIGIN}/auth/error?error=TooManyAttempts`,
    })
  })

  test('has no headers of limits if the option turns them off', async () => {
    const answer = await refusal({}, { headers: false })
    expect(answer.headers.has('ratelimit')).toBe(false)
    expect(answer.headers.has('retry-after')).toBe(true)
  })

  test('reveals nothing about attempts of others', async () => {
    const { post } = await limitedSite()
    for (let i = 0; i < 5; i++) await post(SIGN_IN, GUESS)
    const answer = await post(SIGN_IN, GUESS)
    expect(answer.headers.has('ratelimit')).toBe(false)
    expect(answer.headers.has('ratelimit-policy')).toBe(false)
  })
})

describe('a mailed link', () => {
  const send = '/auth/signin/email'

  test('LIM-6: is sent to one address 5 times an hour, for any network and spelling', async () => {
    const { post, mails } = await limitedSite()
    const ask = async (network: number, email: string) =>
      (await post(send, { email }, `203.0.113.${network}`)).status
    const floods = async (email: string, other: string) => {
      for (let i = 0; i < 5; i++) await ask(i, i % 2 ? email : other)
      // Each network has three for itself, of which the first five were some.
      expect([await ask(0, email), await ask(0, email), await ask(0, email)]).toEqual([
        302, 302, 429,
      ])
    }
    await floods('ADA@example.com', ' ada@example.com ')
    expect(mails).toHaveLength(7)
    // Also where nobody has the address: being limited says nothing.
    await floods('nobody@x.example', 'NOBODY@x.example')
  })

  test('LIM-6: goes to one address, in any spelling of its letters', async () => {
    const { post, mails } = await limitedSite()
    const spellings = ['ada', 'ａda', 'aｄa', 'adａ', '\u{1d41a}da', 'a\u{1d41d}a']
    const answers = []
    for (const name of spellings)
      answers.push((await post(send, { email: `${name}@example.com` })).status)
    expect(answers).toEqual([302, 302, 302, 302, 302, 429])
    expect(new Set(mails.map(({ identifier }) => identifier))).toEqual(new Set(['ada@example.com']))
  })

  test('LIM-6: is counted for the address that the application makes of the typed one', async () => {
    const mails: string[] = []
    const email = {
      id: 'email',
      name: 'Email',
      type: 'email' as const,
      normalizeIdentifier: (typed: string) => {
        if (!typed.includes('@')) throw new TypeError('no address')
        return typed.replace(/\+[^@]*/, '')
      },
      sendVerificationRequest: ({ identifier }: { identifier: string }) => {
        mails.push(identifier)
      },
    }
    const { post } = await limitedSite({}, { config: { providers: [email] } })
    for (let i = 0; i < 6; i++) await post(send, { email: `ada+${i}@example.com` })
    expect(mails).toEqual(Array.from({ length: 5 }, () => 'ada@example.com'))
    const refused = await post(send, { email: 'ada' })
    expect(locationOf(refused)).toContain('error=EmailSignin')
  })

  test('is sent 20 times an hour for one network', async () => {
    const { post, mails } = await limitedSite()
    for (let i = 0; i < 25; i++) await post(send, { email: `user${i}@x.example` })
    expect(mails).toHaveLength(20)
  })
})

test('failed callbacks of a sign-in of this browser are counted', async () => {
  const { post, world } = await limitedSite()
  const begun = await post('/auth/signin/acme', {})
  const path = approve(begun, 'carol').replace(/code=[^&]*/, 'error=access_denied')
  const cookie = begun.headers.getSetCookie().map((each) => each.split(';', 1)[0])
  const back = () => {
    const request = new Request(ORIGIN + path, { headers: { cookie: cookie.join('; ') } })
    return world.core.auth(withClientAddress(request, HERE), world.config)
  }
  for (let i = 0; i < 60; i++) expect((await back()).status).toBe(302)
  // The one that is over the limit is answered, and noted.
  expect((await back()).status).toBe(302)
  expect((await back()).status).toBe(429)
  expect((await post('/auth/signin/email', { email: 'ada@example.com' })).status).toBe(302)
})

test('LIM-4: a refused request costs the store nothing', async () => {
  const inner = memoryAdapter()
  let counted = 0
  const abilities = inner[atomic] as AtomicAbilities
  const adapter: Adapter = {
    ...inner,
    [atomic]: {
      ...abilities,
      countAttempt: (attempt) => {
        counted++
        return abilities.countAttempt?.(attempt) ?? false
      },
    },
  }
  const { post, world } = await limitedSite(
    { rules: { post: [{ by: 'network', limit: 1, window: 60 }] } },
    { adapter },
  )
  await post('/auth/signout', {})
  await post('/auth/signout', {})
  const before = counted
  for (let i = 0; i < 20; i++) expect((await post('/auth/signout', {})).status).toBe(429)
  expect(counted).toBe(before)
  world.advance(61)
  expect((await post('/auth/signout', {})).status).toBe(302)
})

test.each(['adapter', 'process'] as const)(
  'LIM-4: a refusal never lasts longer than the counted attempts, with `store: %s`',
  async (store) => {
    const rules = { 'credentials.sign-in': [{ by: 'network', limit: 2, window: 86_400 }] as const }
    const { post, world } = await limitedSite({ rules, store })
    await post(SIGN_IN, GUESS)
    await post(SIGN_IN, GUESS)
    world.advance(86_000)
    const refused = await post(SIGN_IN, GUESS)
    expect(refused.status).toBe(429)
    const seconds = Number(refused.headers.get('retry-after'))
    if (store === 'process') expect(seconds).toBeLessThanOrEqual(440)
    else expect(seconds).toBeGreaterThanOrEqual(86_400)
    world.advance(401)
    expect((await post(SIGN_IN, GUESS)).status).toBe(302)
  },
)

test('LIM-7: a store that fails allows no guesses', async () => {
  const inner = memoryAdapter()
  const adapter: Adapter = {
    ...inner,
    [atomic]: {
      ...inner[atomic],
      countAttempt: () => Promise.reject(new Error('the store is gone')),
    },
  }
  const { post, tries, world } = await limitedSite({}, { adapter })
  const answer = await post(SIGN_IN, { username: 'ada', password: PASSWORD })
  expect(locationOf(answer)).toBe(`${ORIGIN}/auth/error?error=Configuration`)
  expect(tries).toEqual([])
  expect(world.log.map(({ message }) => message)).toContain('the store is gone')
  // Nothing is guessed on the way to a provider.
  expect(locationOf(await post('/auth/signin/acme', {}))).toContain('https://acme.example/')
})

test('LIM-7: a process can count alone, and logs a warning about it', async () => {
  const { world } = await createSite({
    strategy: 'jwt',
    config: {
      plugins: [
        limits({ store: 'process', rules: { post: [{ by: 'site', limit: 2, window: 60 }] } }),
      ],
    },
  })
  expect((await world.post('/auth/signout')).status).toBe(302)
  expect((await world.post('/auth/signout')).status).toBe(302)
  expect((await world.post('/auth/signout')).status).toBe(429)
  const warned = world.log.filter(({ message }) => message === 'limits-in-process')
  expect(warned).toHaveLength(1)
})

test('LIM-1: clients without a known address share a limit that is ten times as wide', async () => {
  const rules = { post: [{ by: 'network', limit: 2, window: 60 }] as const }
  const { post, world } = await limitedSite({ rules })
  for (let i = 0; i < 20; i++) expect((await post('/auth/signout', {}, '')).status).toBe(302)
  expect((await post('/auth/signout', {}, '')).status).toBe(429)
  expect((await post('/auth/signout', {}, HERE)).status).toBe(302)
  const warned = world.log.filter(({ message }) => message === 'limits-unknown-client')
  expect(warned).toHaveLength(1)
})

test('networks can be exempt, and attempts at one address are still counted', async () => {
  const { post, mails } = await limitedSite({ exempt: ['192.0.2.0/24'] })
  for (let i = 0; i < 25; i++) await post('/auth/signin/email', { email: `user${i}@x.example` })
  expect(mails).toHaveLength(25)
  for (let i = 0; i < 6; i++) await post('/auth/signin/email', { email: 'ada@example.com' })
  expect(mails).toHaveLength(30)
})

describe('LIM-1: the address of the client', () => {
  const networkOf = async (
    from: string | undefined,
    headers: Record<string, string> = {},
    client?: LimitsOptions['client'],
  ) => {
    const request = withClientAddress(new Request(ORIGIN, { headers }), from)
    return (await createClients(client, [])).networksOf(request)?.own
  }
  const FORGED = {
    'x-forwarded-for': '203.0.113.66',
    'x-real-ip': '203.0.113.66',
    forwarded: 'for=203.0.113.66',
  }

  test('T-HOST-5: is read from no header without proxies', async () => {
    expect(await networkOf(HERE, FORGED)).toBe(HERE)
    expect(await networkOf(undefined, FORGED)).toBeUndefined()
  })

  test('is unknown behind a proxy that the options do not name', async () => {
    const list = { 'x-forwarded-for': '203.0.113.66' }
    for (const proxy of ['127.0.0.1', '::1', '10.0.0.1', '192.168.0.1', 'fd00::1'])
      expect(await networkOf(proxy, list)).toBeUndefined()
    expect(await networkOf('127.0.0.1')).toBe('127.0.0.1')
  })

  test('T-HOST-5: is the n-th entry from the right behind n proxies', async () => {
    const list = { 'x-forwarded-for': '203.0.113.66, 198.51.100.1 ,198.51.100.2' }
    expect(await networkOf('10.0.0.1', list, { hops: 1 })).toBe('198.51.100.2')
    expect(await networkOf('10.0.0.1', list, { hops: 2 })).toBe('198.51.100.1')
    expect(await networkOf('10.0.0.1', list, { hops: 4 })).toBe('10.0.0.1')
    expect(await networkOf('10.0.0.1', {}, { hops: 1 })).toBe('10.0.0.1')
    expect(await networkOf('10.0.0.1', { 'x-forwarded-for': 'unknown' }, { hops: 1 })).toBe(
      '10.0.0.1',
    )
  })

  test('T-HOST-5: is the last other entry behind proxies of known networks', async () => {
    const client = { proxies: ['10.0.0.0/8', '2001:db8:ffff::/48', '127.0.0.1'] }
    const list = { 'x-forwarded-for': '203.0.113.66, 198.51.100.1, 10.9.9.9' }
    expect(await networkOf('10.0.0.1', list, client)).toBe('198.51.100.1')
    expect(await networkOf('2001:db8:ffff::1', list, client)).toBe('198.51.100.1')
    expect(await networkOf('127.0.0.1', list, client)).toBe('198.51.100.1')
    expect(await networkOf(HERE, list, client)).toBe(HERE)
    expect(
      await networkOf(
        '10.0.0.1',
        { 'x-forwarded-for': '203.0.113.66, nonsense, 10.1.1.1' },
        client,
      ),
    ).toBe('10.1.1.1')
    expect(await networkOf(undefined, list, client)).toBeUndefined()
  })

  test('T-HOST-5: is in the header of the platform, if its proxies sent it', async () => {
    const client = { header: 'cf-connecting-ip' }
    const headers = { 'cf-connecting-ip': '198.51.100.1' }
    expect(await networkOf(undefined, headers, client)).toBe('198.51.100.1')
    expect(await networkOf(HERE, headers, { ...client, proxies: ['10.0.0.0/8'] })).toBe(HERE)
    expect(await networkOf('10.0.0.1', headers, { ...client, proxies: ['10.0.0.0/8'] })).toBe(
      '198.51.100.1',
    )
  })

  test.each([
    ['for=198.51.100.1', '198.51.100.1'],
    ['for=203.0.113.66, for=198.51.100.1;proto=https', '198.51.100.1'],
    ['proto=https; For="[2001:db8:1:2::1]:4711";by=10.0.0.1', '2001:db8:1:2::/64'],
    ['for=203.0.113.66, proto=https', '10.0.0.1'],
    ['for=203.0.113.66, for=unknown', '10.0.0.1'],
    ['198.51.100.1', '10.0.0.1'],
  ])(
    'T-HOST-5: is that of the last proxy in the header Forwarded, if it is named: %s',
    async (forwarded, network) => {
      const client = { header: 'Forwarded', proxies: ['10.0.0.0/8'] }
      expect(await networkOf('10.0.0.1', { forwarded }, client)).toBe(network)
      expect(await networkOf(HERE, { forwarded }, client)).toBe(HERE)
    },
  )

  test.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2:0:0:0:9', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]:4711', '2001:db8:1:2::/64'],
    ['"[2001:db8:1:2::1]:4711"', '2001:db8:1:2::/64'],
    [' 2001:db8:1:2::1 ', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1%eth0', '2001:db8:1:2::/64'],
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['[::ffff:192.0.2.1]:4711', '192.0.2.1'],
  ])(
    'T-HOST-5, GHSA-p6v2-xcpg-h6xw, LIM-2: is counted in one spelling: %s',
    async (spelling, network) => {
      const shown = await networkOf('10.0.0.1', { 'x-forwarded-for': spelling }, { hops: 1 })
      expect(shown?.replace(/(:0)+\/64$/, '::/64')).toBe(network)
    },
  )

  test.each([
    '',
    ' ',
    'unknown',
    '_hidden',
    '0x7f000001',
    '2130706433',
    '192.0.2',
    '192.0.2.01.1',
    '1.2.3.4.5',
    '300.1.1.1',
    ':::',
    '[::1',
    'a'.repeat(500),
    '192.0.2.1/24',
    '::1::',
    '192.0.2.1, ',
  ])('T-HOST-5: is not read from %j', async (text) => {
    expect(await networkOf('10.0.0.1', { 'x-forwarded-for': text }, { hops: 1 })).toBe('10.0.0.1')
  })

  test('LIM-2: is counted for a wide network of IPv6', async () => {
    const rules = { post: [{ by: 'network', limit: 2, window: 60 }] as const }
    const { post } = await limitedSite({ rules })
    const from = (i: number): string => `2001:db8:1:${i.toString(16)}::1`
    for (let i = 0; i < 10; i++) expect((await post('/auth/signout', {}, from(i))).status).toBe(302)
    expect((await post('/auth/signout', {}, from(11))).status).toBe(429)
    expect((await post('/auth/signout', {}, '2001:db8:2::1')).status).toBe(302)
  })
})

describe('a route of another plugin', () => {
  const asked: (keyof Host)[] = []
  const guesses = () =>
    definePlugin({
      name: 'guesses',
      routes: {
        guess: {
          POST: {
            who: 'anyone',
            limit: 'guess',
            run: async () => async () => ({ json: { right: false } }),
          },
        },
      },
      setUp: (host) => ({ api: { limit: host.limit }, own: asked }),
    })
  const JSON_OF_OURS = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
  const guess = (world: World) =>
    world.request('/auth/guess', { method: 'POST', headers: JSON_OF_OURS, body: '{}' })

  test('is counted by its name', async () => {
    const rules = { guess: [{ by: 'site', limit: 2, window: 60 }] as const }
    const { world } = await createSite({ config: { plugins: [guesses(), limits({ rules })] } })
    expect((await guess(world)).status).toBe(200)
    expect((await guess(world)).status).toBe(200)
    const refused = await guess(world)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('content-type')).toBe('application/problem+json')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(60)
    expect(await refused.json()).toMatchObject({ code: 'too_many_attempts', status: 429 })
  })

  test('LIM-8: says on its page how long to wait', async () => {
    const rules = { guess: [{ by: 'site', limit: 1, window: 900 }] as const }
    const { world } = await createSite({ config: { plugins: [guesses(), limits({ rules })] } })
    const html = { headers: { accept: 'text/html' } }
    await world.post('/auth/guess', {}, html)
    const refused = await world.post('/auth/guess', {}, html)
    expect(refused.status).toBe(429)
    const text = await refused.text()
    expect(text).toContain('<h1>Too many attempts</h1>')
    expect(text).toMatch(/Wait 1[5-7] minutes, then try again\./)
  })

  test('has no limit without the plugin limits', async () => {
    const { world } = await createSite({ config: { plugins: [guesses()] } })
    for (let i = 0; i < 5; i++) expect((await guess(world)).status).toBe(200)
  })

  test('stops the start if there is no rule for its limit', () => {
    const start = (rules: LimitsOptions['rules']) =>
      createLatchkey(
        {
          adapter: memoryAdapter(),
          secret: 'x'.repeat(32),
          providers: [],
          plugins: [guesses(), limits({ rules })],
        },
        {},
      )
    expect(() => start({ gues: [{ by: 'site', limit: 2, window: 60 }] })).toThrow(
      'the plugin guesses requires the limit "guess", but limits() has no rule for it',
    )
    expect(() => start({ guess: false })).not.toThrow()
  })

  test('reports the limit of its network', async () => {
    const rules = { guess: [{ by: 'network', limit: 1, window: 60 }] as const }
    const client = { header: 'x-test-client' }
    const { world } = await createSite({
      config: { plugins: [guesses(), limits({ rules, client })] },
    })
    const ask = () =>
      world.request('/auth/guess', {
        method: 'POST',
        headers: { ...JSON_OF_OURS, 'x-test-client': HERE },
        body: '{}',
      })
    await ask()
    expect(await (await ask()).json()).toMatchObject({
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      'violated-policies': ['guess-network'],
    })
  })
})

test.each([
  [{ store: 'disk' as 'process' }, "`store` must be 'adapter' or 'process', got \"disk\""],
  [{ client: { hops: 0 } }, '`client.hops` must be a whole number from 1 to 32, got 0'],
  [
    { client: 'x-real-ip' as never },
    '`client` must be { hops }, { proxies } or { header, proxies }, got a string',
  ],
  [{ client: {} as never }, '`client` must be { hops }, { proxies } or { header, proxies }'],
  [
    { client: { hops: 1, proxies: ['10.0.0.0/8'] } },
    '`client` must be { hops }, { proxies } or { header, proxies }, got {"hops":1,',
  ],
  [
    { client: { proxies: '10.0.0.0/8' as never } },
    '`client.proxies` must be a list of networks, got "10.0.0.0/8"',
  ],
  [
    { rules: { post: [{ by: 'planet' as 'site', limit: 1, window: 1 }] } },
    "`rules[\"post\"][0].by` must be 'network', 'identifier', 'pair', 'device', 'user', 'session' or 'site', got \"planet\"",
  ],
  [
    { rules: { post: [{ by: 'site', limit: 0, window: 1 }] } },
    '`rules["post"][0].limit` must be a whole number from 1 to 1000000, got 0',
  ],
] as const)('the option %j is refused', (options, message) => {
  expect(() => limits(options as LimitsOptions)).toThrow(message)
})

test('a store that cannot count is refused at the start', () => {
  const config = { secret: 'x'.repeat(32), trustHost: true, providers: [], plugins: [limits()] }
  expect(() => createLatchkey(config, {})).toThrow('the plugin limits needs an `adapter`')
})

test('a process holds a limited number of keys', () => {
  const { counts, refusals } = createProcessCounts(3)
  const now = new Date(0)
  const count = (key: string) => counts.count({ key, limit: 1, now, expires: new Date(1000) })
  expect(['a', 'b', 'c'].map(count)).toEqual([true, true, true])
  expect(count('a')).toBe(false)
  expect(count('d')).toBe(true)
  // The one that was asked for longest ago was forgotten.
  expect(count('b')).toBe(true)
  for (const key of ['a', 'b', 'c', 'd']) refusals.add(key, 1000, 0)
  expect(['a', 'b', 'c', 'd'].map((key) => refusals.until(key, 0))).toEqual([
    undefined,
    1000,
    1000,
    1000,
  ])
  expect(refusals.until('d', 1000)).toBeUndefined()
})
