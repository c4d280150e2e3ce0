import { expect, test } from 'vitest'
import { parseAccount } from './idp-account.ts'

test('a name becomes an account', () => {
  expect(parseAccount(' Alice ')).toEqual({
    id: 'alice',
    name: 'Alice',
    email: 'alice@example.test',
  })
  expect(parseAccount('mary-jane.watson')).toMatchObject({ name: 'Mary Jane Watson' })
})

test.each(['', ' ', '1alice', 'a@b', 'a b', 'a..b', 'a.', '<b>', 'a'.repeat(32), 'ä'])(
  '%j is refused as a name',
  (name) => {
    expect(parseAccount(name)).toBeUndefined()
  },
)
