import { describe, expect, test } from 'vitest'
import { tokens } from '../../src/plugins/tokens/index.ts'
import { twoFactor } from '../../src/plugins/two-factor/index.ts'
import { usernames } from '../../src/plugins/usernames/index.ts'
import { accountSite } from '../support/account-site.ts'
import { type CeremonyOptions, createAuthenticator } from '../support/authenticator.ts'
import { CHEAP } from '../support/passwords-site.ts'

const MARKUP = '<b onclick="x">&amp;'
const LINK = 'https://evil.example/x www.evil.example evil.example'
const HIDDEN = 'a\u202eb\u2066c\u200fd\r\nBcc: eve\0'
const LONG = 'x'.repeat(10_000)
const HOSTILE = `${MARKUP} ${LINK} ${HIDDEN} ${LONG}`

/** What no page and no mail may have, wherever the name of a stranger stands in it. */
const harm = [/<b onclick/, /[\u202a-\u202e\u2066-\u2069\u200e\u200f\0]/, /x{1000}/]

/** The second one if the whole request is too long. */
const REFUSED = [400, 413]

const html = { headers: { accept: 'text/html' } }

/** A site on which Ada has hostile names. */
async function hostileSite() {
  const site = accountSite(
    {},
    {
      session: { strategy: 'database' },
      plugins: [
        usernames(),
        twoFactor({ limits: false, recovery: { hash: CHEAP } }),
        tokens({
          apiKeys: { scopes: ['read'] },
          device: { clients: [{ id: 'cli', name: `${MARKUP}${HIDDEN}` }] },
        }),
      ],
    },
  )
  await site.signUp()
  const { adapter } = site.world.config
  const user = await adapter?.getUserByEmail?.('ada@example.com')
  // As a provider or an import gives it.
  await adapter?.updateUser?.({ id: user?.id ?? '', name: HOSTILE })
  return site
}

async function addPasskey(site: ReturnType<typeof accountSite>, name: string): Promise<Response> {
  const options = (await (await site.json('account/passkey-options')).json()) as CeremonyOptions
  const made = createAuthenticator(site.world.origin).create(options, { backupEligible: true })
  return site.json('account/add-passkey', { data: JSON.stringify(made), name })
}

describe('T-ACC-35, T-WEB-4: names of strangers', () => {
  test('are harmless on each page that shows one', async () => {
    const site = await hostileSite()
    const { world } = site
    await addPasskey(site, `${MARKUP} evil.example`)
    for (const name of [`${MARKUP}${LINK}`.slice(0, 60), `${MARKUP}a\u202eb\0c`])
      await site.json('api-keys/create', { name })
    await world.postWithoutCsrf('/auth/device/code', { client_id: 'cli' })
    for (const path of [
      'account',
      'account/passkeys',
      'account/links',
      'account/addresses',
      'account/username',
      'account/sessions',
      'account/keys',
      'account/two-factor',
      'password/change',
      'account/delete',
      'reauthenticate',
      'signin',
    ]) {
      const answer = await world.get(`/auth/${path}`, html)
      const page = await answer.text()
      for (const each of harm) expect(page, `${path} ${each}`).not.toMatch(each)
    }
    // The field has the whole name, since it is what is changed.
    const profile = await (await world.get('/auth/account/profile', html)).text()
    expect(profile).not.toContain('<b onclick')
    const asked = await world
      .otherBrowser()
      .postWithoutCsrf('/auth/device/code', { client_id: 'cli' })
    const { user_code: code } = (await asked.json()) as { user_code: string }
    const entered = await world.post('/auth/device/enter', { user_code: code }, html)
    const decide = entered.headers.get('location') ?? ''
    const device = await (await world.get(decide, html)).text()
    expect(device).toContain('&lt;b onclick')
    for (const each of harm) expect(device, `device ${each}`).not.toMatch(each)
  })

  test('are refused where they are typed, if they are too long or have hidden marks', async () => {
    const site = await hostileSite()
    for (const name of [HIDDEN, LONG]) {
      expect((await site.json('account/update', { name })).status).toBeOneOf(REFUSED)
      expect((await addPasskey(site, name)).status).toBeOneOf(REFUSED)
      expect((await site.json('api-keys/create', { name })).status).toBeOneOf(REFUSED)
      expect((await site.json('two-factor/enrol-totp', { name })).status).toBeOneOf(REFUSED)
      const browser = site.world.otherBrowser()
      const signUp = { email: 'bob@example.com', password: 'a rather long password', name }
      expect((await site.json('password/sign-up', signUp, browser)).status).toBeOneOf(REFUSED)
    }
  })

  test.each([
    ['first.last@new.example', 'first.last@new.example'],
    ['www.evil.example/login?x@new.example', 'www. evil. example/login?x@new. example'],
    [`${'x'.repeat(150)}@new.example`, `${'x'.repeat(99)}…`],
  ])('are no links in mails about a new address: %s is %s', async (to, shown) => {
    const site = accountSite()
    await site.signUp()
    await site.changeAddress(to)
    for (const subject of ['about to change', 'was changed']) {
      const { text, html: look } = await site.mailed(subject, 'ada@example.com')
      for (const part of [text, look]) expect(part.replaceAll('&#8203;', '')).toContain(shown)
      expect(text + look).not.toMatch(/www\.e|evil\.example|x{100}/)
    }
  })

  test('are one harmless line in each mail that has one', async () => {
    const site = await hostileSite()
    const before = site.mails.length
    await addPasskey(site, `${MARKUP} evil.example`)
    await site.json('api-keys/create', { name: `${MARKUP}https://evil.example` })
    const mails = [await site.mailed('passkey'), await site.mailed('API key')]
    expect(site.mails.length).toBeGreaterThan(before)
    for (const mail of mails) {
      expect(mail.text).toContain('<b onclick="x">&amp;')
      expect(mail.html).toContain('&lt;b onclick')
      for (const text of [mail.subject, mail.text, mail.html]) {
        expect(text).not.toMatch(/:\/\/evil|evil\.example|[\u202a-\u202e\u2066-\u2069\0]/)
        expect(text).not.toContain('\r')
      }
      expect(mail.subject).not.toContain('\n')
    }
  })
})
