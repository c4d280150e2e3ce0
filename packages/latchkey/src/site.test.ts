import { describe, expect, test } from 'vitest'
import { AuthError } from './errors.ts'
import type { AuthConfig } from './options/auth-config.ts'
import type { Env } from './options/env.ts'
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
    [{ AUTH_URL: 'http://app.example' }, []],
  ])('with %j a proxy has the log say %j', async (env, codes) => {
    const said: string[] = []
    const logger = { warn: (code: string): void => void said.push(code) }
    const site = createSite(() => ({ providers: [], secret: SECRET, logger }), env)
    for (let i = 0; i < 2; i++) await site.arrive(forwarded)
    expect(said).toEqual(codes)
    const plain = createSite({ providers: [], secret: SECRET, logger }, env)
    await plain.arrive(new Request('http://internal.example/x'))
    expect(said).toEqual(codes)
  })

  test.each<[string, Env, Partial<AuthConfig>, Record<string, string>, string | undefined]>([
    ['another host', { AUTH_URL: 'https://old.example' }, {}, own, 'https://old.example'],
    ['another scheme', { AUTH_URL: 'http://app.example' }, {}, own, 'http://app.example'],
    ['a proxy that says nothing', {}, { trustHost: true }, own, 'http://internal.example'],
    ['none', { AUTH_URL: 'https://app.example/auth' }, {}, own, undefined],
    ['another site', { AUTH_URL: 'https://old.example' }, {}, elsewhere, undefined],
    ['no browser', { AUTH_URL: 'https://old.example' }, {}, {}, undefined],
    ['a frame', { AUTH_URL: 'https://old.example' }, {}, { ...own, origin: 'null' }, undefined],
  ])('with %s a form has the log say so, once', async (_, env, config, headers, taken) => {
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
    expect(said[1]).toContain(`takes ${taken} for its own`)
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
