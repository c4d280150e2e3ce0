/** What happened to other libraries with mailed links, tried here: each under the id of its public advisory. */
import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../../src/adapters/memory/index.ts'
import type { World } from '../../../src/entries/testing.ts'
import { signInMail } from '../../../src/mail/sign-in-mail.ts'
import type { Adapter } from '../../../src/model/adapter.ts'
import type { EmailConfig } from '../../../src/options/provider-options.ts'
import {
  askForLink,
  changed,
  createSite,
  errorOf,
  ORIGIN,
  SESSION_COOKIE,
  sqlStore,
} from '../support/site.ts'

async function stores(): Promise<[name: string, adapter: Adapter, close: () => Promise<void>][]> {
  const sql = await sqlStore()
  return [
    ['memory', memoryAdapter(), async () => {}],
    ['SQLite', sql.adapter, sql.close],
  ]
}

/** The same browser many times over: it sends the same again before it is answered. */
function many(world: World): World[] {
  return Array.from({ length: 20 }, () => {
    const twin = world.otherBrowser()
    for (const [name, value] of world.jar) twin.jar.set(name, value)
    return twin
  })
}

describe('mailed links', () => {
  test('CVE-2021-21310: of one address sign in no other address', async () => {
    for (const [name, adapter, close] of await stores()) {
      const site = await createSite({ adapter })
      const link = await askForLink(site, 'eve@example.com')
      const end = await site.world.post(changed(link, 'email', 'ada@example.com'))
      expect([name, errorOf(end)]).toEqual([name, 'Verification'])
      expect([name, await site.world.session()]).toEqual([name, null])
      await close()
    }
  })

  test('CVE-2022-39263: with a wrong token sign nobody in', async () => {
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

  test('GHSA-hc7v-rggr-4hvx: that are followed many times at once make one session', async () => {
    for (const [name, adapter, close] of await stores()) {
      const site = await createSite({ adapter })
      const link = await askForLink(site)
      const browsers = many(site.world)
      const ends = await Promise.all(browsers.map((world) => world.get(link)))
      const errors = ends.map(errorOf).filter((error) => error !== null)
      expect([name, errors]).toEqual([name, Array(19).fill('Verification')])
      expect(browsers.filter(({ jar }) => jar.has(SESSION_COOKIE))).toHaveLength(1)
      expect(site.writes.filter(({ method }) => method === 'createSession')).toHaveLength(1)
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
  ])('%s: are not sent to %s', async (_id, email) => {
    const { world, mails, writes } = await createSite()
    expect(errorOf(await world.post('/auth/signin/email', { email }))).toBe('EmailSignin')
    expect([mails, writes]).toEqual([[], []])
  })

  // Each of them is @ to whoever normalizes.
  test.each(['\uff20', '\ufe6b'])(
    'GHSA-7rqj-j65f-68wh: are refused for %s, which mail software reads as an at-sign',
    async (sign) => {
      const { world, mails } = await createSite()
      const post = (email: string) => world.post('/auth/signin/email', { email })
      for (const email of [
        `ada@example.com${sign}evil.example`,
        `ada${sign}evil.example@example.com`,
        `eve${sign}evil.example,ada@example.com`,
        `"eve${sign}evil.example"@example.com`,
      ]) {
        expect([email, errorOf(await post(email))]).toEqual([email, 'EmailSignin'])
      }
      expect(mails).toEqual([])
      expect(errorOf(await post(`ada${sign}example.com`))).toBeNull()
      expect(mails.map(({ identifier }) => identifier)).toEqual(['ada@example.com'])
    },
  )

  test('GHSA-7rqj-j65f-68wh: are not sent to an address with two at-signs that `normalizeIdentifier` lets through', async () => {
    const sent: string[] = []
    const mail: EmailConfig = {
      id: 'email',
      name: 'Email',
      type: 'email',
      normalizeIdentifier: (typed) => typed.trim(),
      sendVerificationRequest: ({ identifier }) => void sent.push(identifier),
    }
    const { world } = await createSite({ config: { providers: [mail] } })
    for (const email of ['ada\uff20evil.example@example.com', 'ada\uff20example.com']) {
      expect(errorOf(await world.post('/auth/signin/email', { email }))).toBe('EmailSignin')
    }
    expect(sent).toEqual([])
    expect(errorOf(await world.post('/auth/signin/email', { email: 'Ada@example.com' }))).toBeNull()
    expect(sent).toEqual(['Ada@example.com'])
  })

  test('CVE-2022-31127: show no typed text', () => {
    const url = `${ORIGIN}/auth/callback/email?email=${encodeURIComponent('<b>claim@example.com')}`
    const { html } = signInMail({ url, theme: {}, provider: {} })
    expect(html).not.toContain('<b>claim')
    // Only as the address that the link leads to.
    expect(html.replaceAll(/href="[^"]*"/g, '').split('claim')).toHaveLength(
      html.split(`${ORIGIN}/auth/callback`).length - 1,
    )
  })
})

describe('mailed codes', () => {
  test('without an id, codes in a race: one that is entered many times at once makes one session', async () => {
    for (const [name, adapter, close] of await stores()) {
      const codes: string[] = []
      const mail: EmailConfig = {
        id: 'email',
        name: 'Email',
        type: 'email',
        code: true,
        sendVerificationRequest: ({ code = '' }) => void codes.push(code),
      }
      const { world } = await createSite({ adapter, config: { providers: [mail] } })
      await world.post('/auth/signin/email', { email: 'ada@example.com' })
      const browsers = many(world)
      const fields = { code: codes[0] ?? '' }
      await Promise.all(browsers.map((each) => each.post('/auth/callback/email', fields)))
      const signedIn = browsers.filter(({ jar }) => jar.has(SESSION_COOKIE))
      expect([name, signedIn.length]).toEqual([name, 1])
      expect((await signedIn[0]?.session())?.user?.['email']).toBe('ada@example.com')
      await close()
    }
  })
})
