import { beforeAll, describe, expect, test } from 'vitest'
import { type AccountSite, accountSite } from '../../../../tests/support/account-site.ts'
import {
  type CeremonyOptions,
  createAuthenticator,
} from '../../../../tests/support/authenticator.ts'
import { giveNotice } from '../../../../tests/support/notice.ts'
import { addSecurityKey, authenticate } from '../../../../tests/support/passkeys.ts'
import { GOOD } from '../../../../tests/support/passwords-site.ts'
import type { Message } from '../../../base/texts/catalogue.ts'
import { createTestProvider, type TestProvider, type World } from '../../../entries/testing.ts'
import type { TextsOfLanguage } from '../../../options/texts-option.ts'
import { i18n } from '../../i18n/index.ts'
import { limits } from '../../limits/index.ts'
import { twoFactor } from '../../two-factor/index.ts'
import { problems } from '../refusals.ts'
import { texts } from '../texts.ts'

/** Each text is its key between marks, and then its places. */
const marked: TextsOfLanguage = Object.fromEntries(
  Object.entries<Message>(texts.en).map(([key, message]) => {
    const text = typeof message === 'string' ? message : message.other
    const shown = `⟦${key}⟧${(text.match(/\{\w+\}/g) ?? []).join(' ')}`
    return [key, typeof message === 'string' ? shown : { other: shown }]
  }),
)

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0'
const headers = { accept: 'text/html', 'accept-language': 'eo' }

/** Titles of refusals, which programs read, texts of fields that programs send, and what only development has. */
const ELSEWHERE: readonly string[] = [
  ...Object.values(problems).map(({ text }) => String(text)),
  'account:fixed',
  'account:invalid_language',
  'account:mailbox',
]

/** The mails of a site, as texts. */
function textsOf({ mails }: AccountSite): string[] {
  return mails.map(({ subject, html }) => `${subject}\n${html}`)
}

/** Shows pages and mails of undone changes and of deletions. */
async function showEnds(
  shown: string[],
  further: Parameters<typeof accountSite>[1],
  idp: TestProvider,
): Promise<void> {
  const get = async (path: string, browser: World): Promise<void> =>
    void shown.push(await (await browser.get(`/auth/${path}`, { headers })).text())
  const post = async (
    path: string,
    fields: Record<string, string>,
    browser: World,
  ): Promise<void> =>
    void shown.push(await (await browser.post(`/auth/${path}`, fields, { headers })).text())
  const stolen = accountSite({}, further)
  await stolen.signUp()
  await stolen.changeAddress('new@example.com')
  await stolen.mailed('changed.subject', 'ada@example.com').catch(() => {})
  await stolen.signUp('ada@example.com', GOOD, stolen.world.otherBrowser())
  await stolen.mailed('was changed', 'ada@example.com')
  const late = stolen.world.otherBrowser()
  await late.get(stolen.link('account/undo-address'), { headers })
  await post('account/undo-address', {}, late)

  const noAddress = accountSite({}, further)
  idp.profile = { sub: 'nobody', name: 'Nobody' }
  await idp.signIn(noAddress.world, { id: 'acme' })
  await get('account/addresses', noAddress.world)
  await noAddress.world.post('/auth/account/change-address', { email: 'no@example.com' })
  await get('account/addresses', noAddress.world)

  const leaving = accountSite({}, further)
  await leaving.signUp()
  await get('account/data', leaving.world)
  await get('account/delete', leaving.world)
  for (const confirm of ['', 'x', 'ada@example.com'])
    await post('account/delete', { confirm }, leaving.world)
  await leaving.signIn()
  await get('account/keep', leaving.world)
  leaving.world.advance(7 * 24 * 60 * 60)
  await leaving.signIn()
  Object.assign(leaving.world.config.adapter as object, {
    deleteUser: async () => Promise.reject(new Error('gone')),
  })
  await leaving.maintain()
  await get('account/keep', leaving.world)
  const deleted = accountSite({}, further)
  await deleted.signUp()
  await post('account/delete', { confirm: 'ada@example.com' }, deleted.world)
  deleted.world.advance(7 * 24 * 60 * 60)
  await deleted.maintain()
  const byMail = accountSite({ account: { deletion: { confirm: 'mail' } } }, further)
  await byMail.signUp()
  await post('account/delete', { confirm: 'ada@example.com' }, byMail.world)
  await byMail.mailed('mail.delete.subject')
  await byMail.world.get(byMail.link('account/confirm-delete'), { headers })
  await get('account/confirm-delete', byMail.world)
  await byMail.world.get(byMail.link('account/secure'), { headers })
  await get('account/secure', byMail.world)
  const atOnce = accountSite({ account: { deletion: { grace: 0 } } }, further)
  await atOnce.signUp()
  await get('account/data', atOnce.world)
  await get('account/delete', atOnce.world)
  await post('account/delete', { confirm: 'ada@example.com' }, atOnce.world)
  for (const each of [stolen, noAddress, leaving, deleted, byMail, atOnce])
    shown.push(...textsOf(each))
}

describe('I18N-6: the texts of the plugin account', () => {
  const shown: string[] = []

  beforeAll(async () => {
    const idp = createTestProvider({ id: 'acme' })
    const further = { texts: { eo: marked }, providers: [idp.provider] }
    const picky = limits({ hooks: { isDisposable: (address) => address.startsWith('thrown@') } })
    const keys = accountSite({}, { ...further, plugins: [twoFactor(), i18n(), picky] })
    await keys.signUp()
    const thrown = { email: 'thrown@example.com' }
    const refused = await keys.world.post('/auth/account/change-address', thrown, { headers })
    shown.push(await refused.text())
    shown.push(await (await keys.world.get('/auth/account/profile', { headers })).text())
    const adding = '/auth/account/passkey-options'
    shown.push(await (await keys.world.post(adding, { second: '1' }, { headers })).text())
    await addSecurityKey(keys, createAuthenticator('https://app.example'), keys.world, 'platform')
    shown.push(await (await keys.world.get('/auth/account/passkeys', { headers })).text())
    const letIn = accountSite({ passwords: { verify: 'after' } }, further)
    await letIn.json('password/sign-up', { email: 'ada@example.com', password: GOOD })
    await letIn.signIn()
    shown.push(await (await letIn.world.get('/auth/account/addresses', { headers })).text())
    const site = accountSite({ account: { changeImage: true } }, further)
    const { world } = site
    const show = async (answer: Response): Promise<void> => {
      shown.push(await answer.text())
    }
    const get = async (path: string, browser = world): Promise<void> =>
      show(await browser.get(`/auth/${path}`, { headers }))
    const post = async (
      path: string,
      fields: Record<string, string> = {},
      browser = world,
    ): Promise<void> => show(await browser.post(`/auth/${path}`, fields, { headers }))
    const told = async (path: string, ...notice: [string, ...string[]]): Promise<void> => {
      await giveNotice(world, `/auth/${path}`, ...notice)
      await get(path)
    }
    const mailed = async (count: number): Promise<void> => {
      for (let waits = 0; waits < 3000 && site.mails.length < count; waits++)
        await new Promise((resolve) => setTimeout(resolve, 10))
      if (site.mails.length < count) throw new Error('a mail is missing')
    }
    await site.signUp()
    await site.signUp('bob@example.com', undefined, world.otherBrowser())
    await get('account')
    await get('account/profile')
    await told('account/profile', 'saved')
    for (const name of ['x'.repeat(201), '\u202e'])
      await post('account/update', { name, image: 'http:' })

    await get('account/passkeys')
    await told('account/passkeys', 'removed')
    await post('account/passkey-options')
    const options = (await (await site.json('account/passkey-options')).json()) as CeremonyOptions
    const data = JSON.stringify(
      createAuthenticator('https://app.example').create(options, { backupEligible: false }),
    )
    const added = await world.post(
      '/auth/account/add-passkey',
      { data },
      { headers: { ...headers, 'user-agent': FIREFOX } },
    )
    await show(await world.get(added.headers.get('location') ?? '', { headers }))
    const synced = (await (await site.json('account/passkey-options')).json()) as CeremonyOptions
    const key = createAuthenticator('https://app.example')
    const other = key.create(synced, { backupEligible: true })
    await post('account/add-passkey', { data: JSON.stringify(other) })
    await authenticate(world.otherBrowser(), key)
    await get('account/passkeys')
    const { passkeys } = (await site.read('account/passkeys')) as { passkeys: { id: string }[] }
    const [passkey] = passkeys
    await told('account/passkeys', 'renamed', 'Phone')
    await get(`account/passkeys?confirm=${passkey?.id}`)
    await post('account/remove-passkey', { id: passkey?.id ?? '' })

    world.advance(1)
    await get('account/links')
    const begun = await site.json('account/link', { provider: 'acme' })
    const back = idp.authorize(((await begun.json()) as { url: string }).url, { now: world.now() })
    await world.get(back.pathname + back.search, { headers })
    await get('account/links')
    const { links } = (await site.read('account/links')) as { links: { id: string }[] }
    await get(`account/links?confirm=${links[0]?.id}`)
    await post('account/unlink', { id: links[0]?.id ?? '' })
    await told('account/links', 'removed', 'Acme')

    const before = site.mails.length
    await get('account/addresses')
    await told('account/addresses', 'kept')
    for (const email of ['', 'ada@', 'ada@example.com'])
      await post('account/change-address', { email })
    await post('account/change-address', { email: 'bob@example.com' })
    await mailed(before + 2)
    await post('account/change-address', { email: 'new@example.com' })
    await mailed(before + 4)
    await get('account/addresses')
    await post('account/confirm-address', { code: '1' })
    await show(await world.get(site.link('account/confirm-address'), { headers }))
    await get('account/confirm-address')
    await post('account/confirm-address')
    await mailed(before + 6)
    await told('account/addresses', 'changed')
    await get('account/confirm-address')
    const owner = world.otherBrowser()
    await owner.get(site.link('account/secure'), { headers })
    await get('account/secure', owner)
    const passkeyMail = site.mails.find(({ text }) => text.includes('passkey-added.body'))
    const ofPasskey = /\/auth\/account\/secure\?\S*/.exec(passkeyMail?.text ?? '')?.[0] ?? ''
    world.advance(1)
    await owner.get(ofPasskey, { headers })
    await get('account/secure', owner)
    await post('account/secure', {}, owner)
    await owner.get(site.link('account/undo-address'), { headers })
    await get('account/undo-address', owner)
    await post('account/undo-address', {}, owner)
    await get('account/undo-address', owner)

    await showEnds(shown, further, idp)
    shown.push(...textsOf(site))
  })

  test('are shown by pages and mails, each at least once', () => {
    const all = shown.join('\n')
    const keys = new Set([...all.matchAll(/⟦([^⟧]+)⟧/g)].map(([, key]) => key))
    const missing = Object.keys(texts.en).filter(
      (key) => !keys.has(key) && !ELSEWHERE.includes(key),
    )
    expect(missing).toEqual([])
  })

  test('name every refusal', () => {
    for (const { text } of Object.values(problems)) expect(texts.en).toHaveProperty([String(text)])
  })

  test('have a value for each place', () => {
    for (const text of shown)
      expect(text.replace(/<(style|script)>[\s\S]*?<\/\1>/g, '')).not.toMatch(/\{\w+\}/)
  })
})
