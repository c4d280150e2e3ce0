import { join } from 'node:path'
import { createLatchkey } from 'latchkey'
import { sqlAdapter } from 'latchkey/adapters/sql'
import { openNodeSqlite } from 'latchkey/adapters/sql/node-sqlite'
import { passwords } from 'latchkey/plugins/passwords'
import { sessions } from 'latchkey/plugins/sessions'
import { describe, expect, test } from 'vitest'
import { latchkey } from './support/command.ts'
import { temporaryDirectory } from './support/temporary.ts'

const OLD = 'vY0Jk4hGq3mB8sX1pT6wZ9rC2nD5fL7e'
const NEW = 'eL7fD5nC2rZ9wT6pX1sB8mG3qh4Jk0Yv'
const PASSWORD = 'correct horse battery staple'

const post = {
  id: 'post',
  type: 'email' as const,
  name: 'Post',
  options: {},
  maxAge: 600,
  sendVerificationRequest: () => undefined,
  sendMail: () => undefined,
}

/** The passwords in a database, as an application with these secrets has them. */
async function inDatabase<Result>(
  path: string,
  secret: string,
  work: (api: {
    set(id: string, password: string): Promise<void>
    verify(id: string, password: string): Promise<boolean>
  }) => Promise<Result>,
): Promise<Result> {
  const store = openNodeSqlite(path)
  try {
    const adapter = sqlAdapter(store)
    if (!(await adapter.getUser?.('ada')))
      await adapter.createUser?.({ id: 'ada', email: 'ada@example.com', emailVerified: new Date() })
    const { api } = createLatchkey({
      secret,
      trustHost: true,
      providers: [post],
      adapter,
      plugins: [sessions(), passwords({ hash: { memory: 7168, passes: 5 } })],
    })
    return await work(api.passwords)
  } finally {
    await store.close()
  }
}

describe('ACC-5: the command `latchkey secrets reseal`', () => {
  test('seals passwords with the new secret, and says if no secret opens them', async () => {
    using directory = temporaryDirectory()
    const path = join(directory.path, 'reseal.db')
    const env = {
      NODE_ENV: 'production',
      AUTH_URL: 'https://login.example',
      AUTH_SECRET: OLD,
      AUTH_PROVIDERS: 'github',
      AUTH_GITHUB_ID: 'id',
      AUTH_GITHUB_SECRET: 'given',
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'login@login.example',
      DATABASE_URL: `file:${path}`,
    }
    const run = (args: string[], more: Record<string, string> = {}) =>
      latchkey(args, { directory: directory.path, env: { ...env, ...more } })
    expect(await run(['migrate'])).toMatchObject({ code: 0 })
    await inDatabase(path, OLD, (api) => api.set('ada', PASSWORD))

    const early = await run(['secrets', 'reseal'], { AUTH_SECRET: NEW })
    expect(early).toMatchObject({ code: 1, out: 'sealed 0, unchanged 0, unreadable 1\n' })
    expect(early.err).toContain('no configured secret opens 1 of the stored values')
    const unreadable = async () => {
      const { out } = await run(['doctor', '--json'], { AUTH_SECRET: NEW })
      const { findings } = JSON.parse(out) as { findings: { id: string; seen: string }[] }
      return findings.filter(({ id }) => id === 'sealed-records')
    }
    expect(await unreadable()).toMatchObject([{ seen: expect.stringContaining('"password"') }])

    const both = { AUTH_SECRET_1: NEW }
    const first = await run(['secrets', 'reseal'], both)
    expect(first).toMatchObject({ code: 0, out: 'sealed 1, unchanged 0, unreadable 0\n', err: '' })
    expect(await run(['secrets', 'reseal'], both)).toMatchObject({
      out: 'sealed 0, unchanged 1, unreadable 0\n',
    })
    expect(await inDatabase(path, NEW, (api) => api.verify('ada', PASSWORD))).toBe(true)
    expect(await unreadable()).toEqual([])
  })
})
