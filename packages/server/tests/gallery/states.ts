import type { Look, PageState } from '../../../latchkey/tests/gallery/visitor.ts'
import { askPage, signOutPage } from '../../src/demo/idp-page.ts'
import type { Mail } from '../../src/demo/mailbox.ts'
import { homePage, mailboxPage } from '../../src/demo/pages.ts'
import { messagePage, type Page, pageResponse } from '../../src/http/page.ts'

const ORIGIN = 'https://acme.example'

const state = (name: string, pageOf: () => Page): PageState => ({
  name,
  isEnglish: true,
  async open({ scheme }: Look) {
    const page = pageOf()
    const theme = { ...page.theme, ...(scheme && { colorScheme: scheme }) }
    return pageResponse({ ...page, theme })
  },
})

const home = {
  basePath: '/auth',
  session: null,
  mailbox: true,
  passkeys: false,
  accountPage: true,
}

const session = {
  user: { id: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' },
  expires: '2026-12-27T16:40:00.000Z',
}

const link = `${ORIGIN}/auth/callback/nodemailer?token=${'0a1b'.repeat(16)}&email=ada%40example.com`

const mail: Mail = {
  id: '1',
  at: new Date('2026-11-27T16:38:00Z'),
  to: 'ada@example.com',
  from: 'Acme <no-reply@acme.example>',
  subject: '493817 is your Acme sign-in code',
  text: `Sign in to Acme\n\nOpen this link on the device where you asked for it:\n${link}\n\nOr enter this code there:\n493817\n`,
  html: '<!doctype html><html lang="en"><title>Mail</title><main><h1>Sign in to Acme</h1></main>',
}

const other: Mail = {
  ...mail,
  id: '2',
  to: `${'maximiliane.'.repeat(5)}x@example.com`,
  subject: '',
  text: '',
  html: '',
}

const mailbox = { mails: [mail, other], origin: ORIGIN, smtpHost: undefined }

/** Every page of the service in every state. They are in English only. */
export const serviceStates: readonly PageState[] = [
  state('service/home', () => homePage(home)),
  state('service/home-signed-in', () => homePage({ ...home, session })),
  state('service/home-with-passkeys', () => homePage({ ...home, session, passkeys: true })),
  state('service/mailbox', () => mailboxPage(mailbox)),
  state('service/mailbox-empty', () => mailboxPage({ ...mailbox, mails: [] })),
  state('service/mailbox-sent', () =>
    mailboxPage({ ...mailbox, mails: [], smtpHost: 'smtp.acme.example' }),
  ),
  state('service/not-found', () =>
    messagePage(404, 'Not found', 'There is no page at this address.', { href: '/', text: 'Home' }),
  ),
  state('service/unavailable', () =>
    messagePage(503, 'Not available', 'Try again in a few minutes.'),
  ),
  state('service/signed-out', () =>
    messagePage(200, 'You are signed out', 'Of the development account.'),
  ),
  state('development/ask', () => askPage({ name: '', scopes: ['openid', 'profile', 'email'] })),
  state('development/wrong-name', () =>
    askPage({ name: '1', scopes: ['openid', 'email'], wrong: true }),
  ),
  state('development/sign-out', () => signOutPage({ action: '/end', xsrf: 'x' })),
]
