import { Hono } from 'hono'
import { sqlite } from 'latchkey/adapters/sqlite'
import { authHandler, createLatchkey } from 'latchkey/hono'
import { accounts } from 'latchkey/plugins/accounts'
import { turnstile } from 'latchkey/plugins/limits/turnstile'
import { haveIBeenPwned } from 'latchkey/plugins/passwords/breached'
import Nodemailer from 'latchkey/providers/nodemailer'

const {
  DATABASE = 'app.db',
  EMAIL_SERVER,
  EMAIL_FROM,
  SITE_KEY = '',
  SECRET_KEY = '',
} = process.env
const latchkey = createLatchkey({
  adapter: sqlite(DATABASE),
  providers: [Nodemailer({ server: EMAIL_SERVER, from: EMAIL_FROM })],
  plugins: accounts({
    limits: {
      challenge: turnstile({ siteKey: SITE_KEY, secretKey: SECRET_KEY }),
      challengeWhen: ({ action }) => action === 'password.sign-up',
    },
    passwords: { breached: haveIBeenPwned() },
  }),
})

export const app = new Hono()
app.use('/auth/*', authHandler(latchkey))
