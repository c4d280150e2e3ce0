import { createCipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { CompactEncrypt, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createLatchkey } from '../../src/instance/create-latchkey.ts'
import { decode, encode, getToken } from '../../src/verifier/jwt.ts'
import { growth, LINEAR } from '../support/growth.ts'
import {
  approve,
  askForLink,
  CSRF_COOKIE,
  createSite,
  errorOf,
  passwordSignIn,
  SECRET,
  SESSION_COOKIE,
  strategies,
} from './support/site.ts'

test.each([undefined, '', [], [''], ['', '']])(
  'T-KEY-1: the secret %j is refused',
  async (secret) => {
    const config = { providers: [], trustHost: true, secret }
    expect(() => createLatchkey(config, {})).toThrow(/secret/)
    const { world } = await createSite({ config: { secret } })
    expect((await world.get('/auth/session')).status).toBe(500)
    expect((await world.get('/auth/signin')).status).toBe(500)
    expect(await encode({ salt: 'x', secret: secret ?? '' }).catch(() => 'refused')).toBe('refused')
  },
)

describe('T-KEY-2: one purpose, one key', () => {
  const salts = [
    'authjs.session-token',
    SESSION_COOKIE,
    '__Secure-authjs.state',
    '__Secure-authjs.nonce',
    '__Secure-authjs.pkce.code_verifier',
    '__Host-latchkey.email-request',
    'encodedState',
    '',
    ' ',
    'authjs.session-token ',
    'AUTHJS.SESSION-TOKEN',
  ]
  const secrets = [
    's'.repeat(32),
    `${'s'.repeat(32)} `,
    'S'.repeat(32),
    's'.repeat(31),
    's'.repeat(33),
  ]

  test('a value sealed for one purpose opens for no other one, nor with an almost equal secret', async () => {
    for (const sealedFor of salts) {
      for (const sealedWith of secrets) {
        const token = await encode({ token: { sub: 'ada' }, salt: sealedFor, secret: sealedWith })
        for (const salt of salts) {
          for (const secret of secrets) {
            const opened = await decode({ token, salt, secret }).catch(() => null)
            const isOwn = salt === sealedFor && secret === sealedWith
            expect([salt, secret, opened?.sub]).toEqual([salt, secret, isOwn ? 'ada' : undefined])
          }
        }
      }
    }
  })

  test('a session of the site over http is refused over https, and the other way round', async () => {
    for (const [from, to] of [
      ['https://app.example', 'http://app.example'],
      ['http://app.example', 'https://app.example'],
    ] as const) {
      const begun = await createSite({ strategy: 'jwt', origin: from })
      await passwordSignIn(begun.world)
      const [value = ''] = [...begun.world.jar].flatMap(([name, text]) =>
        name.endsWith('session-token') ? [text] : [],
      )
      const other = await createSite({ strategy: 'jwt', origin: to })
      for (const name of ['authjs.session-token', SESSION_COOKIE]) other.world.jar.set(name, value)
      expect(await other.world.session()).toBeNull()
    }
  })
})

describe.each(strategies)('T-KEY-3: secrets that change, with %s sessions', (strategy) => {
  test('values of a listed secret work, and those of a removed one do not, in random histories', async () => {
    const step = fc.constantFrom('rotate', 'retire', 'session', 'link', 'form', 'flow')
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        let secrets = ['the first secret of this history, 0123456789']
        const adapter = memoryAdapter()
        let seed = 0
        const open = () =>
          createSite({
            strategy,
            adapter,
            config: { secret: [...secrets] },
            seed: seed++,
          })
        /** Who made something, and whether it works in a site as it is then. */
        const made: { what: string; by: string; works: () => Promise<boolean> }[] = []
        let count = 0
        for (const what of steps) {
          const [by = ''] = secrets
          const { world, ...site } = await open()
          if (what === 'rotate')
            secrets = [`secret number ${++count} of this history, 0123456789`, ...secrets]
          else if (what === 'retire') secrets = secrets.length > 1 ? secrets.slice(0, -1) : secrets
          else if (what === 'session') {
            await passwordSignIn(world)
            made.push({
              what,
              by,
              works: async () => {
                const later = (await open()).world
                later.jar.set(SESSION_COOKIE, world.jar.get(SESSION_COOKIE) ?? '')
                return (await later.session()) !== null
              },
            })
          } else if (what === 'link') {
            const link = await askForLink({ world, ...site }, `visitor${made.length}@example.com`)
            made.push({
              what,
              by,
              works: async () => {
                const later = (await open()).world
                for (const [name, value] of world.jar) later.jar.set(name, value)
                return errorOf(await later.get(link)) === null && later.jar.has(SESSION_COOKIE)
              },
            })
          } else if (what === 'form') {
            const csrfToken = await world.csrfToken()
            made.push({
              what,
              by,
              works: async () => {
                const later = (await open()).world
                later.jar.set(CSRF_COOKIE, world.jar.get(CSRF_COOKIE) ?? '')
                return errorOf(await later.postWithoutCsrf('/auth/signout', { csrfToken })) === null
              },
            })
          } else {
            const back = approve(await world.post('/auth/signin/corp'), `visitor${made.length}`)
            made.push({
              what,
              by,
              works: async () => {
                const later = (await open()).world
                for (const [name, value] of world.jar) later.jar.set(name, value)
                await later.get(back)
                return later.jar.has(SESSION_COOKIE)
              },
            })
          }
        }
        const found = await Promise.all(
          made.map(
            async ({ what, by, works }) => [what, secrets.includes(by), await works()] as const,
          ),
        )
        for (const [what, expected, works] of found) expect([what, works]).toEqual([what, expected])
      }),
      { numRuns: 400 },
    )
  })
})

describe('T-KEY-4: forged tokens', () => {
  const salt = SESSION_COOKIE
  const info = `Auth.js Generated Encryption Key (${salt})`
  const keyOf = (length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', SECRET, salt, info, length))
  const now = Date.UTC(2030, 0, 1) / 1000
  const claims = { sub: 'ada', name: 'ada', email: 'ada@example.com', iat: now, exp: now + 3600 }

  /** A token under the right key, with whatever header: the worst case, since nobody else has the key. */
  function forge(
    header: string,
    { payload = JSON.stringify(claims), tag = 16, key = keyOf(32), iv = randomBytes(12) } = {},
  ): string {
    const protectedHeader = Buffer.from(header).toString('base64url')
    const cipher = createCipheriv('aes-256-gcm', key, iv)
    cipher.setAAD(Buffer.from(protectedHeader))
    const ciphertext = Buffer.concat([cipher.update(payload), cipher.final()])
    const mac = cipher.getAuthTag().subarray(0, tag)
    return `${protectedHeader}..${iv.toString('base64url')}.${ciphertext.toString('base64url')}.${mac.toString('base64url')}`
  }

  async function read(token: string): Promise<unknown> {
    const { world } = await createSite({ strategy: 'jwt' })
    world.jar.set(SESSION_COOKIE, token)
    const session = await world.session()
    const headers = new Headers({
      authorization: `Bearer ${token.replaceAll(/[^\x21-\x7e]/g, '')}`,
    })
    const bearer = await getToken({ req: { headers }, secret: SECRET, cookieName: salt })
    expect([token.slice(0, 80), bearer === null]).toEqual([token.slice(0, 80), session === null])
    return session
  }

  test('would be sessions if their header were right', async () => {
    expect(await read(forge('{"alg":"dir","enc":"A256GCM"}'))).not.toBeNull()
  })

  test.each([
    ['compression', '{"alg":"dir","enc":"A256GCM","zip":"DEF"}'],
    ['compression of nothing', '{"alg":"dir","enc":"A256GCM","zip":null}'],
    ['no algorithm', '{"enc":"A256GCM"}'],
    ['alg none', '{"alg":"none","enc":"A256GCM"}'],
    ['alg None', '{"alg":"None","enc":"A256GCM"}'],
    ['alg DIR', '{"alg":"DIR","enc":"A256GCM"}'],
    ['alg twice, dir first', '{"alg":"dir","alg":"none","enc":"A256GCM"}'],
    ['enc twice, ours first', '{"alg":"dir","enc":"A256GCM","enc":"A128GCM"}'],
    ['zip twice', '{"alg":"dir","enc":"A256GCM","zip":"DEF","zip":"none"}'],
    ['a list as alg', '{"alg":["dir"],"enc":"A256GCM"}'],
    ['a list as enc', '{"alg":"dir","enc":["A256GCM"]}'],
    ['no enc', '{"alg":"dir"}'],
    ['enc none', '{"alg":"dir","enc":"none"}'],
    ['a shorter key', '{"alg":"dir","enc":"A128GCM"}'],
    ['the other enc', '{"alg":"dir","enc":"A256CBC-HS512"}'],
    ['enc __proto__', '{"alg":"dir","enc":"__proto__"}'],
    ['a password', '{"alg":"PBES2-HS512+A256KW","enc":"A256GCM","p2c":1000000000,"p2s":"AAAA"}'],
    ['key wrapping', '{"alg":"A256KW","enc":"A256GCM"}'],
    ['RSA', '{"alg":"RSA-OAEP","enc":"A256GCM"}'],
    ['a critical header', '{"alg":"dir","enc":"A256GCM","crit":["exp"]}'],
    ['an empty critical header', '{"alg":"dir","enc":"A256GCM","crit":[]}'],
    ['another key id', '{"alg":"dir","enc":"A256GCM","kid":"other"}'],
    ['a number as key id', '{"alg":"dir","enc":"A256GCM","kid":1}'],
    ['null as key id', '{"alg":"dir","enc":"A256GCM","kid":null}'],
    ['a list', '[{"alg":"dir","enc":"A256GCM"}]'],
    ['null', 'null'],
    ['nothing', ''],
    ['a text', '"dir"'],
    ['JSON with a tail', '{"alg":"dir","enc":"A256GCM"}x'],
    ['a byte order mark', '\ufeff{"alg":"dir","enc":"A256GCM"}'],
    ['more than a kilobyte', `{"alg":"dir","enc":"A256GCM","x":"${'x'.repeat(2000)}"}`],
  ])('a header with %s is refused, though the key is right', async (_what, header) => {
    expect(await read(forge(header))).toBeNull()
  })

  test('a password with a billion rounds costs nothing', async () => {
    const header = '{"alg":"PBES2-HS512+A256KW","enc":"A256GCM","p2c":2147483647,"p2s":"AAAA"}'
    const begun = performance.now()
    for (let i = 0; i < 100; i++)
      await decode({ token: forge(header), salt, secret: SECRET }).catch(() => null)
    expect(performance.now() - begun).toBeLessThan(1000)
  })

  const header = (length: number): string =>
    Buffer.from(`{"alg":"dir","enc":"A256GCM","x":"${'x'.repeat(length)}"}`).toString('base64url')
  test.each<[string, (length: number) => string]>([
    ['a header', (length) => `${header(length)}..a.b.c`],
    ['dots', (length) => '.'.repeat(length)],
    ['parts', (length) => 'a.'.repeat(length / 2)],
    ['one part', (length) => `..${'a'.repeat(length)}..`],
  ])('%s of a megabyte costs no more than its length', async (_what, tokenOf) => {
    const read = (token: string) => decode({ token, salt, secret: SECRET }).catch(() => null)
    expect(await read(tokenOf(1_000_000))).toBeNull()
    const reading = (length: number) => {
      const token = tokenOf(length)
      return async () => {
        for (let i = 0; i < 50; i++) await read(token)
      }
    }
    expect(await growth(reading, 1_000_000)).toBeLessThan(LINEAR)
  })

  test('a shorter tag is refused, down to an empty one', async () => {
    for (let length = 0; length < 16; length++) {
      expect(await read(forge('{"alg":"dir","enc":"A256GCM"}', { tag: length }))).toBeNull()
    }
  })

  test('another length of the nonce is refused', async () => {
    for (const length of [1, 8, 11, 13, 16, 32]) {
      expect(
        await read(forge('{"alg":"dir","enc":"A256GCM"}', { iv: randomBytes(length) })),
      ).toBeNull()
    }
  })

  test.each([
    ['no object', 'null'],
    ['a list', '[]'],
    ['no JSON', 'x'],
    ['nothing', ''],
    ['an end that has passed', JSON.stringify({ ...claims, exp: now - 16 })],
    ['a text as end', JSON.stringify({ ...claims, exp: String(now + 60) })],
    ['null as end', JSON.stringify({ ...claims, exp: null })],
    ['not yet', JSON.stringify({ ...claims, nbf: now + 60 })],
    ['a text as beginning', JSON.stringify({ ...claims, nbf: '0' })],
  ])('content of %s is refused, though the key is right', async (_what, payload) => {
    const { world } = await createSite({ strategy: 'jwt' })
    world.jar.set(SESSION_COOKIE, forge('{"alg":"dir","enc":"A256GCM"}', { payload }))
    expect(await world.session()).toBeNull()
  })

  test('other kinds of token are refused: signed, unsigned, encrypted in other ways', async () => {
    const signer = new SignJWT(claims).setProtectedHeader({ alg: 'HS256' })
    const jwe = (alg: string, enc: string, key: Uint8Array) =>
      new CompactEncrypt(Buffer.from(JSON.stringify(claims)))
        .setProtectedHeader({ alg, enc })
        .encrypt(key)
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`
    for (const token of [
      await signer.sign(Buffer.from(SECRET)),
      await signer.sign(keyOf(32)),
      unsigned,
      `${unsigned}..`,
      await jwe('A256KW', 'A256GCM', keyOf(32)),
      await jwe('A256GCMKW', 'A256GCM', keyOf(32)),
      await jwe('dir', 'A128GCM', keyOf(16)),
      await jwe('dir', 'A128CBC-HS256', keyOf(32)),
      JSON.stringify(claims),
      createHmac('sha256', SECRET).update('ada').digest('hex'),
      'ada',
    ]) {
      expect([token.slice(0, 60), await read(token)]).toEqual([token.slice(0, 60), null])
    }
  })

  test('a session in any other spelling, or with any character changed, is refused', async () => {
    const { world } = await createSite({ strategy: 'jwt' })
    await passwordSignIn(world)
    const token = world.jar.get(SESSION_COOKIE) ?? ''
    const parts = token.split('.')
    const changed = [
      ...Array.from(
        token,
        (char, at) => `${token.slice(0, at)}${char === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`,
      ),
      ...Array.from(token, (_, at) => token.slice(0, at) + token.slice(at + 1)),
      ...parts.map((_, at) => parts.filter((_, other) => other !== at).join('.')),
      ...parts.map((part, at) =>
        parts.map((own, other) => (other === at ? `${part}=` : own)).join('.'),
      ),
      `${token}.`,
      `.${token}`,
      `${token}.${token}`,
      `${token}=`,
      token.toUpperCase(),
      token.replaceAll('-', '+').replaceAll('_', '/'),
    ].filter((text) => text !== token)
    for (const text of changed) {
      const thief = world.otherBrowser()
      thief.jar.set(SESSION_COOKIE, text)
      expect([text, await thief.session()]).toEqual([text, null])
    }
  })

  test('parts of two sessions make no third', async () => {
    const { world } = await createSite({ strategy: 'jwt' })
    const other = world.otherBrowser()
    await passwordSignIn(world, 'ada')
    await passwordSignIn(other, 'bob')
    const one = (world.jar.get(SESSION_COOKIE) ?? '').split('.')
    const two = (other.jar.get(SESSION_COOKIE) ?? '').split('.')
    for (let mask = 1; mask < 7; mask++) {
      const mixed = one
        .map((part, at) => (at > 1 && (mask >> (at - 2)) & 1 ? two[at] : part))
        .join('.')
      const thief = world.otherBrowser()
      thief.jar.set(SESSION_COOKIE, mixed)
      expect([mask, await thief.session()]).toEqual([mask, null])
    }
  })
})
