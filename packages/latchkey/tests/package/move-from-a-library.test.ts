import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, inject, test } from 'vitest'
import { walkOf } from './walked-guide.ts'

/** The hash of the password that `better-auth` 1.7.25 made. */
const OF_BETTER_AUTH =
  'a3a664f4ad7218e1aec0c531d1dd69b4:37acf6f6dc575d835a0d6c3d1ca404e4361abb051d43c69e65f191c5424fabf6bbb17ffcbd852e3f9b766356b09c527ae90c660c97d193f672b6fe9193324803'

/** The hash of the password that `Scrypt` of `lucia` 3.2.2 made. */
const OF_LUCIA =
  '8627d7af5d523976bfc67b8e640f28d2:20ef9ff2e2841ff26e6e400439a64f96e58ce11a30606c95bab25ec57c19ec5da4f5b248ca0dbfdd39d503ee2f921a55e50d40a3a85ddd100735209b720e678c'

const folder = join(inject('runFolder'), 'move-from-a-library')

/** Makes the tables of the other library in the database of a project. */
function makeTables(project: string, statements: string): void {
  const database = new DatabaseSync(join(project, 'app.db'))
  database.exec(statements)
  database.close()
}

describe('guides to move from a library, with its tables', () => {
  mkdirSync(folder, { recursive: true })

  test('docs/how-to/move-from-better-auth.md: people keep id, password and account', () => {
    const walk = walkOf(
      'move-from-better-auth',
      folder,
      'better-auth',
      ['auth.ts', 'copy.ts'],
      '/api/auth',
    )
    makeTables(
      walk.project,
      `CREATE TABLE "user" (id TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL UNIQUE, emailVerified INTEGER NOT NULL, image TEXT, createdAt DATE, updatedAt DATE);
       CREATE TABLE "account" (id TEXT PRIMARY KEY, accountId TEXT NOT NULL, providerId TEXT NOT NULL, userId TEXT NOT NULL, accessToken TEXT, password TEXT);
       INSERT INTO "user" VALUES ('ada', 'Ada Lovelace', 'Ada@example.com', 1, NULL, '2025-01-01', '2025-01-01');
       INSERT INTO "account" VALUES ('1', 'ada', 'credential', 'ada', NULL, '${OF_BETTER_AUTH}'), ('2', '4711', 'github', 'ada', 'gho', NULL);`,
    )
    walk.run('copy.ts')
    // The second time, everybody is there.
    walk.run('copy.ts')
    expect(walk.look()).toEqual({
      wrong: 401,
      right: 'Ada Lovelace',
      id: 'ada',
      account: 'ada@example.com',
    })
  })

  test('docs/how-to/move-from-lucia.md: people keep id, password and account', () => {
    const walk = walkOf('move-from-lucia', folder, 'lucia', ['auth.ts', 'copy.ts'])
    makeTables(
      walk.project,
      `CREATE TABLE "user" (id TEXT PRIMARY KEY, username TEXT, email TEXT, email_verified INTEGER, password_hash TEXT, github_id INTEGER);
       INSERT INTO "user" VALUES ('ada', 'Ada Lovelace', 'ada@example.com', 1, '${OF_LUCIA}', 4711);`,
    )
    walk.run('copy.ts')
    walk.run('copy.ts')
    expect(walk.look()).toEqual({
      wrong: 401,
      right: 'Ada Lovelace',
      id: 'ada',
      account: 'ada@example.com',
    })
  })

  test('docs/how-to/move-from-passport.md: people keep id and password, with the function that checked it', () => {
    const walk = walkOf('move-from-passport', folder, 'passport', ['auth.ts'])
    writeFileSync(
      join(walk.project, 'users.ts'),
      `const ada = { id: '7', name: 'Ada Lovelace' }
       export const userByPassword = async (name: string, password: string) =>
         name === 'ada' && password === 'the old password' ? ada : null
       export const userByAccount = async (provider?: string, id?: string) =>
         provider === 'credentials' && id === '7' ? ada : null`,
    )
    writeFileSync(
      join(walk.project, 'visit.mjs'),
      `import { createLatchkey } from 'latchkey'
       import { config } from './auth.ts'
       const latchkey = createLatchkey(config)
       const request = new Request('http://localhost:3000/', { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } })
       const signIn = async (password) => {
         const { error = null, headers } = await latchkey.signIn.result(request, 'credentials', { username: 'ada', password })
         const cookie = headers.getSetCookie().map((each) => each.split(';')[0]).join('; ')
         const session = await latchkey.auth(new Request('http://localhost:3000/', { headers: { cookie } }))
         return { error, user: session?.user?.id ?? null }
       }
       console.log(JSON.stringify([await signIn('wrong'), await signIn('the old password')]))`,
    )
    const said = walk.run('visit.mjs').trim().split('\n').at(-1) ?? ''
    expect(JSON.parse(said)).toEqual([
      { error: 'CredentialsSignin', user: null },
      { error: null, user: '7' },
    ])
  })
})
