import { join } from 'node:path'
import { createLatchkey } from 'latchkey'
import { sqlAdapter } from 'latchkey/adapters/sql'
import { openNodeSqlite } from 'latchkey/adapters/sql/node-sqlite'
import { accounts } from 'latchkey/plugins/accounts'
import type { TwoFactorApi } from 'latchkey/plugins/two-factor'
import { createMailbox, createWorld, enrolTotp, signUpAs } from 'latchkey/testing'
import { expect, test } from 'vitest'
import { latchkey } from './support/command.ts'
import { temporaryDirectory } from './support/temporary.ts'

const ORIGIN = 'https://login.example'
const SECRET = 'vY0Jk4hGq3mB8sX1pT6wZ9rC2nD5fL7e'

/** Calls a function with an instance over the database that has just started. */
async function inside<Result>(
  path: string,
  work: (adapter: ReturnType<typeof sqlAdapter>, api: TwoFactorApi) => Promise<Result>,
): Promise<Result> {
  const store = openNodeSqlite(path)
  const adapter = sqlAdapter(store)
  const instance = createLatchkey({
    secret: SECRET,
    trustHost: true,
    providers: [],
    adapter,
    plugins: accounts(),
  })
  const { twoFactor } = instance.api as unknown as { twoFactor: TwoFactorApi }
  try {
    return await work(adapter, twoFactor)
  } finally {
    await store.close()
  }
}

test('MF-22, MF-23: `latchkey users reset-two-factor` takes the second factors of a user away, who sets up a new one', async () => {
  using directory = temporaryDirectory()
  const path = join(directory.path, 'users.db')
  const env = {
    NODE_ENV: 'production',
    AUTH_URL: ORIGIN,
    AUTH_SECRET: SECRET,
    AUTH_PROVIDERS: 'github',
    AUTH_GITHUB_ID: 'id',
    AUTH_GITHUB_SECRET: 'given',
    DATABASE_URL: `file:${path}`,
    LATCHKEY_TWO_FACTOR: 'optional',
  }
  const run = (...args: string[]) => latchkey(args, { directory: directory.path, env })
  expect(await run('migrate')).toMatchObject({ code: 0 })
  const ids = await inside(path, async (adapter) => {
    const mailbox = createMailbox()
    const config = { secret: SECRET, adapter, providers: [mailbox.provider], plugins: accounts() }
    const made = []
    for (const email of ['ada@example.com', 'bob@example.com']) {
      const world = createWorld(config, { origin: ORIGIN, startsAt: Date.now() })
      await signUpAs(world, mailbox, { email })
      await enrolTotp(world)
      made.push(String((await adapter.getUserByEmail(email))?.id))
    }
    return made
  })
  const [ada = '', bob = ''] = ids
  for (const [id, given] of [
    [ada, ada],
    [bob, 'bob@example.com'],
  ] as const) {
    const before = await inside(path, (_, api) => api.status(id))
    expect(before).toMatchObject({ required: false, factors: [{}] })
    const reset = await run('users', 'reset-two-factor', given)
    expect(reset).toMatchObject({ code: 0, err: '' })
    expect(reset.out).toContain(`removed the second factors of ${id}`)
    // It is due at once.
    expect(await inside(path, (_, api) => api.status(id))).toMatchObject({
      required: true,
      level: 2,
      factors: [],
    })
  }
  const again = await run('users', 'reset-two-factor', ada)
  expect(again).toMatchObject({ code: 1 })
  expect(again.err).toContain(`${ada} has no second factor, so none was removed`)
  const nobody = await run('users', 'reset-two-factor', 'nobody')
  expect(nobody).toMatchObject({ code: 1 })
  expect(nobody.err).toContain('there is no user nobody')
  const off = await latchkey(['users', 'reset-two-factor', ada], {
    directory: directory.path,
    env: { ...env, LATCHKEY_TWO_FACTOR: 'off' },
  })
  expect(off.err).toContain('set LATCHKEY_TWO_FACTOR=optional')
})
