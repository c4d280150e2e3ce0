import { DatabaseSync } from 'node:sqlite'
import { i18n, locales } from '@better-auth/i18n'
import { betterAuth } from 'better-auth'
import { Hono } from 'hono'
import { createTransport } from 'nodemailer'

const { DATABASE = 'app.db', EMAIL_SERVER, EMAIL_FROM: from } = process.env
const transport = createTransport(EMAIL_SERVER)

const TEXTS = {
  en: { confirm: 'Confirm your address', reset: 'Choose a new password' },
  de: { confirm: 'Bestätigen Sie Ihre Adresse', reset: 'Wählen Sie ein neues Passwort' },
  ar: { confirm: 'أكّد عنوان بريدك', reset: 'اختر كلمة مرور جديدة' },
}

async function send(to: string, text: 'confirm' | 'reset', url: string, request?: Request) {
  const wanted = request?.headers.get('accept-language') ?? ''
  const lang = (['de', 'ar'] as const).find((each) => wanted.startsWith(each)) ?? 'en'
  const subject = TEXTS[lang][text]
  const html = `<p lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}"><a href="${url}">${subject}</a></p>`
  await transport.sendMail({ from, to, subject, text: `${subject}: ${url}`, html })
}

export const auth = betterAuth({
  baseURL: process.env['BASE_URL'],
  database: new DatabaseSync(DATABASE),
  emailAndPassword: {
    enabled: true,
    requireEmailVerification: true,
    revokeSessionsOnPasswordReset: true,
    sendResetPassword: ({ user, url }, request) => send(user.email, 'reset', url, request),
  },
  emailVerification: {
    sendOnSignUp: true,
    autoSignInAfterVerification: true,
    sendVerificationEmail: ({ user, url }, request) => send(user.email, 'confirm', url, request),
  },
  // @ts-expect-error Its types do not fit `exactOptionalPropertyTypes`, which this repository sets.
  plugins: [i18n({ translations: { de: locales.de, ar: locales.ar } })],
})

export const app = new Hono()
app.on(['GET', 'POST'], '/api/auth/*', (context) => auth.handler(context.req.raw))
