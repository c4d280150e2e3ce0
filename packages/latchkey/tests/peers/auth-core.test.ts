import { Auth as PeerAuth, type AuthConfig as PeerConfig } from '@auth/core'
import {
  decode as peerDecode,
  encode as peerEncode,
  getToken as peerGetToken,
} from '@auth/core/jwt'
import peerCredentials from '@auth/core/providers/credentials'
import { Auth, type AuthConfig } from 'latchkey'
import { decode, encode, getToken } from 'latchkey/jwt'
import credentials from 'latchkey/providers/credentials'
import { describe, expect, test } from 'vitest'
import { type Answer, Visit } from './auth-core-visit.ts'

const secret = 'latchkey-test-secret-0123456789abcdef'
const older = 'latchkey-test-secret-of-last-year-0123'
const salt = 'authjs.session-token'

/** The protected header of a compact JWE. */
function headerOf(token: string): Record<string, string> {
  const [header = ''] = token.split('.')
  return JSON.parse(Buffer.from(header, 'base64url').toString()) as Record<string, string>
}

describe('sealed tokens', () => {
  const claims = { name: 'Ada', email: 'ada@example.com', sub: 'u1', nested: { list: [1, 'é'] } }

  test.for([
    ['one secret', secret, secret],
    ['a new secret in front', secret, [older, secret]],
    ['the first of two', [secret, older], [older, secret]],
  ] as const)('of Auth.js are opened: %s', async ([, sealing, opening]) => {
    const token = await peerEncode({ token: claims, secret: [sealing].flat(), salt })
    expect(headerOf(token)['enc']).toBe('A256CBC-HS512')
    expect(await decode({ token, secret: opening, salt })).toMatchObject(claims)
  })

  test.for([
    ['one secret', secret, secret],
    ['a new secret in front', secret, [older, secret]],
    ['the first of two', [secret, older], [older, secret]],
  ] as const)('are opened by Auth.js: %s', async ([, sealing, opening]) => {
    const token = await encode({ token: claims, secret: sealing, salt })
    expect(headerOf(token)['enc']).toBe('A256GCM')
    expect(await peerDecode({ token, secret: [opening].flat(), salt })).toMatchObject(claims)
  })

  test('name the same key in both, and live as long', async () => {
    const params = { token: claims, secret, salt, maxAge: 60 }
    const [ours, theirs] = [await encode(params), await peerEncode(params)]
    expect(headerOf(ours)['kid']).toBe('L7SflqWFhG7Xy4G5q4EguWr7lwVlnYNZRcZ4sFle6zo')
    expect(headerOf(theirs)['kid']).toBe(
      'juqqSSq9_Fwe3xHvcamEHBZXiWsehtSapCHQK8had5j0O5kU_Dc1CHXvJhYCrnH5pFpyCOvw4E0i9okvl454HA',
    )
    const [a, b] = [
      await peerDecode({ ...params, token: ours }),
      await decode({ ...params, token: theirs }),
    ]
    expect((a?.exp ?? 0) - (a?.iat ?? 0)).toBe(60)
    expect(Number(b?.exp) - Number(b?.iat)).toBe(60)
    expect(a?.jti).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  })

  test('of an early version of Auth.js are opened', async () => {
    const token =
      'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoianVxcVNTcTlfRndlM3hIdmNhbUVIQlpYaVdzZWh0U2FwQ0hRSzhoYWQ1ajBPNWtVX0RjMUNIWHZKaFlDcm5INXBGcHlDT3Z3NEUwaTlva3ZsNDU0SEEifQ..AQEBAQEBAQEBAQEBAQEBAQ.i7-cWmhlG0_dxv_gsAhkOu_ZdhKTNbJWgnzUa4rU0hVcid6W-Sp9yMPMm_izvyak3H2XETmlZhZ8giuTrbzGCeQq6REOEwRuKZT8JjwUgugT-CTAxryAs6lLGeaETPCTnCaHELBL5FmYNIiJeKD9zXA0FwL1ymQ38tIBVc82m6BDp68-sV-SjOmfXek-ZUd7.KNAA5q3D0DxwQDV3iez77wc0SDqTLjaXTn1s-JdDZog'
    expect(await decode({ token, secret, salt })).toEqual({
      name: 'Ada',
      email: 'ada@example.com',
      sub: 'u1',
      iat: 1_700_000_000,
      exp: 4_102_444_800,
      jti: '00000000-0000-4000-8000-000000000000',
    })
  })

  test('with another secret, another salt or a forgery are opened by neither', async () => {
    const ours = await encode({ token: claims, secret, salt })
    const theirs = await peerEncode({ token: claims, secret, salt })
    const opens = async (open: () => unknown): Promise<unknown> => {
      try {
        return await open()
      } catch {
        return null
      }
    }
    for (const wrong of [
      { secret: older, salt },
      { secret, salt: '__Secure-authjs.session-token' },
    ]) {
      expect(await opens(() => decode({ token: theirs, ...wrong }))).toBeNull()
      expect(await opens(() => peerDecode({ token: ours, ...wrong }))).toBeNull()
    }
    expect(await decode({ secret, salt })).toBeNull()
    expect(await peerDecode({ secret, salt })).toBeNull()
  })

  test('are found by `getToken` of each in the session cookie of the other, in chunks or not', async () => {
    for (const name of ['Ada', 'A'.repeat(6000)]) {
      const [ours, theirs] = [
        await encode({ token: { name }, secret, salt }),
        await peerEncode({ token: { name }, secret, salt }),
      ]
      expect(await peerGetToken({ req: carrying(ours), secret, salt })).toMatchObject({ name })
      expect(await getToken({ req: carrying(theirs), secret, salt })).toMatchObject({ name })
    }
  })

  /** A request with the token in its session cookies. */
  function carrying(token: string): Request {
    const chunks = token.match(/.{1,3936}/g) ?? []
    const cookie =
      chunks.length === 1
        ? `${salt}=${token}`
        : chunks.map((chunk, index) => `${salt}.${index}=${chunk}`).join('; ')
    return new Request('http://app.example/', { headers: { cookie } })
  }
})

describe('the CSRF cookie beside Auth.js', () => {
  const token = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'
  const hash = '4b18d4465c4e9cd996d989155e7082a7c4ad95eedb0ebb110dac31da077e6b89'

  test('is kept by both if both know it', async () => {
    for (const answer of [ours(), theirs()]) {
      const visit = new Visit([['__Host-authjs.csrf-token', `${token}%7C${hash}`]])
      const response = await visit.get(answer, '/auth/csrf')
      expect(await response.json()).toEqual({ csrfToken: token })
      expect(response.headers.getSetCookie().join()).not.toContain('csrf-token')
    }
  })

  test('accepts a form of one at the other', async () => {
    for (const [first, second] of [
      [ours(), theirs()],
      [theirs(), ours()],
    ] as const) {
      const visit = new Visit()
      const { csrfToken } = (await (await visit.get(first, '/auth/csrf')).json()) as {
        csrfToken: string
      }
      await visit.post(second, '/auth/callback/credentials', { csrfToken })
      expect(await visit.session(second)).toMatchObject({ user: { name: 'Ada' } })
    }
  })
})

describe('people who are signed in stay signed in', () => {
  const long = `${'a'.repeat(7000)}@example.com`

  for (const email of ['ada@example.com', long]) {
    const size = email === long ? 'in several cookies' : 'in one cookie'

    test(`after a move from Auth.js, ${size}`, async () => {
      const visit = new Visit()
      await visit.signIn(theirs(email))
      expect(visit.sessionCookies.length > 1).toBe(email === long)
      expect(await visit.session(ours(email))).toMatchObject({ user: { name: 'Ada', email } })
    })

    test(`after a move back, ${size}`, async () => {
      const visit = new Visit()
      await visit.signIn(ours(email))
      expect(visit.sessionCookies.length > 1).toBe(email === long)
      expect(await visit.session(theirs(email))).toMatchObject({ user: { name: 'Ada', email } })
      // The peer has written the cookie again, in its own way.
      expect(await visit.session(ours(email))).toMatchObject({ user: { name: 'Ada', email } })
    })

    test(`until they sign out at either, ${size}`, async () => {
      for (const [first, second] of [
        [ours(email), theirs(email)],
        [theirs(email), ours(email)],
      ] as const) {
        const visit = new Visit()
        await visit.signIn(first)
        const { csrfToken } = (await (await visit.get(second, '/auth/csrf')).json()) as {
          csrfToken: string
        }
        await visit.post(second, '/auth/signout', { csrfToken })
        expect(visit.sessionCookies).toEqual([])
        expect(await visit.session(first)).toBeNull()
      }
    })
  }

  test('with a secret that is rotated on the way, in both directions', async () => {
    const away = new Visit()
    await away.signIn(theirs(undefined, [older]))
    expect(await away.session(ours(undefined, [secret, older]))).toMatchObject({
      user: { name: 'Ada' },
    })

    const back = new Visit()
    await back.signIn(ours(undefined, [older]))
    expect(await back.session(theirs(undefined, [secret, older]))).toMatchObject({
      user: { name: 'Ada' },
    })
  })

  test('with a session that is the same at both', async () => {
    const visit = new Visit()
    await visit.signIn(theirs())
    const [a, b] = [await visit.session(ours()), await visit.session(theirs())]
    expect(keysOf(a)).toEqual(keysOf(b))
  })

  function keysOf(session: unknown): string[] {
    const { user } = session as { user: object }
    return [...Object.keys(session as object), ...Object.keys(user)].sort()
  }
})

const silent = { error() {}, warn() {}, debug() {} }
const ada = (email: string): { id: string; name: string; email: string } => ({
  id: 'u1',
  name: 'Ada',
  email,
})

function ours(email = 'ada@example.com', secrets: string[] = [secret]): Answer {
  const config: AuthConfig = {
    providers: [credentials({ credentials: {}, authorize: () => ada(email) })],
    secret: secrets,
    trustHost: true,
    logger: silent,
  }
  return (request) => Auth(request, config)
}

function theirs(email = 'ada@example.com', secrets: string[] = [secret]): Answer {
  const config: PeerConfig = {
    providers: [peerCredentials({ credentials: {}, authorize: () => ada(email) })],
    secret: secrets,
    trustHost: true,
    logger: silent,
    basePath: '/auth',
  }
  return (request) => PeerAuth(request, config)
}
