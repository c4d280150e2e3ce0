import { join } from 'node:path'
import { createLatchkey } from 'latchkey'
import { sqlAdapter } from 'latchkey/adapters/sql'
import { openNodeSqlite } from 'latchkey/adapters/sql/node-sqlite'
import { definePlugin, type Host } from 'latchkey/plugin'
import { limits } from 'latchkey/plugins/limits'
import { describe, expect, test } from 'vitest'
import { latchkey } from './support/command.ts'
import { temporaryDirectory } from './support/temporary.ts'

const SECRET = 'vY0Jk4hGq3mB8sX1pT6wZ9rC2nD5fL7e'

/** Attempts at `mail.send`, counted in the database by an instance that has just started. */
async function attempts(path: string, times: number): Promise<boolean[]> {
  const store = openNodeSqlite(path)
  let host: Host | undefined
  const inside = definePlugin({
    name: 'inside',
    needs: ['records'],
    setUp(given) {
      host = given
      return {}
    },
  })
  const instance = createLatchkey({
    secret: SECRET,
    trustHost: true,
    providers: [],
    adapter: sqlAdapter(store),
    plugins: [limits(), inside],
  })
  await instance.maintain()
  const request = {
    original: new Request('https://login.example/'),
    origin: 'https://login.example',
    base: '/auth',
    method: 'POST',
    secure: true,
    cookies: { get: () => undefined, names: () => [] },
    query: new URLSearchParams(),
    form: {},
  } as const
  const allowed: boolean[] = []
  for (let n = 0; n < times; n++) {
    const verdict = await host?.limit('mail.send', { request, identifier: 'ada@example.com' })
    allowed.push(verdict?.allowed === true)
  }
  await store.close()
  return allowed
}

describe('LIM-15: the command `latchkey limits reset`', () => {
  test('forgets the attempts of somebody who was refused', async () => {
    using directory = temporaryDirectory()
    const path = join(directory.path, 'limits.db')
    const env = {
      NODE_ENV: 'production',
      AUTH_URL: 'https://login.example',
      AUTH_SECRET: SECRET,
      AUTH_PROVIDERS: 'github',
      AUTH_GITHUB_ID: 'id',
      AUTH_GITHUB_SECRET: 'given',
      DATABASE_URL: `file:${path}`,
    }
    const run = (...args: string[]) => latchkey(args, { directory: directory.path, env })
    expect(await run('migrate')).toMatchObject({ code: 0 })
    expect(await attempts(path, 6)).toEqual([true, true, true, true, true, false])
    const reset = await run('limits', 'reset', 'mail.send', '--identifier', 'Ada@example.com')
    expect(reset).toMatchObject({ code: 0, err: '' })
    expect(reset.out).toMatch(/^forgot the attempts of \d rules\n$/)
    expect(await attempts(path, 1)).toEqual([true])
    const unknown = await run('limits', 'reset', 'mail.sent', '--identifier', 'ada@example.com')
    expect(unknown).toMatchObject({ code: 1 })
    expect(unknown.err).toContain('the action mail.sent has no rule')
    const off = await latchkey(['limits', 'reset', 'mail.send'], {
      directory: directory.path,
      env: { ...env, LATCHKEY_LIMITS: 'false' },
    })
    expect(off.err).toContain('set LATCHKEY_LIMITS=true')
  })
})
