import { expect, test } from 'vitest'
import { explained, missingTable } from './missing-table.ts'

const failed = (message: string, members: object = {}): Error =>
  Object.assign(new Error(message), members)

test.each<[string, Error, string]>([
  ['PostgreSQL', failed('relation "users" does not exist', { code: '42P01' }), 'users'],
  ['MySQL', failed("Table 'app.User' doesn't exist", { code: 'ER_NO_SUCH_TABLE' }), 'app.User'],
  ['MariaDB', failed("(conn:1) Table 'app.User' doesn't exist\nsql", { errno: 1146 }), 'app.User'],
  ['SQLite', failed('no such table: main.User'), 'main.User'],
  ['D1', failed('D1_ERROR: no such table: User: SQLITE_ERROR'), 'User'],
  ['SQL Server', failed("Invalid object name 'User'.", { number: 208 }), 'User'],
  ['Prisma', failed('…', { code: 'P2021', meta: { table: 'main.User' } }), 'main.User'],
  [
    'a driver within another error',
    new Error('Failed query', { cause: failed('no such table: a') }),
    'a',
  ],
])('the missing table of %s is named', (_, error, name) => {
  expect(missingTable(error)).toBe(name)
  expect(explained(error, 'run it')).toMatchObject({
    message: `the table ${name} does not exist; run it`,
    cause: error,
  })
})

test.each([failed('connection refused'), failed('x', { code: '23505' }), 'text', undefined])(
  'other failures are unchanged (%#)',
  (error) => {
    expect(missingTable(error)).toBeUndefined()
    expect(explained(error, 'run it')).toBe(error)
  },
)
