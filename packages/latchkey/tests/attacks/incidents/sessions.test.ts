/** What happened to other libraries with sessions and their tokens, tried here: each under the id of its public advisory. */
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import {
  createSite,
  locationOf,
  passwordSignIn,
  SECRET,
  SESSION_COOKIE,
  strategies,
} from '../support/site.ts'

describe('sessions', () => {
  test('CVE-2023-48309: what an interrupted sign-in leaves in a browser is no session', async () => {
    const { world } = await createSite({ strategy: 'jwt' })
    const begun = await world.post('/auth/signin/corp')
    const state = new URL(locationOf(begun)).searchParams.get('state') ?? ''
    const left = [...world.jar].filter(([, value]) => value.length > 60)
    expect(left.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        '__Secure-authjs.state',
        '__Secure-authjs.pkce.code_verifier',
        '__Secure-authjs.nonce',
      ]),
    )
    for (const value of [state, ...left.map(([, each]) => each)]) {
      const eve = world.otherBrowser()
      eve.jar.set(SESSION_COOKIE, value)
      expect(await eve.session()).toBeNull()
    }
  })

  describe.each(['CVE-2022-25896', 'CVE-2023-29019'])('%s', (_id) => {
    test.each(strategies)(
      'a cookie from before the sign-in is no session after it (%s)',
      async (strategy) => {
        const { world } = await createSite({ strategy })
        await passwordSignIn(world, 'bob')
        const planted = world.jar.get(SESSION_COOKIE) ?? ''
        const victim = world.otherBrowser()
        victim.jar.set(SESSION_COOKIE, planted)
        await passwordSignIn(victim, 'ada')
        expect(victim.jar.get(SESSION_COOKIE)).not.toBe(planted)
        const eve = world.otherBrowser()
        eve.jar.set(SESSION_COOKIE, planted)
        expect((await eve.session())?.user?.['name']).not.toBe('ada')
      },
    )
  })
})

describe('sealed tokens', () => {
  const payload = JSON.stringify({ sub: 'ada', name: 'Ada', exp: Date.UTC(2031, 0, 1) / 1000 })

  /** A token that is sealed with the right key. */
  function seal(header: Record<string, unknown>, plaintext: Uint8Array): string {
    const info = `Auth.js Generated Encryption Key (${SESSION_COOKIE})`
    const key = Buffer.from(hkdfSync('sha256', SECRET, SESSION_COOKIE, info, 32))
    const protectedHeader = Buffer.from(JSON.stringify(header)).toString('base64url')
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, iv)
    cipher.setAAD(Buffer.from(protectedHeader))
    const parts = [
      iv,
      Buffer.concat([cipher.update(plaintext), cipher.final()]),
      cipher.getAuthTag(),
    ]
    return [protectedHeader, '', ...parts.map((part) => part.toString('base64url'))].join('.')
  }

  async function read(token: string): Promise<unknown> {
    const { world } = await createSite({ strategy: 'jwt' })
    world.jar.set(SESSION_COOKIE, token)
    return world.session()
  }

  test('that are sealed here would be sessions', async () => {
    const header = { alg: 'dir', enc: 'A256GCM' }
    expect(await read(seal(header, Buffer.from(payload)))).not.toBeNull()
  })

  test('CVE-2024-28176: a compressed one is not unpacked', async () => {
    const header = { alg: 'dir', enc: 'A256GCM', zip: 'DEF' }
    expect(await read(seal(header, deflateRawSync(payload)))).toBeNull()
    expect(await read(seal(header, Buffer.from(payload)))).toBeNull()
  })

  test('CVE-2022-36083: no number of rounds in a header is worked off', async () => {
    const header = { alg: 'PBES2-HS256+A128KW', enc: 'A256GCM', p2s: 'AAAA', p2c: 2 ** 31 - 1 }
    const begun = performance.now()
    expect(await read(seal(header, Buffer.from(payload)))).toBeNull()
    expect(performance.now() - begun).toBeLessThan(1000)
  })
})
