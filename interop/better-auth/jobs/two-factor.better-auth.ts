import { DatabaseSync } from 'node:sqlite'
import { betterAuth } from 'better-auth'
import { twoFactor } from 'better-auth/plugins'
import { Hono } from 'hono'
import { createTransport } from 'nodemailer'

const { DATABASE = 'app.db', EMAIL_SERVER, EMAIL_FROM: from } = process.env
const transport = createTransport(EMAIL_SERVER)

export const auth = betterAuth({
  appName: 'Acme',
  baseURL: process.env['BASE_URL'],
  database: new DatabaseSync(DATABASE),
  emailAndPassword: {
    enabled: true,
    requireEmailVerification: true,
    revokeSessionsOnPasswordReset: true,
    async sendResetPassword({ user, url }) {
      const text = `Choose a new password: ${url}`
      await transport.sendMail({ from, to: user.email, subject: 'Choose a new password', text })
    },
  },
  emailVerification: {
    sendOnSignUp: true,
    autoSignInAfterVerification: true,
    async sendVerificationEmail({ user, url }) {
      const text = `Confirm your address: ${url}`
      await transport.sendMail({ from, to: user.email, subject: 'Confirm your address', text })
    },
  },
  plugins: [twoFactor()],
})

export const app = new Hono()
app.on(['GET', 'POST'], '/api/auth/*', (context) => auth.handler(context.req.raw))
