import { describe, expect, test } from 'vitest'
import { AuthError } from '../base/errors.ts'
import type { AuthConfig } from '../options/auth-config.ts'
import type { Env } from '../options/env.ts'
import { createSite } from './site.ts'

const SECRET = 'a secret for tests, 0123456789abcdef'

/** What a proxy sends on, says itself, or whoever comes past it. */
const forwarded: Request = new Request('http://internal.example/x', {
  headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
})

/** A form of the site's own page, and one of another's. */
const own: Record<string, string> = {
  origin: 'https://app.example',
  'sec-fetch-site': 'same-origin',
}
const elsewhere: Record<string, string> = {
  origin: 'https://evil.example',
  'sec-fetch-site': 'cross-site',
}

async function seen(env: Env, config: Partial<AuthConfig> = {}): Promise<string> {
  const logger = { warn() {} }
  const site = createSite({ providers: [], secret: SECRET, logger, ...config }, env)
  const { origin, config: complete } = await site.arrive(forwarded)
  return `${origin} ${String(complete.trustHost)} ${complete.basePath}`
}

describe('T-HOST-1: the address of a site', () => {
  for (const [env, config, address] of [
    [{}, {}, 'http://internal.example true /auth'],
    [{ NODE_ENV: 'development' }, {}, 'http://internal.example true /auth'],
    [{ NODE_ENV: 'production' }, {}, 'http://internal.example false /auth'],
    [{ AUTH_URL: 'https://app.example' }, {}, 'https://app.example true /auth'],
    [{ AUTH_URL: 'https://app.example/' }, {}, 'https://app.example true /auth'],
    [{ AUTH_URL: 'https://app.example/in' }, {}, 'https://app.example true /in'],
    [
      { NEXTAUTH_URL: 'https://app.example', NODE_ENV: 'production' },
      {},
      'https://app.example true /auth',
    ],
    [{ AUTH_URL: 'https://app.example' }, { basePath: '/' }, 'https://app.example true /'],
    [{ AUTH_TRUST_HOST: 'true' }, {}, 'https://evil.example true /auth'],
    [{ VERCEL: '1' }, {}, 'https://evil.example true /auth'],
    [{ AUTH_TRUST_HOST: 'app.example' }, {}, 'http://internal.example app.example /auth'],
    [
      { AUTH_TRUST_HOST: 'a.example,evil.example' },
      {},
      'https://evil.example a.example,evil.example /auth',
    ],
    [{}, { trustHost: ['evil.example'] }, 'https://evil.example evil.example /auth'],
    [
      { AUTH_URL: 'https://app.example', AUTH_TRUST_HOST: 'a.example' },
      {},
      'https://app.example true /auth',
    ],
    [{ AUTH_TRUST_HOST: 'no', VERCEL: '1' }, {}, 'http://internal.example false /auth'],
    [{}, { trustHost: true }, 'https://evil.example true /auth'],
    [{ AUTH_TRUST_HOST: 'true' }, { trustHost: false }, 'http://internal.example false /auth'],
  ] as [Env, Partial<AuthConfig>, string][]) {
    test(`with ${JSON.stringify(env)} and ${JSON.stringify(config)} is ${address}`, async () => {
      expect(await seen(env, config)).toBe(address)
    })
  }

  test.each<[Env, string[]]>([
    [{}, ['proxy-not-trusted']],
    // The request is refused then, with another word in the log.
    [{ NODE_ENV: 'production' }, []],
    [{ AUTH_TRUST_HOST: 'no' }, []],
    [{ AUTH_TRUST_HOST: 'app.example' }, []],
    [{ AUTH_URL: 'http://app.example' }, ['address-mismatch']],
    [{ AUTH_URL: 'https://app.example' }, []],
  ])('with %j behind a proxy leads to the log line %j', async (env, codes) => {
    const said: string[] = []
    const logger = { warn: (code: string): void => void said.push(code) }
    const site = createSite(() => ({ providers: [], secret: SECRET, logger }), env)
    for (let i = 0; i < 2; i++) await site.arrive(forwarded)
    expect(said).toEqual(codes)
    const plain = createSite({ providers: [], secret: SECRET, logger }, env)
    await plain.arrive(new Request('http://internal.example/x'))
    expect(said).toEqual(codes)
  })

  test('with an AUTH_URL of http leads to a warning with the header of the proxy, once', async () => {
    const said: string[] = []
    const logger = {
      warn: (code: string, detail?: string): void => void said.push(`${code} ${detail}`),
    }
    const site = createSite(
      { providers: [], secret: SECRET, logger },
      { AUTH_URL: 'http://app.example', NODE_ENV: 'production' },
    )
    for (const path of ['session', 'signin', 'session'])
      await site.arrive(
        new Request(`http://internal.example/auth/${path}`, {
          headers: { 'x-forwarded-proto': 'https' },
        }),
      )
    expect(said).toEqual([
      expect.stringMatching(
        /^address-mismatch AUTH_URL is http:\/\/app\.example, but the header X-Forwarded-Proto says https/,
      ),
    ])
  })

  test.each<[string, string, string | undefined, string[]]>([
    ['another path', 'https://app.example/p', '/auth', ['env-url-basepath-mismatch']],
    ['the same path', 'https://app.example/auth/', 'auth', []],
    ['no path', 'https://app.example', '/auth', []],
    ['a path alone', 'https://app.example/p', undefined, []],
  ])('from AUTH_URL with %s is compared with `basePath`', (_, url, basePath, codes) => {
    const said: string[] = []
    const logger = { warn: (code: string): void => void said.push(code) }
    for (let i = 0; i < 2; i++)
      expect(
        createSite({ providers: [], secret: SECRET, logger, basePath }, { AUTH_URL: url }).fixed
          ?.basePath,
      ).toBe(basePath ?? '/p')
    expect(said).toEqual([...codes, ...codes])
  })

  test.each<[string, Env, Partial<AuthConfig>, Record<string, string>, string | undefined]>([
    ['another host', { AUTH_URL: 'https://old.example' }, {}, own, 'https://old.example'],
    ['another scheme', { AUTH_URL: 'http://app.example' }, {}, own, 'http://app.example'],
    ['a proxy that says nothing', {}, { trustHost: true }, own, 'http://internal.example'],
    ['none', { AUTH_URL: 'https://app.example/auth' }, {}, own, undefined],
    ['another site', { AUTH_URL: 'https://old.example' }, {}, elsewhere, undefined],
    ['no browser', { AUTH_URL: 'https://old.example' }, {}, {}, undefined],
    ['a frame', { AUTH_URL: 'https://old.example' }, {}, { ...own, origin: 'null' }, undefined],
  ])('with %s leads to a warning at a form, once', async (_, env, config, headers, taken) => {
    const said: string[] = []
    const logger = { warn: (code: string, detail = ''): void => void said.push(code, detail) }
    const site = createSite({ providers: [], secret: SECRET, logger, ...config }, env)
    const form = (): Request =>
      new Request('http://internal.example/auth/signin', { method: 'POST', headers })
    await site.arrive(new Request('http://internal.example/auth/signin', { headers }))
    expect(said).toEqual([])
    for (let i = 0; i < 2; i++) await site.arrive(form())
    if (taken === undefined) return expect(said).toEqual([])
    expect(said).toEqual(['address-mismatch', expect.any(String)])
    expect(said[1]).toContain('"https://app.example"')
    expect(said[1]).toContain(`the site uses ${taken}`)
    expect(said[1]).toContain('set AUTH_URL')
  })

  for (const env of [
    { AUTH_URL: 'app.example' },
    { AUTH_URL: 'localhost:3000' },
    { AUTH_URL: 'ftp://app.example' },
  ] as Env[]) {
    test(`is refused with ${JSON.stringify(env)}`, () => {
      expect(() => createSite({ providers: [], secret: SECRET }, env)).toThrow(AuthError)
    })
  }
})

describe('a request at another address than AUTH_URL', () => {
  async function warned(env: Env, url: string, headers: HeadersInit = {}): Promise<string[]> {
    const said: string[] = []
    const logger = {
      warn: (code: string, detail?: string): void => void said.push(`${code} ${detail}`),
    }
    const site = createSite({ providers: [], secret: SECRET, logger }, env)
    for (let i = 0; i < 2; i++) await site.arrive(new Request(url, { headers }))
    return said
  }

  test.each([
    ['https://localhost:3000', 'http://localhost:3000'],
    ['http://localhost:3001', 'http://localhost:3000'],
    ['https://app.example', 'http://127.0.0.1:3000'],
    ['http://localhost:3000', 'http://[::1]:3000'],
  ])('is warned about once in development, with both: %s and %s', async (AUTH_URL, asked) => {
    const [line, ...more] = await warned({ AUTH_URL }, `${asked}/auth/session`)
    expect(more).toEqual([])
    expect(line).toContain(`address-mismatch a request came to ${asked},`)
    expect(line).toContain(`the site uses ${AUTH_URL}`)
    expect(line).toContain(`set AUTH_URL=${asked}, or let the development server`)
  })

  test.each<[Env, string, Record<string, string>]>([
    [{ AUTH_URL: 'http://localhost:3000' }, 'http://localhost:3000', {}],
    [{ AUTH_URL: 'https://app.example', NODE_ENV: 'production' }, 'http://127.0.0.1:3000', {}],
    [{ AUTH_URL: 'https://app.example' }, 'http://127.0.0.1', { 'x-forwarded-for': '10.0.0.1' }],
    [{ AUTH_URL: 'https://app.example' }, 'http://internal.example', {}],
    [{}, 'http://localhost:3000', {}],
  ])('is not warned about if that is intended: %j, %s, %j', async (env, url, headers) => {
    expect(await warned(env, `${url}/auth/session`, headers)).toEqual([])
  })
})

test.each([
  ['app.example', 'https://app.example'],
  ['localhost:3000', 'http://localhost:3000'],
  ['localhost:3000/auth', 'http://localhost:3000/auth'],
  ['ftp://app.example/auth', 'https://app.example/auth'],
])('AUTH_URL=%s is refused with the probable intention, %s', (AUTH_URL, meant) => {
  expect(() => createSite({ providers: [] }, { AUTH_URL })).toThrow(
    `AUTH_URL must be an http or https URL, got ${JSON.stringify(AUTH_URL)}; set AUTH_URL=${meant}`,
  )
})

test('AUTH_URL=: is refused without a guess', () => {
  expect(() => createSite({ providers: [] }, { AUTH_URL: ':' })).toThrow(/got ":"$/)
})
