import { mkdirSync } from 'node:fs'
import { migrate, sqlAdapter } from 'latchkey/adapters/sql'
import { openNodeSqlite } from 'latchkey/adapters/sql/node-sqlite'
import passkey from 'latchkey/providers/passkey'

// What all examples have in common: three ways to sign in, and a database in a file.

const development = process.env['DEVELOPMENT_URL'] ?? 'http://localhost:4400'

const data = process.env['EXAMPLE_DATA'] ?? '.data'
mkdirSync(data, { recursive: true })
const database = openNodeSqlite(`${data}/app.db`)
await migrate(database)

/** @type {import('latchkey').AuthConfig} */
export const config = {
  secret: process.env['AUTH_SECRET'] ?? 'only-for-this-example-0123456789-abcdefgh',
  adapter: sqlAdapter(database),
  experimental: { enableWebAuthn: true },
  providers: [
    {
      id: 'development',
      name: 'Development account',
      type: 'oauth',
      clientId: 'example',
      clientSecret: 'example',
      authorization: `${development}/authorize`,
      token: `${development}/token`,
      userinfo: `${development}/userinfo`,
      profile: ({ sub, name, email }) => ({ id: sub, name, email }),
    },
    {
      id: 'email',
      name: 'Email',
      type: 'email',
      async sendVerificationRequest({ identifier, url }) {
        const body = JSON.stringify({ to: identifier, url })
        await fetch(`${development}/mailbox`, { method: 'POST', body })
      },
    },
    passkey(),
  ],
}
