import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8')
const [, events = '', records = ''] = read('docs/reference/accounts.md').split(/^## /m)

/** Returns the names in the first column of the table of a section. */
function namesIn(section: string): string[] {
  const cells = section.split('\n').flatMap((line) => /^\| (`[^|]*)\|/.exec(line)?.[1] ?? [])
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
}

test('ACC-9: the reference has each type of the event `security`, and no other', () => {
  const source = read('packages/latchkey/src/options/events.ts')
  const [, union = ''] = /type SecurityEventType =\n([\s\S]*?)\n\n/.exec(source) ?? []
  const types = [...union.matchAll(/'([^']+)'/g)].map(([, type = '']) => type)
  expect(types.length).toBeGreaterThan(30)
  expect(
    namesIn(events)
      .filter((name) => name !== 'type')
      .sort(),
  ).toEqual(types.sort())
})

test('ACC-12: the reference has each kind of record of accounts', () => {
  const rooms =
    '{account-kit,plugin-host,plugins/{account,email-code,limits,passwords,two-factor,usernames}}'
  const kinds = globSync(`packages/latchkey/src/${rooms}/**/*.ts`, { cwd: root })
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) => [...read(path).matchAll(/recordKind(?:<[^(]*>)?\(\s*\w+, '([a-z-]+)'/g)])
    .map(([, kind = '']) => kind)
  expect(kinds.length).toBeGreaterThan(20)
  expect(namesIn(records)).toEqual(expect.arrayContaining(kinds))
})
