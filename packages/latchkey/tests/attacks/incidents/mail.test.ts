/** What happened to other libraries with mailed links, tried here: each under the id of its public advisory. */
import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../../src/adapters/memory/index.ts'
import { signInMail } from '../../../src/mail/sign-in-mail.ts'
import type { Adapter } from '../../../src/model/adapter.ts'
import { askForLink, changed, createSite, errorOf, ORIGIN, sqlStore } from '../support/site.ts'

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
