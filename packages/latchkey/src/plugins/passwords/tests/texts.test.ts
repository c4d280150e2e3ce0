import { beforeAll, describe, expect, test } from 'vitest'
import { giveNotice } from '../../../../tests/support/notice.ts'
import { GOOD, OTHER, passwordsSite } from '../../../../tests/support/passwords-site.ts'
import { codes } from '../../../../tests/support/reauthenticate-site.ts'
import type { Message } from '../../../base/texts/catalogue.ts'
import { en } from '../../../base/texts/en.ts'
import { createTexts } from '../../../base/texts/texts.ts'
import type { SiteRequest, WrittenMail } from '../../../entries/plugin.ts'
import type { TextsOfLanguage } from '../../../options/texts-option.ts'
import { usernames } from '../../usernames/index.ts'
import {
  mailAlreadyRegistered,
  mailBreached,
  mailCleared,
  mailDisabled,
  mailLetIn,
  mailReset,
  mailVerification,
} from '../mails.ts'
import type { Own } from '../own.ts'
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

const headers = { accept: 'text/html', 'accept-language': 'eo' }
const further = { texts: { eo: marked }, plugins: [usernames(), codes()] } as const
const REQUEST = {
  origin: 'https://app.example',
  original: new Request('https://app.example'),
} as unknown as SiteRequest

/** Returns what mails need, and keeps what they say. */
function mailsTo(shown: string[]): Own {
  const site = {
    theme: {},
    path: (route: string) => `/auth/${route}`,
    text: async () => createTexts('eo', { eo: marked }, { en }, texts),
  }
  const mail = async ({ subject, html }: WrittenMail): Promise<void> =>
    void shown.push(`${subject}\n${html}`)
  const settings = { unprovedLifetime: 7 * 24 * 60 * 60 }
  return { host: { site, mail, ports: { now: () => 0 } }, settings } as unknown as Own
}

/** Titles of refusals, which programs read, and texts for what this configuration does not have. */
const ELSEWHERE: readonly string[] = [
  ...Object.values(problems).map(({ text }) => String(text)),
  'passwords:verify.mailbox',
  'passwords:not_accepted',
  'passwords:not_text',
  'passwords:change.must',
]

const ADA = { to: 'ada@example.com', userId: 'ada' }

describe('I18N-6: the texts of the plugin passwords', () => {
  const shown: string[] = []

  beforeAll(async () => {
    const site = passwordsSite(
      {
        mailUnknown: true,
        blocklist: { more: ['a password of many words'] },
        breached: { isBreached: async (text) => text === 'a breached but long password' },
        signUp: ({ email }) => (email.startsWith('no@') ? { code: 'no' } : true),
        foreign: [
          {
            id: 'costly',
            matches: (stored) => stored === 'costly',
            verify: async () => false,
            isTooCostly: () => true,
          },
        ],
      },
      further,
    )
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

    const terms = { name: 'terms', label: 'Terms', type: 'checkbox', required: true } as const
    const strict = passwordsSite({ fields: [terms] }, further)
    await post('password/sign-up', { email: 'ada@example.com', password: GOOD }, strict.world)

    await get('password/sign-up')
    for (const password of [
      '',
      'short',
      'x'.repeat(300),
      'a password of many words',
      'abcabcabcabcabcabc',
      '\ud800 is half of a character',
    ])
      await post('password/sign-up', { email: 'ada@', password, username: '' })
    await post('password/sign-up', {
      email: 'eve@example.com',
      password: 'a breached but long password',
    })
    await post('password/sign-up', { email: '', password: GOOD, name: 'x'.repeat(201) })
    await post('password/sign-up', { email: 'no@example.com', password: GOOD })
    await post('password/sign-up', { email: 'ada@example.com', password: GOOD, username: 'ada' })
    await post(
      'password/sign-up',
      { email: 'bob@example.com', password: GOOD, username: 'ada' },
      world.otherBrowser(),
    )
    await get('password/verify')
    await post('password/verify', { code: site.code() === '000000' ? '1' : '000000' })
    const other = world.otherBrowser()
    await other.get(site.link('password/verify'), { headers })
    await get('password/verify', other)
    await world.get(site.link('password/verify'), { headers })
    await get('password/verify')
    await post('password/verify')
    await get('password/verify', other)
    await site.json('password/sign-up', { email: 'ada@example.com', password: OTHER }, other)

    await get('password/change')
    await post('password/change', { form: '1', current: 'wrong', password: OTHER })
    await post('password/change', { form: '1', current: GOOD, password: GOOD })
    await post('password/change', { form: '1', current: GOOD, password: OTHER })
    for (const notice of ['change', 'set', 'remove']) {
      await giveNotice(world, '/auth/password/change', notice)
      await get('password/change')
    }
    await get('password/change?confirm=remove')
    await get('account')
    await post('reauthenticate', { way: 'password', password: 'wrong' })
    await get('reauthenticate?way=code')
    await post('password/remove')
    await get('password/change')

    const stranger = world.otherBrowser()
    await get('password/forgot', stranger)
    await post('password/forgot', { identifier: '@' }, stranger)
    await post('password/forgot', { identifier: 'ada@example.com' }, stranger)
    await get('password/forgot-sent', stranger)
    await post('password/forgot', { identifier: 'nobody@example.com' }, stranger)
    await site.settled()
    await get('password/reset', stranger)
    await stranger.get(site.link('password/reset'), { headers })
    await get('password/reset', stranger)
    await post('password/reset', { password: GOOD }, stranger)
    await get('password/reset-done', stranger)
    await get('password/sign-in', stranger)
    await post('password/sign-in', { identifier: 'ada@example.com', password: 'wrong' }, stranger)
    await site.json('password/forgot', { identifier: 'ada@example.com' }, stranger)
    await site.settled()

    const early = passwordsSite({ verify: 'after' }, further)
    const json = { email: 'ada@example.com', password: GOOD }
    await early.json('password/sign-up', json)
    await get('password/verify', early.world)
    const elsewhere = early.world.otherBrowser()
    await elsewhere.get(early.link('password/verify'), { headers })
    await get('password/verify', elsewhere)
    await early.signIn()
    await get('password/verify', early.world)

    const mails = mailsTo(shown)
    await mailAlreadyRegistered('ada@example.com', REQUEST, mails)
    await mailDisabled(ADA, REQUEST, mails)
    await mailBreached(ADA, REQUEST, mails)
    const link = { url: 'https://app.example', expiresIn: 1800 }
    for (const kind of [{ hasPassword: true }, { hasPassword: false }])
      await mailReset(ADA, { ...link, ...kind }, REQUEST, mails)
    await mailReset(ADA, { ...link, hasPassword: false, isFirst: true }, REQUEST, mails)
    await mailVerification(
      'ada@example.com',
      { code: '123456', url: 'https://app.example' },
      REQUEST,
      mails,
    )
    await mailLetIn(
      'ada@example.com',
      { code: '123456', url: 'https://app.example' },
      REQUEST,
      mails,
    )
    for (const count of [0, 1])
      await mailCleared(
        ADA,
        {
          hadPassword: count > 0,
          passkeys: count,
          accounts: [],
          hadFactors: count > 0,
          apiKeys: count,
        },
        REQUEST,
        mails,
      )
    shown.push(...site.mails.map(({ subject, text }) => `${subject}\n${text}`))
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
