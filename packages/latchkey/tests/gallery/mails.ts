import { en } from '../../src/base/texts/en.ts'
import { createTexts, type Texts } from '../../src/base/texts/texts.ts'
import {
  type MailSite,
  requestedText,
  type WrittenMail,
  writeMail,
} from '../../src/mail/mail-frame.ts'
import { signInMail } from '../../src/mail/sign-in-mail.ts'
import type { Theme } from '../../src/options/pages.ts'
import { fromRight } from './pseudo-language.ts'
import { type Look, NOW } from './visitor.ts'

/** A mail in one state. */
export interface MailState {
  readonly name: string
  readonly write: (look: Pick<Look, 'lang'>) => WrittenMail
}

const ORIGIN = 'https://acme.example'
const MAX_AGE = 600

const request = new Request(ORIGIN, {
  headers: {
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  },
})

const textsIn = (lang: Look['lang']): Texts =>
  createTexts(lang, lang === 'en' ? {} : { [lang]: fromRight }, { en })

function signIn(name: string, theme: Theme, code?: string): MailState {
  return {
    name: `mails/${name}`,
    write: ({ lang }) =>
      signInMail({
        url: `${ORIGIN}/auth/callback/email?token=${'0a1b'.repeat(16)}&email=ada%40example.com`,
        theme,
        expires: new Date(NOW + MAX_AGE * 1000),
        request,
        provider: { maxAge: MAX_AGE },
        texts: textsIn(lang),
        ...(code !== undefined && { code }),
      }),
  }
}

/** As plugins write mails. Their own words are in English here. */
function ofPlugin(name: string, write: (site: MailSite, asked: string) => WrittenMail): MailState {
  return {
    name: `mails/${name}`,
    write: ({ lang }) => {
      const texts = textsIn(lang)
      const asked = requestedText(request, new Date(NOW), texts)
      return write({ theme: { name: 'Acme' }, origin: ORIGIN, texts }, asked)
    },
  }
}

/** Every kind of mail. */
export const mails: readonly MailState[] = [
  signIn('sign-in', { name: 'Acme' }),
  signIn('sign-in-with-code', { name: 'Acme' }, '493817'),
  signIn('without-name', {}, '493817'),
  signIn('branded', { name: 'Orchard', accent: { light: '#0a6b4b', dark: '#6ddcb0' } }, '493817'),
  signIn('light-accent', { name: 'Acme', accent: '#ffcc00' }),
  signIn(
    'long-name',
    { name: 'Allgemeine Genossenschaft der Vereinigten Gemüsebauern Süd' },
    '493817',
  ),
  ofPlugin('let-in', (site, asked) =>
    writeMail(
      {
        subject: '493817 is your code for Acme',
        title: 'Confirm your email address',
        body: [
          'Welcome to Acme. You can sign in already. To confirm your address, open this link:',
          { button: 'Confirm address', url: `${ORIGIN}/auth/password/verify?token=x` },
          'Or sign in and enter this code:',
          { code: '493817' },
          'Both work for 24 hours. Tell nobody the code.',
        ],
        notes: [`${asked} If that was not you, ignore this mail.`],
      },
      site,
    ),
  ),
  ofPlugin('reset', (site, asked) =>
    writeMail(
      {
        subject: 'Choose a new password for Acme',
        title: 'Choose a new password',
        body: [
          'Somebody, hopefully you, asked for a new password for ada@example.com:',
          { button: 'Choose a new password', url: `${ORIGIN}/auth/password/reset?token=x` },
          'The link works once, for 30 minutes. Your current password works until you choose another one.',
        ],
        notes: [`${asked} If that was not you, ignore this mail: nothing changes.`],
      },
      site,
    ),
  ),
  ofPlugin('notice', (site) =>
    writeMail(
      {
        subject: 'A passkey was added to your Acme account',
        title: 'A passkey was added',
        body: [
          '“iCloud Keychain” can now sign in to your account ada@example.com.',
          { facts: ['27 November 2026, 16:40 UTC', 'Firefox on Linux', 'Near Berlin, Germany'] },
          'Was this you? Then there is nothing to do.',
          'If not, sign out all devices and choose a new password (the link works for 7 days):',
          { button: 'Secure my account', url: `${ORIGIN}/auth/account/secure?token=x` },
        ],
        notes: ['Notices about your password, passkeys and address are always sent.'],
      },
      site,
    ),
  ),
]
