import { drizzle } from 'drizzle-orm/libsql'
import { Hono } from 'hono'
import { drizzleAdapter } from 'latchkey/adapters/drizzle'
import { record } from 'latchkey/adapters/drizzle/sqlite-record'
import * as tables from 'latchkey/adapters/drizzle/sqlite-schema'
import { authHandler, createLatchkey } from 'latchkey/hono'
import { account } from 'latchkey/plugins/account'
import { sessions } from 'latchkey/plugins/sessions'
import GitHub from 'latchkey/providers/github'
import Google from 'latchkey/providers/google'
import Nodemailer from 'latchkey/providers/nodemailer'

const { DATABASE = 'app.db', EMAIL_SERVER, EMAIL_FROM } = process.env
const latchkey = createLatchkey({
  adapter: drizzleAdapter(drizzle(`file:${DATABASE}`), { ...tables, record }),
  providers: [Nodemailer({ server: EMAIL_SERVER, from: EMAIL_FROM }), GitHub, Google],
  plugins: [sessions(), account()],
})

export const app = new Hono()
app.use('/auth/*', authHandler(latchkey))
