import { Hono } from 'hono'
import { sqlite } from 'latchkey/adapters/sqlite'
import { authHandler, createLatchkey } from 'latchkey/hono'
import { accounts } from 'latchkey/plugins/accounts'
import Nodemailer from 'latchkey/providers/nodemailer'
import Passkey from 'latchkey/providers/passkey'

const { DATABASE = 'app.db', EMAIL_SERVER, EMAIL_FROM } = process.env
const latchkey = createLatchkey({
  adapter: sqlite(DATABASE),
  providers: [Nodemailer({ server: EMAIL_SERVER, from: EMAIL_FROM }), Passkey()],
  plugins: accounts(),
})

export const app = new Hono()
app.use('/auth/*', authHandler(latchkey))
