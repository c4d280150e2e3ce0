/** What happened to other libraries, tried here: each under the id of its public advisory. */
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { signInMail } from '../../src/mail/sign-in-mail.ts'
import type { Adapter } from '../../src/model/adapter.ts'
import {
  acme,
  approve,
  askForLink,
  createSite,
  errorOf,
  locationOf,
  ORIGIN,
  passwordSignIn,
  SECRET,
  SESSION_COOKIE,
  sqlStore,
  strategies,
} from './support/site.ts'

/** A link of Eve's mail, with another address or token in it. */
function changed(link: string, name: string, value: string): string {
  const url = new URL(link, ORIGIN)
  url.searchParams.set(name, value)
  return url.pathname + url.search
}

async function stores(): Promise<[name: string, adapter: Adapter, close: () => Promise<void>][]> {
  const sql = await sqlStore()
  return [
    ['memory', memoryAdapter(), async () => {}],
    ['SQLite', sql.adapter, sql.close],
  ]
}

describe('mailed links', () => {
  test('CVE-2021-21310: the token of one address signs in no other', async () => {
    for (const [name, adapter, close] of await stores()) {
      const site = await createSite({ adapter })
      const link = await askForLink(site, 'eve@example.com')
      const end = await site.world.post(changed(link, 'email', 'ada@example.com'))
      expect([name, errorOf(end)]).toEqual([name, 'Verification'])
      expect([name, await site.world.session()]).toEqual([name, null])
      await close()
    }
  })

  test('CVE-2022-39263: an address without the right token signs nobody in', async () => {
    for (const [name, adapter, close] of await stores()) {
      const site = await createSite({ adapter })
      const link = await askForLink(site)
      for (const token of ['0'.repeat(64), site.mails[0]?.token.toUpperCase() ?? '', 'null']) {
        const end = await site.world.post(changed(link, 'token', token))
        expect([name, token, errorOf(end)]).toEqual([name, token, 'Verification'])
      }
      expect([name, await site.world.session()]).toEqual([name, null])
      await close()
    }
  })

  test.each([
    ['CVE-2022-35924', 'eve@evil.example,ada@example.com'],
    ['CVE-2022-35924', 'ada@example.com, eve@evil.example'],
    ['CVE-2022-35924', 'ada@example.com,evil.example'],
    ['GHSA-5jpx-9hw9-2fx4', '"eve@evil.example"@example.com'],
    ['GHSA-5jpx-9hw9-2fx4', '"eve@evil.example x"@example.com'],
    ['GHSA-5jpx-9hw9-2fx4', '"eve evil.example"@example.com'],
    ['CVE-2022-31127', 'ada@example.com<a href="https://evil.example">claim</a>'],
    ['CVE-2022-31127', '<b>claim</b>@example.com'],
  ])('%s: %s gets no mail', async (_id, email) => {
    const { world, mails, writes } = await createSite()
    expect(errorOf(await world.post('/auth/signin/email', { email }))).toBe('EmailSignin')
    expect([mails, writes]).toEqual([[], []])
  })

  test('CVE-2022-31127: the mail shows nothing that was typed', () => {
    const url = `${ORIGIN}/auth/callback/email?email=${encodeURIComponent('<b>claim@example.com')}`
    const { html } = signInMail(url, 600, {})
    expect(html).not.toContain('<b>claim')
    // Only as the address that the link leads to.
    expect(html.replaceAll(/href="[^"]*"/g, '').split('claim')).toHaveLength(
      html.split(`${ORIGIN}/auth/callback`).length - 1,
    )
  })
})

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

describe('answers of providers', () => {
  test.each([[['pkce', 'state']], [['pkce']], [['state']], [['none']], [[]]])(
    'CVE-2023-27490: with the checks %j no browser ends what another began',
    async (checks) => {
      const { world, sent, writes } = await createSite({
        config: { providers: [acme({ checks })] },
      })
      const link = approve(await world.post('/auth/signin/acme'), 'eve')
      for (const path of [link, link.replace(/&state=[^&]*/, ''), changed(link, 'state', '')]) {
        const victim = world.otherBrowser()
        expect(errorOf(await victim.get(path))).toBe('Configuration')
        expect(await victim.session()).toBeNull()
      }
      expect([sent, writes]).toEqual([[], []])
    },
  )
})

describe('addresses and paths', () => {
  test.each([
    '%',
    'http://',
    'https://[',
    'javascript:alert(1)',
    '\u0000',
    'https://a b/',
    ':',
    '\\',
  ])('CVE-2022-31093: the callback URL %j stops nothing', async (callbackUrl) => {
    const { world } = await createSite()
    const query = `callbackUrl=${encodeURIComponent(callbackUrl)}`
    for (const action of ['signin', 'signout', 'session', 'providers', 'csrf', 'error']) {
      expect((await world.get(`/auth/${action}?${query}`)).status).toBeLessThan(500)
    }
    const end = await passwordSignIn(world, 'ada', { callbackUrl })
    expect([end.status, new URL(locationOf(end)).origin]).toEqual([302, ORIGIN])
    expect(await world.session()).not.toBeNull()
  })

  test('GHSA-x732-6j76-qmhm: another spelling of a path passes no check by', async () => {
    const { world } = await createSite()
    await passwordSignIn(world)
    for (const path of [
      '//auth/signout',
      '/auth//signout',
      '/auth///signout/',
      '/auth/./signout',
    ]) {
      const end = await world.postWithoutCsrf(path)
      expect([path, end.status === 400 || errorOf(end) === 'MissingCSRF']).toEqual([path, true])
    }
    expect(await world.session()).not.toBeNull()
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
