import { beforeEach, describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import type { AuthConfig } from '../../src/entries/index.ts'
import { definePlugin, type Host, type SiteRequest } from '../../src/entries/plugin.ts'
import { sendMail } from '../../src/entries/plugin-accounts.ts'
import { createWorld } from '../../src/entries/testing.ts'
import type { MailTemplates, SentMail } from '../../src/options/mail/mail-options.ts'
import type { MailValues, SiteMailValues } from '../../src/options/mail/mail-values.ts'
import type { PluginOption } from '../../src/options/plugin-option.ts'
import { deleteNow, planDeletion } from '../../src/plugins/account/flows/delete-account.ts'
import { account } from '../../src/plugins/account/index.ts'
import * as ofAccount from '../../src/plugins/account/mails.ts'
import { createOwn } from '../../src/plugins/account/set-up.ts'
import { settingsOf } from '../../src/plugins/account/settings.ts'
import { emailCode } from '../../src/plugins/email-code/index.ts'
import * as ofEmailCode from '../../src/plugins/email-code/mails.ts'
import { i18n } from '../../src/plugins/i18n/index.ts'
import { tellOfBrowser } from '../../src/plugins/limits/browsers/new-browser.ts'
import { limits } from '../../src/plugins/limits/index.ts'
import { passwords } from '../../src/plugins/passwords/index.ts'
import * as ofPasswords from '../../src/plugins/passwords/mails.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'
import { tokens } from '../../src/plugins/tokens/index.ts'
import { tellNewKey } from '../../src/plugins/tokens/mails.ts'
import { twoFactor } from '../../src/plugins/two-factor/index.ts'
import * as ofTwoFactor from '../../src/plugins/two-factor/mails.ts'
import { email } from '../../src/providers/define.ts'
import { passwordsSite } from '../support/passwords-site.ts'

const ORIGIN = 'https://app.example'
const URL = `${ORIGIN}/auth/somewhere?token=x`
const ADDRESS = 'ada@example.com'
const TO = { to: ADDRESS }

const REQUEST: SiteRequest = {
  method: 'POST',
  origin: ORIGIN,
  base: `${ORIGIN}/auth`,
  secure: true,
  query: new URLSearchParams(),
  cookies: { get: () => undefined, names: () => [] },
  form: {},
  original: new Request(ORIGIN, { headers: { 'accept-language': 'de' } }),
}

/** A site with all plugins that send mails, and a user. */
async function mailingSite(mail?: AuthConfig['mail']) {
  const mails: SentMail[] = []
  const hosts = new Map<string, Host>()
  const watched = (plugin: PluginOption): PluginOption => ({
    ...plugin,
    setUp(host: never) {
      hosts.set(plugin.name, host)
      return plugin.setUp(host)
    },
  })
  const adapter = memoryAdapter()
  const world = createWorld({
    adapter,
    mail,
    providers: [
      email({
        id: 'post',
        name: 'Post',
        sendVerificationRequest() {},
        sendMail: ({ mail: sent }) => void mails.push(sent),
      }),
    ],
    plugins: [
      sessions(),
      passwords({ limits: false }),
      account({ limits: false }),
      twoFactor(),
      emailCode(),
      limits(),
      tokens({ apiKeys: {} }),
      i18n(),
    ].map(watched),
  })
  const user = await adapter.createUser?.({
    id: 'ada',
    email: ADDRESS,
    emailVerified: new Date(0),
  })
  if (!user) throw new Error('the store creates no users')
  // It sets all plugins up.
  await world.get('/auth/session')
  return {
    user,
    hostOf: (name: string): Host => hosts.get(name) as Host,
    async sent(): Promise<SentMail | undefined> {
      await expect.poll(() => mails.length).toBe(1)
      return mails[0]
    },
  }
}

type Site = Awaited<ReturnType<typeof mailingSite>>

const ownOf = ({ hostOf }: Site) => createOwn(hostOf('account'), settingsOf({}, []))
const passwordsOf = (site: Site): never =>
  only(site, 'passwords', { unprovedLifetime: 7 * 24 * 3600 })
const only = (site: Site, name: string, settings = {}): never =>
  ({ host: site.hostOf(name), settings }) as never
const ada = ({ user }: Site) => ({ to: ADDRESS, userId: user.id })
const named = ({ user }: Site) => ({ id: user.id, email: ADDRESS })

interface Case<Kind extends keyof MailValues> {
  readonly send: (site: Site) => Promise<unknown>
  readonly values: Omit<MailValues[Kind], keyof SiteMailValues>
  /** The links in the mail; without it, that of `url` or `notMe`. */
  readonly urls?: readonly unknown[]
  /** @default true */
  readonly hasUser?: boolean
}

const notMe = expect.stringMatching(/^https:\/\/app\.example\/auth\/account\/secure\?token=/)
const reset = `${ORIGIN}/auth/password/forgot`
const factors = `${ORIGIN}/auth/account/two-factor`
const about = (kind: ofTwoFactor.NoticeKind) => (site: Site) =>
  ofTwoFactor.mailAbout(kind, ada(site), REQUEST, only(site, 'twoFactor'), 2)
const changed = (change: ofAccount.Changed) => (site: Site) =>
  ofAccount.tellChange(site.user, change, REQUEST, ownOf(site))

const cases: { readonly [Kind in keyof MailValues]: Case<Kind> } = {
  'verify-address': {
    send: (site) =>
      ofPasswords.mailLetIn(ADDRESS, { code: '123456', url: URL }, REQUEST, passwordsOf(site)),
    values: { code: '123456', url: URL, isSignedIn: true, deletedAfter: 7 },
    hasUser: false,
  },
  'already-registered': {
    send: (site) => ofPasswords.mailAlreadyRegistered(ADDRESS, REQUEST, passwordsOf(site)),
    values: { signIn: `${ORIGIN}/auth/signin`, reset },
    urls: [`${ORIGIN}/auth/signin`, reset],
    hasUser: false,
  },
  'no-account': {
    send: (site) => ofPasswords.mailNoAccount(ADDRESS, REQUEST, passwordsOf(site)),
    values: {},
    hasUser: false,
  },
  'password-reset': {
    send: (site) =>
      ofPasswords.mailReset(
        ada(site),
        { url: URL, hasPassword: false, passkeys: 1, providers: ['GitHub'], expiresIn: 1800 },
        REQUEST,
        passwordsOf(site),
      ),
    values: {
      url: URL,
      hasPassword: false,
      passkeys: 1,
      providers: ['GitHub'],
      expiresIn: 1800,
      isFirst: false,
    },
  },
  'password-changed': {
    send: (site) => ofPasswords.mailChanged(ada(site), REQUEST, passwordsOf(site)),
    values: { url: notMe },
  },
  'password-disabled': {
    send: (site) => ofPasswords.mailDisabled(ada(site), REQUEST, passwordsOf(site)),
    values: { url: reset },
  },
  'breached-password': {
    send: (site) => ofPasswords.mailBreached(ada(site), REQUEST, passwordsOf(site)),
    values: { url: reset },
  },
  'account-reset': {
    send: (site) =>
      ofPasswords.mailCleared(
        ada(site),
        { hadPassword: true, hadFactors: false, passkeys: 1, apiKeys: 0, accounts: ['github'] },
        REQUEST,
        passwordsOf(site),
      ),
    values: {
      hadPassword: true,
      hadFactors: false,
      passkeys: 1,
      apiKeys: 0,
      accounts: ['github'],
    },
  },
  'email-code': {
    send: (site) =>
      ofEmailCode.mailCode(
        ada(site),
        '123456',
        REQUEST,
        only(site, 'emailCode', { expiresIn: 600 }),
      ),
    values: { code: '123456', minutes: 10, purpose: 'sign-in' },
  },
  'address-confirm': {
    send: (site) =>
      ofAccount.mailConfirm(ada(site), { code: '123456', url: URL }, REQUEST, ownOf(site)),
    values: { code: '123456', url: URL },
  },
  'address-changing': {
    send: (site) => ofAccount.mailChanging(named(site), 'new@example.com', REQUEST, ownOf(site)),
    values: { newAddress: 'new@example.com', notMe },
  },
  'address-changed': {
    send: (site) =>
      ofAccount.mailChanged(ada(site), { to: 'new@example.com', url: URL }, REQUEST, ownOf(site)),
    values: {
      receiver: 'former',
      newAddress: 'new@example.com',
      undo: URL,
      undoDays: expect.any(Number),
    },
    urls: [URL],
  },
  'passkey-added': {
    send: changed({ kind: 'passkey-added', passkey: 'Phone\u202e of www.evil.example' }),
    values: { passkey: 'Phone of www. evil. example', notMe },
  },
  'passkey-removed': {
    send: changed({ kind: 'passkey-removed', passkey: 'x'.repeat(200) }),
    values: { passkey: `${'x'.repeat(99)}…`, notMe },
  },
  'connection-added': {
    send: changed({ kind: 'connection-added', provider: 'GitHub' }),
    values: { provider: 'GitHub', notMe },
  },
  'connection-removed': {
    send: changed({ kind: 'connection-removed', provider: 'GitHub' }),
    values: { provider: 'GitHub', notMe },
  },
  'deletion-confirm': {
    send: (site) => ofAccount.mailDeletionLink(named(site), URL, REQUEST, ownOf(site)),
    values: { url: URL, notMe },
    urls: [URL, notMe],
  },
  'deletion-planned': {
    send: (site) => ofAccount.mailPlanned(named(site), 86_400_000, REQUEST, ownOf(site)),
    values: { date: new Date(86_400_000), url: `${ORIGIN}/auth/account/keep` },
  },
  deleted: {
    async send(site) {
      await planDeletion(site.user, 0, REQUEST, ownOf(site))
      await deleteNow(site.user.id, ownOf(site))
    },
    values: {},
  },
  'factor-added': { send: about('factor-added'), values: { url: factors } },
  'factor-removed': { send: about('factor-removed'), values: { url: factors } },
  'factor-disabled': { send: about('factor-disabled'), values: { url: factors } },
  'recovery-made': { send: about('recovery-made'), values: { url: factors } },
  'recovery-used': { send: about('recovery-used'), values: { url: factors, left: 2 } },
  'wrong-codes': { send: about('wrong-codes'), values: { url: factors } },
  'api-key-created': {
    send: (site) =>
      tellNewKey(site.user.id, { id: 'key', name: 'Build' }, REQUEST, only(site, 'tokens')),
    values: { key: 'Build', url: notMe },
  },
  'new-device': {
    send: (site) =>
      tellOfBrowser({ user: site.user } as never, REQUEST, {
        host: site.hostOf('limits'),
        sendsMail: true,
      }),
    values: { at: expect.any(Date), url: notMe },
  },
}

const kinds = Object.entries(cases) as [keyof MailValues, Case<keyof MailValues>][]

describe.each(kinds)(
  'ACC-8, I18N-10: the mail %s',
  (kind, { send, values, urls, hasUser = true }) => {
    test('reaches `sendMail` with its kind, language, links, code and user', async () => {
      const site = await mailingSite()
      await send(site)
      const { url, notMe: further, code } = values as Record<string, unknown>
      const mail = await site.sent()
      expect(mail).toEqual({
        ...TO,
        kind,
        locale: 'de',
        subject: expect.any(String),
        text: expect.any(String),
        html: expect.stringContaining('<html lang="de"'),
        urls: urls ?? [url, further].filter((each) => each !== undefined),
        ...(code !== undefined && { code }),
        ...(hasUser && { userId: site.user.id }),
      })
      for (const each of mail?.urls ?? []) expect(mail?.text).toContain(each)
    })

    test('is what the template of the application makes of its values', async () => {
      const asked: unknown[] = []
      const templates: MailTemplates = {
        [kind]: (...given: unknown[]) => {
          asked.push(...given)
          return { subject: 'Own', text: 'Own text', html: '<p>Own</p>' }
        },
      }
      const site = await mailingSite({ templates })
      await send(site)
      const mail = await site.sent()
      expect(mail).toMatchObject({
        ...TO,
        kind,
        subject: 'Own',
        text: 'Own text',
        html: '<p>Own</p>',
      })
      expect(asked).toEqual([
        { ...values, site: 'app.example', origin: ORIGIN, requested: expect.any(String) },
        'de',
      ])
    })
  },
)

describe('I18N-10: `mail.templates`', () => {
  const sender = definePlugin<'sender', object, Host>({
    name: 'sender',
    mails: ['greeting'],
    routes: {
      send: {
        POST: {
          who: 'anyone',
          run: async () => async (call, host) => {
            const kind = call.request.query.get('kind') ?? undefined
            const about = kind ? ({ to: ADDRESS, kind, values: { url: URL } } as never) : ADDRESS
            const content = { subject: 'Built in', title: 'Title', body: ['Text'] }
            await sendMail(about, call.request, host, () => content)
            return { json: {} }
          },
        },
      },
    },
    setUp: (host) => ({ own: host }),
  })
  const siteWith = (templates: object) =>
    passwordsSite({}, { plugins: [sender], mail: { templates } })

  let site: ReturnType<typeof siteWith>
  const lastOf = async (templates: object, path = 'send?kind=greeting') => {
    site = siteWith(templates)
    expect((await site.json(path)).status).toBe(200)
    return site.mails.at(-1)
  }
  beforeEach(() => {
    site = siteWith({})
  })

  test('may be asynchronous, and for kinds of plugins of the application', async () => {
    const greeting = async ({ url }: { url: string }) => ({ subject: 'S', text: url, html: 'H' })
    expect(await lastOf({ greeting })).toEqual({
      to: ADDRESS,
      kind: 'greeting',
      locale: 'en',
      subject: 'S',
      text: URL,
      html: 'H',
      urls: [],
    })
  })

  test('leave a mail without a kind as it is, which has the name of its plugin', async () => {
    const greeting = () => ({ subject: 'S', text: 'T', html: 'H' })
    expect(await lastOf({ greeting }, 'send')).toMatchObject({
      kind: 'sender',
      subject: 'Built in',
    })
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('no template file')
      },
      'no template file',
    ],
    ['returns nothing', () => undefined, 'it must return { subject, text, html }'],
    ['returns no HTML', () => ({ subject: 'S', text: 'T' }), 'it must return'],
    ['returns an empty text', () => ({ subject: 'S', text: '', html: 'H' }), 'it must return'],
    [
      'returns a second header',
      () => ({ subject: 'S\r\nBcc: eve@x.example', text: 'T', html: 'H' }),
      'it must return',
    ],
  ])('that %s is logged, and the built-in mail is sent', async (_, greeting, message) => {
    expect(await lastOf({ greeting })).toMatchObject({ kind: 'greeting', subject: 'Built in' })
    expect(JSON.stringify(site.world.log)).toContain(
      `mail.templates[\\"greeting\\"] failed, and the built-in mail is sent: ${message}`,
    )
  })

  test.each([
    [
      'a misspelled kind',
      { greetings: () => undefined },
      'there is no option `mail.templates.greetings`; did you mean `mail.templates.greeting`?',
    ],
    [
      'a misspelled kind of another plugin',
      { 'verify-adress': () => undefined },
      'did you mean `mail.templates.verify-address`?',
    ],
    [
      'a kind that no plugin sends',
      { deleted: () => undefined },
      'there is no option `mail.templates.deleted`',
    ],
    [
      'a template that is no function',
      { greeting: 'Hello' },
      '`mail.templates` must be an object of functions, got \\"Hello\\"',
    ],
  ])('stop the start with %s', async (_, templates, message) => {
    site = siteWith(templates)
    const answer = await site.world.get('/auth/session')
    expect(answer.status).toBe(500)
    expect(JSON.stringify(site.world.log)).toContain(message)
  })
})
