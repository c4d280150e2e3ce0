import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { blocksOf } from '../../../tools/docs-blocks.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const page = readFileSync(join(root, 'docs/how-to/move-from-better-auth.md'), 'utf8')

/** The last block of the page that is this file. */
function codeOf(file: string): string {
  const block = blocksOf(page).findLast((each) => each.file === file)
  if (!block) throw new Error(`the page has no block that is ${file}`)
  return block.code
}

interface Report {
  readonly statuses: Readonly<Record<string, number>>
  readonly sessions: readonly (string | null)[]
  readonly github: string | undefined
}

/** What the moved application answers, as JSON on the last line. */
const PROBE = `
import { adapter, latchkey } from './auth.ts'

const origin = 'http://localhost:3000'
const jsonOf = (body) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', origin, 'sec-fetch-site': 'same-origin' },
  body: JSON.stringify(body),
})
async function signIn(identifier, password) {
  const answer = await latchkey.handler(
    new Request(origin + '/api/auth/password/sign-in', jsonOf({ identifier, password })),
  )
  const cookie = answer.headers.getSetCookie().map((each) => each.split(';')[0]).join('; ')
  const session = await latchkey.auth(new Request(origin, { headers: { cookie } }))
  return { status: answer.status, email: session?.user?.email }
}
const ada = await signIn('ada@example.com', 'the old password of Ada')
const again = await signIn('ada@example.com', 'the old password of Ada')
const bob = await signIn('bob@example.com', 'short pw')
const wrong = await signIn('bob@example.com', 'short pW')
const github = await adapter.getUserByAccount({ provider: 'github', providerAccountId: '4711' })
console.log(JSON.stringify({
  statuses: { ada: ada.status, again: again.status, bob: bob.status, wrong: wrong.status },
  sessions: [ada, again, bob, wrong].map(({ email }) => email ?? null),
  github: github?.id,
}))
`

describe('docs/how-to/move-from-better-auth.md, with a database of better-auth 1.7.25', () => {
  const folder = join(inject('runFolder'), 'move-from-better-auth')
  const path = join(folder, 'app.db')
  const ids: Record<string, string> = {}
  let report: Report

  beforeAll(async () => {
    mkdirSync(join(folder, 'node_modules'), { recursive: true })
    symlinkSync(join(root, 'packages/latchkey'), join(folder, 'node_modules/latchkey'))
    const old = new DatabaseSync(path)
    const options = {
      baseURL: 'http://localhost:3000',
      secret: 'a secret of the old application, 0123456789',
      database: old,
      emailAndPassword: { enabled: true, minPasswordLength: 8 },
    }
    await (await getMigrations(options)).runMigrations()
    const auth = betterAuth(options)
    for (const [name, password] of [
      ['ada', 'the old password of Ada'],
      ['bob', 'short pw'],
    ] as const) {
      const body = { name, email: `${name}@example.com`, password }
      ids[name] = (await auth.api.signUpEmail({ body })).user.id
    }
    const { internalAdapter } = await auth.$context
    const carol = await internalAdapter.createOAuthUser(
      { name: 'carol', email: 'carol@example.com', emailVerified: true },
      { providerId: 'github', accountId: '4711' },
    )
    ids['carol'] = carol.user.id
    old.close()

    for (const file of ['auth.ts', 'copy.ts']) writeFileSync(join(folder, file), codeOf(file))
    writeFileSync(join(folder, 'probe.mjs'), PROBE)
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    const env = {
      ...process.env,
      NODE_ENV: 'development',
      AUTH_SECRET: 'a secret of the new application, 0123456789',
      AUTH_TRUST_HOST: 'true',
      AUTH_GITHUB_ID: 'id',
      AUTH_GITHUB_SECRET: 'secret',
      EMAIL_SERVER: 'smtp://127.0.0.1:1',
    }
    const run = (file: string): string =>
      execFileSync(process.execPath, [file], { cwd: folder, env, encoding: 'utf8' })
    run('copy.ts')
    report = JSON.parse(run('probe.mjs').trim().split('\n').at(-1) ?? '{}') as Report
  }, 120_000)

  test('people sign in with the passwords that they have, once and again, and with no others', () => {
    expect(report.statuses).toEqual({ ada: 200, again: 200, bob: 200, wrong: 401 })
    expect(report.sessions).toEqual(['ada@example.com', 'ada@example.com', 'bob@example.com', null])
  })

  test('accounts of providers belong to the same users, whose ids stay', () => {
    expect(report.github).toBe(ids['carol'])
    const moved = new DatabaseSync(path)
    const users = moved
      .prepare('SELECT "id", "emailVerified" FROM "auth_user" ORDER BY "email"')
      .all()
    moved.close()
    expect(users.map(({ id }) => id)).toEqual([ids['ada'], ids['bob'], ids['carol']])
    expect(users.map(({ emailVerified }) => emailVerified !== null)).toEqual([false, false, true])
  })
})
