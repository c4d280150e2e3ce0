import { inspect } from 'node:util'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { sealedByNextAuth4 } from '../../tests/support/next-auth-4.ts'
import { JWTSessionError, MissingSecret } from '../base/errors.ts'
import { decode, encode, getToken } from './jwt.ts'

const SECRET = 'latchkey-test-secret-0123456789abcdef'
const NAME = 'authjs.session-token'
const SECURE = '__Secure-authjs.session-token'

const seal = (salt = NAME, claims: object = { sub: 'u1' }): Promise<string> =>
  encode({ token: claims, salt, secret: SECRET })

const asking = (headers: Record<string, string>): Request =>
  new Request('https://app.example/', { headers })

describe('`encode` and `decode`', () => {
  test('read back what they wrote, with times and an id', async () => {
    const claims = await decode({ token: await seal(), salt: NAME, secret: SECRET })
    expect(claims).toEqual({
      sub: 'u1',
      iat: expect.any(Number),
      exp: expect.any(Number),
      jti: expect.any(String),
    })
    expect((claims?.exp ?? 0) - (claims?.iat ?? 0)).toBe(30 * 24 * 60 * 60)
  })

  test('last as long as `maxAge`', async () => {
    const token = await encode({ token: {}, salt: NAME, secret: SECRET, maxAge: 60 })
    const claims = await decode({ token, salt: NAME, secret: SECRET })
    expect((claims?.exp ?? 0) - (claims?.iat ?? 0)).toBe(60)
  })

  test('end with any claims, also with a `toJSON` of their own', async () => {
    const token = await encode({
      token: { sub: 'u1', toJSON: () => ({ sub: 'u2' }) },
      salt: NAME,
      secret: SECRET,
    })
    const claims = await decode({ token, salt: NAME, secret: SECRET })
    expect(claims).toMatchObject({ sub: 'u1', exp: expect.any(Number) })
  })

  for (const token of [5, {}, true] as never[]) {
    test(`refuse to decode ${inspect(token)}, which is not a text`, async () => {
      await expect(decode({ token, salt: NAME, secret: SECRET })).rejects.toBeInstanceOf(
        JWTSessionError,
      )
    })
  }

  const holdNothing = ['sub=u1', ['u1'], 7, true, null, new Date(0), new Map([['sub', 'u1']])]
  for (const token of holdNothing as never[]) {
    test(`refuse to encode ${inspect(token)}, which has no claims`, async () => {
      await expect(encode({ token, salt: NAME, secret: SECRET })).rejects.toThrow(
        '`token` must be an object of claims',
      )
    })
  }

  for (const maxAge of [
    '60',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e300,
    2e11,
    null,
    {},
  ] as never[]) {
    test(`refuse the maxAge ${String(maxAge)}, with which a token would never end`, async () => {
      await expect(encode({ token: {}, salt: NAME, secret: SECRET, maxAge })).rejects.toThrow(
        '`maxAge` must be a number of seconds below 200000000000',
      )
    })
  }

  test('accept a secret of bytes, which is equal to its text', async () => {
    const bytes = new TextEncoder().encode(SECRET)
    const token = await encode({ token: { sub: 'u1' }, salt: NAME, secret: bytes })
    expect(await decode({ token, salt: NAME, secret: SECRET })).toMatchObject({ sub: 'u1' })
    expect(await decode({ token, salt: NAME, secret: ['old', bytes] })).toMatchObject({ sub: 'u1' })
    const other = new Uint8Array([255, 0, 254])
    const sealed = await encode({ token: { sub: 'u2' }, salt: NAME, secret: other })
    expect(await decode({ token: sealed, salt: NAME, secret: other })).toMatchObject({ sub: 'u2' })
    await expect(decode({ token: sealed, salt: NAME, secret: bytes })).rejects.toThrow()
  })

  test('return null without a token', async () => {
    expect(await decode({ salt: NAME, secret: SECRET })).toBeNull()
    expect(await decode({ token: '', salt: NAME, secret: SECRET })).toBeNull()
  })

  for (const [what, change] of [
    ['another purpose', { salt: 'other' }],
    ['another secret', { secret: 'other' }],
    ['a token that was changed', { token: 'x' }],
  ] as const) {
    test(`fail for ${what}`, async () => {
      const token = await seal()
      await expect(decode({ token, salt: NAME, secret: SECRET, ...change })).rejects.toBeInstanceOf(
        JWTSessionError,
      )
    })
  }

  test('fail for a token that has expired', async () => {
    const token = await encode({ token: {}, salt: NAME, secret: SECRET, maxAge: -16 })
    await expect(decode({ token, salt: NAME, secret: SECRET })).rejects.toBeInstanceOf(
      JWTSessionError,
    )
  })

  test('accept a list of secrets: the first seals, each opens', async () => {
    const token = await encode({ token: { sub: 'u1' }, salt: NAME, secret: ['new', 'old'] })
    expect(await decode({ token, salt: NAME, secret: ['newer', 'new'] })).toMatchObject({
      sub: 'u1',
    })
    await expect(decode({ token, salt: NAME, secret: 'old' })).rejects.toThrow()
  })

  test('ignore secrets that are not set', async () => {
    const unset = undefined as unknown as string
    const token = await encode({ token: { sub: 'u1' }, salt: NAME, secret: [unset, '', SECRET] })
    expect(await decode({ token, salt: NAME, secret: [SECRET, unset] })).toMatchObject({
      sub: 'u1',
    })
  })

  test('refuse an empty secret', async () => {
    await expect(encode({ token: {}, salt: NAME, secret: ['', ''] })).rejects.toBeInstanceOf(
      TypeError,
    )
    await expect(encode({ token: {}, salt: NAME, secret: '' })).rejects.toBeInstanceOf(TypeError)
  })

  test('accept an empty salt', async () => {
    const token = await encode({ token: { sub: 'u1' }, salt: '', secret: SECRET })
    expect(await decode({ token, salt: '', secret: SECRET })).toMatchObject({ sub: 'u1' })
  })
})

describe('the token of a request', () => {
  test('is read from the headers of Node.js, as a route of the pages directory has them', async () => {
    const cookie = `${NAME}=${await seal()}`
    const headers = { ':path': '/', 'x-none': undefined, 'set-cookie': ['a', 'b'], cookie }
    expect(await getToken({ req: { headers }, secret: SECRET })).toMatchObject({ sub: 'u1' })
  })

  test('is in the session cookie', async () => {
    const req = asking({ cookie: `a=b; ${NAME}=${await seal()}` })
    expect(await getToken({ req, secret: SECRET })).toMatchObject({ sub: 'u1' })
  })

  test('is in the cookie with the prefix if the site uses https', async () => {
    const req = asking({ cookie: `${SECURE}=${await seal(SECURE)}` })
    expect(await getToken({ req, secret: SECRET, secureCookie: true })).toMatchObject({ sub: 'u1' })
    expect(await getToken({ req, secret: SECRET })).toBeNull()
  })

  test('is in a cookie of another name, which is part of the key', async () => {
    const req = asking({ cookie: `sid=${await seal('sid')}; sid2=${await seal('salt')}` })
    expect(await getToken({ req, secret: SECRET, cookieName: 'sid' })).toMatchObject({ sub: 'u1' })
    expect(await getToken({ req, secret: SECRET, cookieName: 'sid2' })).toBeNull()
    expect(await getToken({ req, secret: SECRET, cookieName: 'sid2', salt: 'salt' })).toMatchObject(
      { sub: 'u1' },
    )
  })

  test('may be in pieces', async () => {
    const token = await seal(NAME, { big: 'x'.repeat(5000) })
    const cookie = `${NAME}.1=${token.slice(3936)}; ${NAME}.0=${token.slice(0, 3936)}; ${NAME}-x=evil`
    expect(await getToken({ req: asking({ cookie }), secret: SECRET })).toMatchObject({
      big: 'x'.repeat(5000),
    })
  })

  test('may be in the header Authorization, percent-encoded', async () => {
    const token = await seal()
    for (const sent of [token, token.replace('.', '%2E')]) {
      const req = asking({ authorization: `Bearer ${sent}` })
      expect(await getToken({ req, secret: SECRET })).toMatchObject({ sub: 'u1' })
      expect(await getToken({ req, raw: true })).toBe(token)
    }
  })

  test('is read from the cookie first, and an invalid cookie hides a valid header', async () => {
    const authorization = `Bearer ${await seal()}`
    const req = asking({ cookie: `${NAME}=bad`, authorization })
    expect(await getToken({ req, secret: SECRET })).toBeNull()
    expect(await getToken({ req, raw: true })).toBe('bad')
    const empty = asking({ cookie: `${NAME}=`, authorization })
    expect(await getToken({ req: empty, secret: SECRET })).toMatchObject({ sub: 'u1' })
  })

  for (const authorization of ['bearer x', 'Basic x', 'Bearer', 'Bearer ', 'Bearer %zz']) {
    test(`is not in ${JSON.stringify(authorization)}`, async () => {
      expect(await getToken({ req: asking({ authorization }), secret: SECRET })).toBeNull()
      expect(await getToken({ req: asking({ authorization }), raw: true })).toBeNull()
    })
  }

  test('is read from plain headers', async () => {
    const req = { headers: { Cookie: `${NAME}=${await seal()}` } }
    expect(await getToken({ req, secret: SECRET })).toMatchObject({ sub: 'u1' })
  })

  test('is returned as it is with `raw`', async () => {
    const token = await seal()
    expect(await getToken({ req: asking({ cookie: `${NAME}=${token}` }), raw: true })).toBe(token)
  })

  test('is opened with a function of the application', async () => {
    const seen: unknown[] = []
    const token = await getToken({
      req: asking({ cookie: `${NAME}=mine` }),
      secret: SECRET,
      decode: async (params) => {
        seen.push(params)
        return { sub: 'u2' }
      },
    })
    expect(token).toEqual({ sub: 'u2' })
    expect(seen).toEqual([{ token: 'mine', salt: NAME, secret: [SECRET] }])
  })

  test('needs a secret only if there is a token', async () => {
    expect(await getToken({ req: asking({}) })).toBeNull()
    expect(await getToken({ req: {} as never })).toBeNull()
    expect(await getToken({ req: { headers: undefined } as never, raw: true })).toBeNull()
    await expect(getToken({ req: asking({ cookie: `${NAME}=x` }) })).rejects.toBeInstanceOf(
      MissingSecret,
    )
    await expect(
      getToken({ req: asking({ cookie: `${NAME}=x` }), secret: [''] }),
    ).rejects.toBeInstanceOf(MissingSecret)
  })

  test('needs a request', async () => {
    // @ts-expect-error: what a caller without types may do
    await expect(getToken({ secret: SECRET })).rejects.toThrow(
      'getToken: `req` is missing; pass the request',
    )
  })
})

test('a logger receives the reason why a token does not open, and not the token', async () => {
  const told: unknown[] = []
  const token = 'eyJhbGciOiJkaXIifQ..a.b.c'
  const req = { headers: new Headers({ authorization: `Bearer ${token}` }) }
  const logger = { debug: (message: string, detail?: unknown) => told.push([message, detail]) }
  expect(await getToken({ req, secret: SECRET, logger })).toBeNull()
  expect(told).toEqual([['getToken', { error: expect.stringContaining('it was not sealed') }]])
  expect(JSON.stringify(told)).not.toContain(token)
})

describe('APP-4: `getToken` without `secureCookie`', () => {
  afterEach(() => vi.unstubAllEnvs())

  test.each([
    [{ AUTH_URL: 'https://app.example' }, true],
    [{ AUTH_URL: ' HTTPS://App.example' }, true],
    [{ AUTH_URL: 'http://localhost:3000', VERCEL: '1' }, false],
    [{ NEXTAUTH_URL: 'https://app.example/api/auth' }, true],
    [{ AUTH_URL: '', NEXTAUTH_URL: '', VERCEL: '1' }, true],
    [{}, false],
  ])('follows the address of the site: %j', async (env, isSecure) => {
    for (const name of ['AUTH_URL', 'NEXTAUTH_URL', 'VERCEL']) vi.stubEnv(name, '')
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    const plain = await seal(NAME, { sub: 'plain' })
    const secure = await seal(SECURE, { sub: 'secure' })
    const req = asking({ cookie: `${NAME}=${plain}; ${SECURE}=${secure}` })
    const { sub } = (await getToken({ req, secret: SECRET })) ?? {}
    expect(sub).toBe(isSecure ? 'secure' : 'plain')
  })
})

describe('APP-4: a token of next-auth 4', () => {
  const THEIRS = 'next-auth.session-token'
  const accepting = { secret: SECRET, acceptSessionsFrom: ['next-auth@4'] } as const
  const theirs = (): Promise<string> => sealedByNextAuth4({ sub: 'u4' }, { key: SECRET })

  test('is read with its times, if that is asked for', async () => {
    const req = asking({ cookie: `${THEIRS}=${await theirs()}` })
    expect(await getToken({ req, ...accepting })).toEqual({
      sub: 'u4',
      exp: Date.UTC(2040, 0, 1) / 1000,
    })
    expect(await getToken({ req, secret: SECRET })).toBeNull()
    expect(await getToken({ req, secret: SECRET, acceptSessionsFrom: [] })).toBeNull()
  })

  test('is in the cookie with the prefix if the site uses https, in pieces, or a bearer token', async () => {
    const token = await theirs()
    const secure = asking({ cookie: `__Secure-${THEIRS}=${token}` })
    expect(await getToken({ req: secure, ...accepting, secureCookie: true })).toMatchObject({
      sub: 'u4',
    })
    expect(await getToken({ req: secure, ...accepting })).toBeNull()
    const pieces = `${THEIRS}.0=${token.slice(0, 90)}; ${THEIRS}.1=${token.slice(90)}`
    expect(await getToken({ req: asking({ cookie: pieces }), ...accepting })).toMatchObject({
      sub: 'u4',
    })
    const bearer = asking({ authorization: `Bearer ${token}` })
    expect(await getToken({ req: bearer, ...accepting })).toMatchObject({ sub: 'u4' })
  })

  test('is returned as it is with `raw`', async () => {
    const token = await theirs()
    const req = asking({ cookie: `${THEIRS}=${token}` })
    expect(await getToken({ req, ...accepting, raw: true })).toBe(token)
  })

  test('comes after a token of Latchkey, and another secret does not open it', async () => {
    const cookie = `${THEIRS}=${await theirs()}; ${NAME}=${await seal()}`
    expect(await getToken({ req: asking({ cookie }), ...accepting })).toMatchObject({ sub: 'u1' })
    const req = asking({ cookie: `${THEIRS}=${await sealedByNextAuth4({ sub: 'u4' })}` })
    expect(await getToken({ req, ...accepting })).toBeNull()
  })
})
