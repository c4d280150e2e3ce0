import { beforeAll, describe, expect, test } from 'vitest'
import { accountSite } from '../../../../tests/support/account-site.ts'
import { createAuthenticator } from '../../../../tests/support/authenticator.ts'
import { giveNotice } from '../../../../tests/support/notice.ts'
import { addSecurityKey } from '../../../../tests/support/passkeys.ts'
import { twoFactorSite } from '../../../../tests/support/two-factor-site.ts'
import type { Message } from '../../../base/texts/catalogue.ts'
import { en } from '../../../base/texts/en.ts'
import { createTexts } from '../../../base/texts/texts.ts'
import { type SiteRequest, trusted, type WrittenMail } from '../../../entries/plugin.ts'
import type { TextsOfLanguage } from '../../../options/texts-option.ts'
import { twoFactor } from '../index.ts'
import { mailAbout, mailCode, type NoticeKind } from '../mails.ts'
import type { Own } from '../own.ts'
import { factorsPage } from '../pages/account.ts'
import { provePage } from '../pages/prove.ts'
import { problems } from '../refusals.ts'
import type { PageParts } from '../routes/parts.ts'
import { texts } from '../texts.ts'

const NOON = '2030-01-01T12:00:00.000Z'
const BROWSER = { name: null, lastUsedAt: NOON, until: NOON, thisDevice: true }

/** Each text is its key between marks, and then its places. */
const marked: TextsOfLanguage = Object.fromEntries(
  Object.entries<Message>(texts.en).map(([key, message]) => {
    const text = typeof message === 'string' ? message : message.other
    const shown = `⟦${key}⟧${(text.match(/\{\w+\}/g) ?? []).join(' ')}`
    return [key, typeof message === 'string' ? shown : { other: shown }]
  }),
)

const headers = { accept: 'text/html', 'accept-language': 'eo' }
const REQUEST = {
  origin: 'https://app.example',
  original: new Request('https://app.example'),
} as unknown as SiteRequest

const own = createTexts('eo', { eo: marked }, { en }, texts)

/** Returns what mails need, and keeps what they say. */
function mailsTo(shown: string[]): Own {
  const site = { theme: {}, path: (route: string) => `/auth/${route}`, text: async () => own }
  const mail = async ({ subject, html }: WrittenMail): Promise<void> =>
    void shown.push(`${subject}\n${html}`)
  return { host: { site, mail, ports: { now: () => 0 } } } as unknown as Own
}

/** Titles of refusals, which programs read. */
const ELSEWHERE: readonly string[] = Object.values(problems).map(({ text }) => String(text))

const ADA = { to: 'ada@example.com', userId: 'ada' }

describe('I18N-6: the texts of the plugin twoFactor', () => {
  const shown: string[] = []

  beforeAll(async () => {
    const site = twoFactorSite({ require: 'all', grace: 60 }, { texts: { eo: marked } })
    const { world } = site
    const show = async (answer: Response): Promise<string> => {
      const text = await answer.text()
      shown.push(text)
      return text
    }
    const get = async (path: string, browser = world): Promise<string> =>
      show(await browser.get(`/auth/${path}`, { headers }))
    const post = async (
      path: string,
      fields: Record<string, string> = {},
      browser = world,
    ): Promise<string> => show(await browser.post(`/auth/${path}`, fields, { headers }))

    await site.signUp()
    await get('account')
    await get('account/two-factor')
    world.advance(61)
    const waiting = world.otherBrowser()
    await site.signIn(undefined, undefined, waiting)
    await get('two-factor/enrol', waiting)
    await get('two-factor/enrol-totp', waiting)
    const page = await post('two-factor/enrol-totp', {}, waiting)
    const [, id = ''] = /name="id" value="([^"]+)"/.exec(page) ?? []
    const [, key = ''] = /id="key"[^>]*>([^<]+)</.exec(page) ?? []
    const app = site.app(key.replaceAll(' ', ''), id)
    await post('two-factor/confirm-totp', { id, code: app.code(7) }, waiting)
    await post('two-factor/confirm-totp', { id, code: app.code() }, waiting)
    await get('two-factor/recovery-codes', waiting)
    await post('two-factor/kept', { kept: '1' }, waiting)
    await get('two-factor/recovery-codes', waiting)
    const next = world.otherBrowser()
    world.advance(60)
    await site.signIn(undefined, undefined, next)
    await get('two-factor', next)
    await get('two-factor?method=recovery', next)
    await post('two-factor/verify', { method: 'totp', code: '0' }, next)
    await post('two-factor/verify', { method: 'totp', code: app.code(), trust: '1' }, next)
    for (const query of [`rename=${id}`, `remove=${id}`])
      await get(`account/two-factor?${query}`, next)
    for (const notice of ['added', 'removed', 'renamed', 'forgotten', 'codes']) {
      await giveNotice(next, '/auth/account/two-factor', notice)
      await get('account/two-factor', next)
    }
    await get('reauthenticate', next)
    await get('reauthenticate?way=recovery', next)
    const lost = world.otherBrowser()
    await site.signIn(undefined, undefined, lost)
    const made = await site.json('two-factor/recovery-codes', {}, next)
    const { codes } = (await made.json()) as { codes: string[] }
    for (const code of codes.slice(0, 2)) {
      await site.signIn(undefined, undefined, lost)
      await site.verify(code, lost, { method: 'recovery' })
    }
    await get('account/two-factor', lost)

    const plain = twoFactorSite({}, { texts: { eo: marked } })
    await plain.signUp()
    shown.push(await (await plain.world.get('/auth/account/two-factor', { headers })).text())

    const parts = { texts: own, name: 'Acme', path: () => '/' } as unknown as PageParts
    for (const isWrong of [false, true]) {
      const passkeyPage = { method: 'passkey', others: ['totp'], who: 'ada', isWrong } as const
      shown.push(JSON.stringify(provePage(passkeyPage, parts)))
    }
    shown.push(JSON.stringify(provePage({ method: 'totp', others: ['passkey'], who: '' }, parts)))
    const keys = {
      apps: [],
      left: 0,
      hasCodes: true,
      browsers: ['a', 'b'].map((id) => ({ id, ...BROWSER })),
      until: undefined,
      keys: 2,
      addsKeys: true,
    }
    for (const usesKeys of [false, true])
      for (const done of ['used', 'stopped', 'mailed', 'unmailed', 'forgotten-one'] as const) {
        const factors = { ...keys, usesKeys, email: usesKeys, isOn: usesKeys, done }
        shown.push(JSON.stringify(factorsPage(factors, parts)))
      }
    shown.push(JSON.stringify(provePage({ method: undefined, others: [], who: 'ada' }, parts)))
    const mailbox = trusted('/auth/mailbox')
    for (const isSent of [false, true])
      shown.push(
        JSON.stringify(
          provePage({ method: 'email', others: ['email'], who: 'ada', isSent, mailbox }, parts),
        ),
      )
    const refused = { method: undefined, others: [], who: 'ada', isByMailbox: true }
    shown.push(JSON.stringify(provePage(refused, parts)))
    await mailCode(ADA, '123456', REQUEST, mailsTo(shown))
    const withKey = accountSite({}, { plugins: [twoFactor()], texts: { eo: marked } })
    await withKey.signUp()
    await addSecurityKey(withKey, createAuthenticator('https://app.example'))
    await withKey.json('two-factor/enrol-totp')
    shown.push(
      await (await withKey.world.get('/auth/reauthenticate?way=recovery', { headers })).text(),
    )
    const kinds: NoticeKind[] = [
      'factor-added',
      'factor-removed',
      'factor-disabled',
      'recovery-used',
      'recovery-made',
      'wrong-codes',
    ]
    for (const kind of kinds) await mailAbout(kind, ADA, REQUEST, mailsTo(shown), 1)
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
