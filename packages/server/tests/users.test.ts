import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLatchkey } from 'latchkey'
import { sqlAdapter } from 'latchkey/adapters/sql'
import { openNodeSqlite } from 'latchkey/adapters/sql/node-sqlite'
import { accounts } from 'latchkey/plugins/accounts'
import { createMailbox, createWorld } from 'latchkey/testing'
import { expect, test } from 'vitest'
import { latchkey } from './support/command.ts'
import { temporaryDirectory } from './support/temporary.ts'

const SECRET = 'vY0Jk4hGq3mB8sX1pT6wZ9rC2nD5fL7e'
const ORIGIN = 'https://login.example'
const PASSWORD = 'a password of Ada alone'

/** Mails go into a file. */
const CONFIG = `
import { appendFileSync } from 'node:fs'
export default {
  auth: {
    providers: [{
      id: 'post', name: 'Post', type: 'email', maxAge: 600, options: {},
      sendVerificationRequest() {},
      sendMail: ({ mail }) => appendFileSync('mails', JSON.stringify(mail) + '\\n'),
    }],
  },
}
`

/** Chooses a password with a link, and signs in with it. @returns the user of the session */
async function choose(link: string, path: string): Promise<unknown> {
  const store = openNodeSqlite(path)
  try {
    const world = createWorld(
      {
        secret: SECRET,
        adapter: sqlAdapter(store),
        providers: [createMailbox().provider],
        plugins: accounts(),
      },
      { origin: ORIGIN, startsAt: Date.now() },
    )
    const opened = await world.get(link.replace(ORIGIN, ''))
    expect(opened.status).toBe(303)
    expect((await world.json('/auth/password/reset', { password: PASSWORD })).status).toBe(200)
    const identifier = 'ada@example.com'
    await world.json('/auth/password/sign-in', { identifier, password: PASSWORD })
    return (await world.session())?.user
  } finally {
    await store.close()
  }
}

/** A service in a folder, with mails and an embedded database. */
function serviceIn(directory: string, env: Readonly<Record<string, string>> = {}) {
  const path = join(directory, 'users.db')
  writeFileSync(join(directory, 'latchkey.config.mjs'), CONFIG)
  const own = {
    NODE_ENV: 'production',
    AUTH_URL: ORIGIN,
    AUTH_SECRET: SECRET,
    DATABASE_URL: `file:${path}`,
    ...env,
  }
  return {
    path,
    run: (args: readonly string[], more: object = {}) =>
      latchkey(args, { directory, env: { ...own, ...more } }),
  }
}

test('PW-35: `latchkey users create` and `users send-reset` give a user a link to choose a password', async () => {
  using directory = temporaryDirectory()
  const { path, run } = serviceIn(directory.path, { LATCHKEY_SIGN_UP: 'closed' })
  const mails = (): { to: string; text: string }[] => {
    const file = join(directory.path, 'mails')
    if (!existsSync(file)) return []
    return readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }
  expect(await run(['migrate', '--records'])).toMatchObject({ code: 0 })

  const created = await run(['users', 'create', 'Ada@Example.com', '--name', 'Ada'])
  expect(created).toMatchObject({ code: 0, err: '' })
  expect(created.out).toContain('mailed a link to ada@example.com')
  const [mail] = mails()
  expect(mail?.to).toBe('ada@example.com')
  const link = /https:\/\/login\.example\/auth\/password\/reset\S+/.exec(mail?.text ?? '')?.[0]
  expect(await choose(link ?? '', path)).toMatchObject({ name: 'Ada', email: 'ada@example.com' })

  const again = await run(['users', 'create', 'ada@example.com'])
  expect(again).toMatchObject({ code: 1 })
  expect(again.err).toContain('there is a user ada@example.com')
  expect((await run(['users', 'create', 'ada'])).err).toContain('ada is not an email address')

  const printed = await run(['users', 'send-reset', 'ada@example.com', '--print'])
  expect(printed).toMatchObject({ code: 0, err: '' })
  expect(await choose(printed.out.trim(), path)).toMatchObject({ name: 'Ada' })
  const reset = await run(['users', 'send-reset', 'ada@example.com'])
  expect(reset.out).toContain('mailed a link to ada@example.com')
  expect(mails().map(({ to }) => to)).toEqual(['ada@example.com', 'ada@example.com'])

  expect((await run(['users', 'send-reset', 'bob@example.com'])).err).toContain('there is no user')
  const off = await run(['users', 'send-reset', 'ada@example.com'], { LATCHKEY_PASSWORDS: 'false' })
  expect(off.err).toContain('set LATCHKEY_PASSWORDS=true')
})

test('LIM-15: `latchkey users unlock` lets a user in whose attempts are refused', async () => {
  using directory = temporaryDirectory()
  const { path, run } = serviceIn(directory.path)
  expect(await run(['migrate', '--records'])).toMatchObject({ code: 0 })
  const store = openNodeSqlite(path)
  try {
    const adapter = sqlAdapter(store)
    const user = { id: crypto.randomUUID(), email: 'ada@example.com', emailVerified: new Date() }
    const ada = await adapter.createUser?.(user)
    const given = { secret: SECRET, adapter, providers: [], plugins: accounts() }
    await createLatchkey(given, {}).api.passwords.set(String(ada?.id), PASSWORD)
    const begun = Date.now()
    /** The status of a sign-in, so many milliseconds after the beginning. */
    const signIn = async (password: string, after: number): Promise<number> => {
      const { provider } = createMailbox()
      const config = { secret: SECRET, adapter, providers: [provider], plugins: accounts() }
      const world = createWorld(config, { origin: ORIGIN, startsAt: begun + after })
      const fields = { identifier: 'ada@example.com', password }
      return (await world.json('/auth/password/sign-in', fields)).status
    }
    for (let attempt = 0; attempt < 10; attempt++) await signIn('a guess', 0)
    expect(await signIn(PASSWORD, 61_000)).toBe(429)
    const unlocked = await run(['users', 'unlock', 'ada@example.com'])
    expect(unlocked).toMatchObject({ code: 0, err: '' })
    expect(unlocked.out).toContain(String(ada?.id))
    // This process remembers the refusal for a minute.
    expect(await signIn(PASSWORD, 122_000)).toBe(200)
  } finally {
    await store.close()
  }
  expect((await run(['users', 'unlock', 'bob@example.com'])).err).toContain('there is no user')
  const off = await run(['users', 'unlock', 'ada@example.com'], { LATCHKEY_LIMITS: 'false' })
  expect(off.err).toContain('set LATCHKEY_LIMITS=true')
})
