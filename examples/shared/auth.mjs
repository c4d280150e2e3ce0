import { mkdirSync } from 'node:fs'
import { migrate, sqlAdapter } from 'latchkey/adapters/sql'
import { openNodeSqlite } from 'latchkey/adapters/sql/node-sqlite'
import Credentials from 'latchkey/providers/credentials'
import passkey from 'latchkey/providers/passkey'

// What all examples have in common: the ways to sign in, and a database in a file.

const development = process.env['DEVELOPMENT_URL'] ?? 'http://localhost:4400'

const data = process.env['EXAMPLE_DATA'] ?? '.data'
mkdirSync(data, { recursive: true })
const database = openNodeSqlite(`${data}/app.db`)
// The records are those of plugins: see examples/plugin.
await migrate(database, { records: true })
const adapter = sqlAdapter(database, { records: true })

/** @satisfies {Partial<import('latchkey/providers').OAuth2Config<any>>} */
const accounts = {
  type: 'oauth',
  clientId: 'example',
  clientSecret: 'example',
  token: `${development}/token`,
  userinfo: `${development}/userinfo`,
  profile: ({ sub, name, email }) => ({ id: sub, name, email }),
}

/** @type {import('latchkey').AuthConfig} */
export const config = {
  secret: process.env['AUTH_SECRET'] ?? 'only-for-this-example-0123456789-abcdefgh',
  adapter,
  experimental: { enableWebAuthn: true },
  callbacks: {
    async session({ session: { expires }, user: { id, name, email }, trigger, newSession }) {
      const asked = newSession?.name
      const isAsked = trigger === 'update' && typeof asked === 'string'
      if (isAsked) await adapter.updateUser?.({ id, name: asked })
      return { user: { name: isAsked ? asked : name, email }, expires }
    },
  },
  providers: [
    {
      ...accounts,
      id: 'development',
      name: 'Development account',
      authorization: `${development}/authorize`,
    },
    {
      ...accounts,
      id: 'posting',
      name: 'Account that posts back',
      // By its number, it is another site for browsers than localhost.
      authorization: {
        url: `${development.replace('localhost', '127.0.0.1')}/authorize`,
        params: { response_mode: 'form_post' },
      },
    },
    Credentials({
      name: 'Password',
      credentials: {
        email: { label: 'Address' },
        password: { label: 'Password', type: 'password' },
      },
      // An application compares with what it stored.
      async authorize({ email, password }) {
        if (email !== 'guest@example.test' || password !== 'open sesame') return null
        const guest = { id: crypto.randomUUID(), email, name: 'Guest', emailVerified: null }
        return (
          (await adapter.getUserByEmail?.(email)) ?? (await adapter.createUser?.(guest)) ?? null
        )
      },
    }),
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
