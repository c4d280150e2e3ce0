import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { encodeBase64url } from '../../src/base/encoding/base64url.ts'
import type { Adapter } from '../../src/model/adapter.ts'
import type { RecordKey } from '../../src/model/record.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'
import { tokens } from '../../src/plugins/tokens/index.ts'
import type { World } from '../../src/testing/world.ts'
import { type RevocationsOptions, revocations } from '../../src/verifier/revocations.ts'
import { createTokenVerifier, createVerifier } from '../../src/verifier/session-verifier.ts'
import {
  createSite,
  ORIGIN,
  passwordSignIn,
  SECRET,
  SESSION_COOKIE,
} from '../attacks/support/site.ts'
import { abilitiesOf, apiOf, idOf, postJson, requestOf, siteOf } from '../support/sessions-site.ts'
import { API, ISSUER, keysOf, oneApi, tokenOf } from '../support/tokens-site.ts'

const URL_OF_ENDPOINT = `${ORIGIN}/auth/revocations`

/** Whoever is between a verifier and the application. */
type Proxy = (request: Request, on: (request: Request) => Promise<Response>) => Promise<Response>

interface Setting extends Partial<RevocationsOptions> {
  readonly proxy?: Proxy
  readonly secret?: string | readonly string[]
  readonly world?: World
}

beforeAll(() => {
  // The verifier has the clocks of its machine, and the world its own.
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.UTC(2030, 0, 1) })
})
afterEach(() => vi.setSystemTime(Date.UTC(2030, 0, 1)))
afterAll(() => vi.useRealTimers())

async function siteWithEndpoint(
  secret: string | readonly string[] = SECRET,
  callbacks: AuthConfig['callbacks'] = {},
) {
  const options = { revocations: { endpoint: true }, touch: 0 }
  const { world } = await siteOf('jwt', {
    adapter: memoryAdapter(),
    options,
    config: { secret, callbacks },
  })
  await passwordSignIn(world)
  return world
}

/** The newest record of the log of ended sessions. */
async function lastOf(world: World): Promise<{ seq: number; key: RecordKey }> {
  const { records = [] } =
    (await abilitiesOf(world).listRecords?.({ kind: 'revocation-log', limit: 1000 })) ?? {}
  const seq = Math.max(...records.map(({ key }) => Number(key)))
  return { seq, key: { kind: 'revocation-log', key: String(seq) } }
}

/** Gives a record of the log another id, as after a backup from which the log went on alike. @returns the id. */
async function restored(world: World, key: RecordKey): Promise<string> {
  const { takeRecord, createRecord } = abilitiesOf(world)
  const record = await takeRecord?.(key)
  if (!record) throw new Error('the log has no such record')
  const id = encodeBase64url(crypto.getRandomValues(new Uint8Array(16)))
  await createRecord?.({ ...record, version: 1, data: { ...record.data, id } }, new Date())
  return id
}

/** A verifier elsewhere, and what it asked. */
function verifierOf(world: World, { proxy, secret = SECRET, ...options }: Setting = {}) {
  const asked: { readonly path: string; readonly status: number; readonly length: number }[] = []
  const on = async (request: Request) => {
    const response = await world.core.auth(request, world.config)
    const length = (await response.clone().arrayBuffer()).byteLength
    asked.push({ path: new URL(request.url).pathname, status: response.status, length })
    return response
  }
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    return proxy ? proxy(request, on) : on(request)
  }
  const logged: string[] = []
  const verify = createVerifier(
    {
      secret,
      trustHost: true,
      logger: {
        error: ({ message, cause }) =>
          logged.push(`${message} ${String((cause as { err?: Error })?.err?.message)}`),
      },
      revocations: revocations({ url: URL_OF_ENDPOINT, fetch, ...options }),
    },
    {},
  )
  const read = () => verify.result(requestOf(world))
  return {
    verify,
    asked,
    logged,
    read,
    /** Reads, and waits until what was ended was read as well. */
    async warm() {
      expect((await read()).session).not.toBeNull()
      await vi.waitFor(async () => {
        const before = asked.length
        await read()
        expect(asked).toHaveLength(before)
      }, 30_000)
      asked.length = 0
    },
  }
}

const pass = (milliseconds: number) => vi.advanceTimersByTime(milliseconds)

describe('REV-17: a verifier in another process', () => {
  test('knows the ended sessions within its bound', async () => {
    const world = await siteWithEndpoint()
    const { read, asked } = verifierOf(world)
    expect(await read()).toMatchObject({ session: { user: { name: 'ada' } }, failed: false })
    await apiOf(world).end({ userId: 'ada', id: await idOf(world) })
    pass(1001)
    expect(await read()).toEqual({ session: null, failed: false, ended: true })
    expect(asked.map(({ path }) => path)).toContain('/auth/revocations/check')
  })

  test('knows that all sessions of a user ended, and which one was spared', async () => {
    const world = await siteWithEndpoint()
    const other = world.otherBrowser()
    await passwordSignIn(other)
    const { verify, asked } = verifierOf(world)
    await verify(requestOf(world))
    await postJson(world, 'end-others')
    pass(1001)
    expect(await verify.result(requestOf(other))).toMatchObject({ ended: true })
    expect(await verify(requestOf(world))).toMatchObject({ user: { name: 'ada' } })
    const checks = () => asked.filter(({ path }) => path.endsWith('/check')).length
    const before = checks()
    for (let reads = 0; reads < 5; reads++) await verify(requestOf(world))
    // What was found out is remembered until something new was ended.
    expect(checks()).toBe(before)
  })

  test('requests only newer entries, and receives at most 24 bytes if nothing is new', async () => {
    const world = await siteWithEndpoint()
    const { read, warm, asked } = verifierOf(world)
    await warm()
    for (let reads = 0; reads < 3; reads++) {
      pass(1001)
      await read()
    }
    await apiOf(world).endAll({ userId: 'bob' })
    for (let reads = 0; reads < 3; reads++) {
      pass(1001)
      await read()
    }
    // The last of them is what one reads who has everything.
    expect(asked.map(({ status, length }) => [status, length])).toEqual([
      [304, 0],
      [304, 0],
      [304, 0],
      [200, 34],
      [200, 24],
      [304, 0],
    ])
  })

  test('goes on with the log of a restored backup if its proofs agree', async () => {
    const world = await siteWithEndpoint()
    await apiOf(world).endAll({ userId: 'bob' })
    const told: string[] = []
    const noting: Proxy = async (request, on) => {
      const answer = await on(request)
      const proof = answer.headers.get('latchkey-proof') ?? ''
      told.push(`${answer.status} ${/;f=\d+/.exec(proof)?.[0]}`)
      return answer
    }
    const { read, warm } = verifierOf(world, { proxy: noting })
    await warm()
    const { seq, key } = await lastOf(world)
    await restored(world, key)
    told.length = 0
    for (let reads = 0; reads < 3; reads++) {
      pass(1001)
      world.advance(1.001)
      expect((await read()).failed).toBe(false)
    }
    // Once everything, since the log is another one; from then on what is new in it.
    expect(told).toEqual(['304 ;f=0', `200 ;f=${seq}`, `304 ;f=${seq}`])
    await apiOf(world).end({ userId: 'ada', id: await idOf(world) })
    pass(1001)
    expect(await read()).toEqual({ session: null, failed: false, ended: true })
    expect(told).toContain(`200 ;f=${seq}`)
  })

  test('forgets the live sessions if the log was replaced, even if both report the same length', async () => {
    const world = await siteWithEndpoint()
    // Its token names the epoch from before, so that only the application knows that it was spared.
    const held = requestOf(world)
    await passwordSignIn(world.otherBrowser())
    await postJson(world, 'end-others')
    const { verify, asked } = verifierOf(world)
    const checks = (): number => asked.filter(({ path }) => path.endsWith('/check')).length
    await vi.waitFor(async () => {
      const before = checks()
      expect(await verify(held)).not.toBeNull()
      expect([before > 0, checks()]).toEqual([true, before])
    }, 30_000)
    const [before, reads] = [checks(), asked.length]
    await restored(world, (await lastOf(world)).key)
    pass(1001)
    expect(await verify(held)).not.toBeNull()
    expect(asked[reads]?.status).toBe(304)
    expect(checks()).toBe(before + 1)
  })

  test('REV-18: requests the whole log after a response of a process that has too many entries', async () => {
    const adapter = memoryAdapter()
    const processOf = async (maxEntries: number): Promise<World> => {
      const options = { revocations: { endpoint: true, maxEntries }, touch: 0 }
      return (await siteOf('jwt', { adapter, seed: maxEntries, options })).world
    }
    const [full, other] = [await processOf(1), await processOf(1000)]
    await passwordSignIn(full)
    const ended = requestOf(full)
    const id = await idOf(full)
    await apiOf(full).end({ userId: 'ada', id })
    await apiOf(full).endAll({ userId: 'bob' })
    await passwordSignIn(full)
    let answering = full
    const proxy: Proxy = (request) => answering.core.auth(request, answering.config)
    const { verify, warm } = verifierOf(full, { proxy })
    await warm()
    answering = other
    await apiOf(other).endAll({ userId: 'carol' })
    pass(1001)
    expect(await verify.result(ended)).toMatchObject({ ended: true })
  })

  test('sends no request while its snapshot is fresh', async () => {
    const world = await siteWithEndpoint()
    const { read, warm, asked } = verifierOf(world)
    await warm()
    pass(1001)
    await Promise.all(Array.from({ length: 50 }, read))
    for (let reads = 0; reads < 50; reads++) await read()
    expect(asked).toHaveLength(1)
  })

  test.each<[string, Proxy, readonly string[]]>([
    [
      'cannot be reached',
      () => Promise.reject(new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') })),
      [`${URL_OF_ENDPOINT} cannot be reached (ECONNREFUSED)`, 'check `url`'],
    ],
    [
      'has no such endpoint',
      async () => new Response(null, { status: 404 }),
      [`${URL_OF_ENDPOINT} returned status 404`, '`sessions({ revocations: { endpoint: true } })`'],
    ],
    [
      'lost its store',
      async () => new Response(null, { status: 503 }),
      ['returned status 503', 'log of the application'],
    ],
    [
      'does not have the secret',
      async () => new Response(null, { status: 401 }),
      ['does not accept the secret of this verifier', 'set `secret`'],
    ],
    [
      'answers with null',
      async () => Response.json(null),
      ['has no valid proof', 'check that `url`'],
    ],
    ['answers with a page', async () => new Response('<p>'), ['has no valid proof']],
  ])('logs a solution if the application %s', async (_, proxy, said) => {
    const world = await siteWithEndpoint()
    const { read, logged } = verifierOf(world, { proxy })
    expect(await read()).toEqual({ session: null, failed: true, ended: false })
    for (const part of said) expect(logged.join()).toContain(part)
  })

  test('accepts sessions from before the plugin', async () => {
    const adapter = memoryAdapter()
    const { world: before } = await createSite({ strategy: 'jwt', adapter })
    await passwordSignIn(before)
    const { world } = await siteOf('jwt', {
      adapter,
      options: { revocations: { endpoint: true } },
    })
    for (const [name, value] of before.jar) world.jar.set(name, value)
    const { read } = verifierOf(world)
    expect(await read()).toMatchObject({ session: { user: { name: 'ada' } } })
    const cookies = new Map(world.jar)
    await world.post('/auth/signout')
    for (const [name, value] of cookies) world.jar.set(name, value)
    pass(1001)
    expect(await read()).toMatchObject({ ended: true })
  })

  test('works while the secret is rotated, in any order', async () => {
    const older = 'the secret of last year, 0123456789ab'
    for (const [there, here] of [
      [[SECRET, older], older],
      [
        [SECRET, older],
        [older, SECRET],
      ],
      [older, [SECRET, older]],
    ] as const) {
      const world = await siteWithEndpoint(there)
      const { read } = verifierOf(world, { secret: here })
      const sealedBy = Array.isArray(there) ? there[0] : there
      const opens = [here].flat().includes(sealedBy)
      const found = await read()
      expect(found.failed).toBe(false)
      expect(found.session === null).toBe(!opens)
    }
  })
})

describe('T-ST-6, REV-18: a forged response to a verifier', () => {
  const cases: Record<string, Proxy> = {
    'an answer to an earlier question, from a cache': (() => {
      let kept: Response | undefined
      return async (request, on) => {
        kept ??= await on(request)
        return kept.clone()
      }
    })(),
    'an answer without its proof': async (request, on) => {
      const answer = await on(request)
      answer.headers.delete('latchkey-proof')
      return answer
    },
    'a body that was cut off': async (request, on) => {
      const answer = await on(request)
      const body = new Uint8Array(await answer.arrayBuffer())
      return new Response(body.subarray(0, -1), { headers: answer.headers })
    },
    'a body in which a bit is another one': async (request, on) => {
      const answer = await on(request)
      const body = new Uint8Array(await answer.arrayBuffer())
      body[16] = (body[16] ?? 0) ^ 1
      return new Response(body, { headers: answer.headers })
    },
    'a redirect': async () => Response.redirect('https://attacker.example/', 302),
    'a page': async () => new Response('<p>Hello', { headers: { 'content-type': 'text/html' } }),
    'an answer of another site': async () => {
      const world = await siteWithEndpoint('the secret of another site, 0123456789')
      const body = new Uint8Array(24)
      expect(world).toBeDefined()
      return new Response(body, { headers: { 'latchkey-proof': 'v=1;f=0;s=0;a=;d=;m=' } })
    },
    'that nothing changed, at the first question': async () => new Response(null, { status: 304 }),
    'that it is not its turn': async () => new Response(null, { status: 503 }),
    nothing: () => Promise.reject(new TypeError('fetch failed')),
  }

  test.each(Object.keys(cases))('is refused: %s', async (name) => {
    const world = await siteWithEndpoint()
    let isHostile = false
    const hostile = cases[name] as Proxy
    const isOfSnapshots = ({ url }: Request) => new URL(url).pathname === '/auth/revocations'
    const { read, warm, logged } = verifierOf(world, {
      proxy: (request, on) =>
        isHostile && isOfSnapshots(request) ? hostile(request, on) : on(request),
    })
    await warm()
    isHostile = true
    for (let times = 0; times < 2; times++) {
      pass(1001)
      const found = await read()
      if (times > 0 || !name.includes('cache')) {
        expect(found).toEqual({ session: null, failed: true, ended: false })
      }
    }
    expect(logged.join()).toContain('could not read in time whether the session was ended')
    isHostile = false
    expect((await read()).session).not.toBeNull()
  })

  test('is refused if a proxy asked for less than the verifier did', async () => {
    const world = await siteWithEndpoint()
    let seq = ''
    const { read, warm } = verifierOf(world, {
      async proxy(request, on) {
        const url = new URL(request.url)
        if (seq !== '') {
          const { 1: s = '', 2: a = '' } = /s=(\d+);a=([^;]+)/.exec(seq) ?? []
          url.searchParams.set('after', s)
          url.searchParams.set('a', a)
        }
        return on(new Request(url, request))
      },
    })
    await warm()
    await apiOf(world).endAll({ userId: 'bob' })
    await apiOf(world).end({ userId: 'ada', id: await idOf(world) })
    const nonce = encodeBase64url(new Uint8Array(16))
    const answer = await world.get(`/auth/revocations?n=${nonce}`, {
      headers: { authorization: await bearerOf(SECRET) },
    })
    seq = answer.headers.get('latchkey-proof') ?? ''
    pass(1001)
    expect(await read()).toEqual({ session: null, failed: true, ended: false })
  })

  test('is refused if a proxy asked for newer entries in another log of the same length', async () => {
    const world = await siteWithEndpoint()
    await apiOf(world).endAll({ userId: 'bob' })
    const { key } = await lastOf(world)
    let id = ''
    const asking: Proxy = async (request, on) => {
      const url = new URL(request.url)
      if (id !== '') url.searchParams.set('a', id)
      return on(new Request(url, request))
    }
    const { read, warm } = verifierOf(world, { proxy: asking })
    await warm()
    for (let reads = 0; reads < 2; reads++) {
      pass(1001)
      expect((await read()).failed).toBe(false)
    }
    id = await restored(world, key)
    pass(1001)
    expect((await read()).failed).toBe(true)
  })

  test('REV-19: does not end a session without a proof', async () => {
    const world = await siteWithEndpoint()
    let says = ''
    const { read } = verifierOf(world, {
      async proxy(request, on) {
        const answer = await on(request)
        const isCheck = new URL(request.url).pathname.endsWith('/check')
        if (!isCheck || says === '') return answer
        return new Response(says, { headers: answer.headers })
      },
    })
    says = JSON.stringify({ live: false })
    expect(await read()).toEqual({ session: null, failed: true, ended: false })
    says = ''
    await read()
    await apiOf(world).end({ userId: 'ada', id: await idOf(world) })
    says = JSON.stringify({ live: true })
    pass(1001)
    expect(await read()).toEqual({ session: null, failed: true, ended: false })
    says = ''
    expect(await read()).toMatchObject({ ended: true })
  })
})

describe('the endpoint of verifiers', () => {
  const nonce = encodeBase64url(new Uint8Array(16))

  test('does not exist unless it is switched on', async () => {
    const { world } = await siteOf('jwt')
    expect((await world.get(`/auth/revocations?n=${nonce}`)).status).toBe(400)
  })

  test.each<[string, Record<string, string>]>([
    ['without a key', {}],
    ['with a key of another secret', { authorization: `Bearer ${'A'.repeat(43)}` }],
    ['with the secret itself', { authorization: `Bearer ${SECRET}` }],
    ['with a key in another scheme', { authorization: `Basic ${'A'.repeat(43)}` }],
  ])('answers no request %s, before anything is read', async (_, headers) => {
    const world = await siteWithEndpoint()
    const { getRecord } = abilitiesOf(world)
    let reads = 0
    abilitiesOf(world).getRecord = async (key) => {
      reads++
      return (await getRecord?.(key)) ?? null
    }
    const answers = [
      await world.get('/auth/revocations', { headers }),
      await world.request('/auth/revocations/check', { method: 'POST', headers, body: '{' }),
    ]
    for (const answer of answers) {
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    expect(reads).toBe(0)
  })

  test('requires a nonce, and a valid question', async () => {
    const world = await siteWithEndpoint()
    const headers = { authorization: await bearerOf(SECRET), 'content-type': 'application/json' }
    for (const n of ['', 'n=', 'n=short', `n=${'A'.repeat(23)}`]) {
      expect((await world.get(`/auth/revocations?${n}`, { headers })).status).toBe(400)
    }
    for (const body of ['{}', '[]', 'x', JSON.stringify({ n: nonce, sub: 'ada', extra: 1 })]) {
      const asked = { method: 'POST', headers, body }
      expect((await world.request('/auth/revocations/check', asked)).status).toBe(400)
    }
  })

  test('responds with 503 and a time to wait while the store is away', async () => {
    const world = await siteWithEndpoint()
    abilitiesOf(world).getRecord = () => Promise.reject(new Error('the store is away'))
    const answer = await world.get(`/auth/revocations?n=${nonce}`, {
      headers: { authorization: await bearerOf(SECRET) },
    })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  })

  test('REV-18: answers from a reading of the log that began after the request', async () => {
    const adapter = memoryAdapter()
    const options = { revocations: { endpoint: true } }
    const { world } = await siteOf('jwt', { adapter, seed: 1, options })
    const { world: other } = await siteOf('jwt', { adapter, seed: 2, options })
    const headers = { authorization: await bearerOf(SECRET) }
    const ask = () => world.get(`/auth/revocations?n=${nonce}`, { headers })
    await passwordSignIn(world)
    await ask()
    const { seq } = await lastOf(world)
    const next = String(seq + 1)
    const abilities = abilitiesOf(world)
    const { getRecord } = abilities
    let isHeld = false
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    // A reading of the log finds nothing new, and its result comes late.
    abilities.getRecord = async (key) => {
      const record = (await getRecord?.call(abilities, key)) ?? null
      if (key.key === next && !isHeld) {
        isHeld = true
        await released
      }
      return record
    }
    const first = ask()
    await expect.poll(() => isHeld).toBe(true)
    await apiOf(other).endAll({ userId: 'ada' })
    const second = ask()
    await new Promise(setImmediate)
    release()
    expect((await first).headers.get('latchkey-proof')).toContain(`;s=${seq};`)
    expect((await second).headers.get('latchkey-proof')).toContain(`;s=${next};`)
  })

  test('allows no cache and no page of another site to keep its responses', async () => {
    const world = await siteWithEndpoint()
    const answer = await world.get(`/auth/revocations?n=${nonce}`, {
      headers: { authorization: await bearerOf(SECRET), origin: 'https://other.example' },
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('content-type')).toBe('application/octet-stream')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(world.jar.has(SESSION_COOKIE)).toBe(true)
  })
})

describe('TOK-3: a verifier of API tokens', () => {
  test('refuses those of a session that ended, and needs a secret for the request', async () => {
    const { world } = await siteOf('jwt', {
      config: {
        plugins: [sessions({ revocations: { endpoint: true } }), tokens(oneApi)],
        secret: SECRET,
      },
    })
    await passwordSignIn(world)
    const token = await tokenOf(world)
    const fetch: typeof globalThis.fetch = async (input, init) =>
      world.core.auth(new Request(input, init), world.config)
    const options = { issuer: ISSUER, audience: API, jwks: await keysOf(world) }
    const verify = createTokenVerifier({
      ...options,
      revocations: revocations({ url: URL_OF_ENDPOINT, secret: SECRET, fetch }),
    })
    expect(await verify(token)).toMatchObject({ sub: 'ada' })
    await apiOf(world).endAll({ userId: 'ada' })
    pass(1001)
    expect(await verify.result(token)).toEqual({
      claims: null,
      why: 'the session was ended',
    })
    expect(await createTokenVerifier(options)(token)).toMatchObject({ sub: 'ada' })
    const withoutSecret = { ...options, revocations: revocations({ url: URL_OF_ENDPOINT }) }
    expect(() => createTokenVerifier(withoutSecret)).toThrow(/secret/)
  })
})

describe('the options of a verifier of ended sessions', () => {
  test('are refused if they make no sense', () => {
    expect(() => revocations({ url: '/auth/revocations' })).toThrow(/url.*\/auth/)
    expect(() => revocations({ url: 'localhost:3000/auth/revocations' })).toThrow(/https/)
    expect(() => revocations({ url: URL_OF_ENDPOINT, bound: 10 })).toThrow(/bound.*10/)
    expect(() => revocations({ url: URL_OF_ENDPOINT }).with([])).toThrow(/secret/)
  })
})

async function bearerOf(secret: string): Promise<string> {
  const { primitives } = await import('#crypto')
  const key = await primitives.hkdf(secret, 'latchkey.records', 'revocations-read', 32)
  return `Bearer ${encodeBase64url(key)}`
}

test.each([
  [
    'one session',
    (world: World) => idOf(world).then((id) => apiOf(world).end({ userId: 'ada', id })),
  ],
  ['all of the user', (world: World) => apiOf(world).endAll({ userId: 'ada' })],
])(
  'SEC-27: a verifier refuses a session that ended (%s), if the `jwt` callback names no user',
  async (_, end) => {
    const world = await siteWithEndpoint(SECRET, {
      jwt: ({ token }) => ({ name: token['name'] ?? null }),
    })
    const { read } = verifierOf(world)
    expect(await read()).toMatchObject({ session: { user: { name: 'ada' } } })
    await end(world)
    pass(1001)
    expect(await read()).toEqual({ session: null, failed: false, ended: true })
  },
)

test('SEC-27: a verifier refuses a session from before the plugin that names no user, if it ended', async () => {
  const world = await siteWithEndpoint()
  const before = await createSite({
    strategy: 'jwt',
    adapter: world.config.adapter as Adapter,
    config: { callbacks: { jwt: ({ token }) => ({ name: token['name'] ?? null }) } },
  })
  await passwordSignIn(before.world)
  for (const [name, value] of before.world.jar) world.jar.set(name, value)
  const { read } = verifierOf(world)
  expect(await read()).toMatchObject({ session: { user: { name: 'ada' } } })
  const request = requestOf(world)
  await world.post('/auth/signout')
  pass(1001)
  expect(await verifierOf(world).verify.result(request)).toEqual({
    session: null,
    failed: false,
    ended: true,
  })
})

test('PAIR-13: an address of the endpoint with slashes at its end means the same endpoint', async () => {
  const world = await siteWithEndpoint()
  const { read } = verifierOf(world, { url: `${URL_OF_ENDPOINT}//` })
  expect(await read()).toMatchObject({ session: { user: { name: 'ada' } }, failed: false })
  await apiOf(world).endAll({ userId: 'ada' })
  pass(1001)
  expect(await read()).toEqual({ session: null, failed: false, ended: true })
})
