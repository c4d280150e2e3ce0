import { expect, test } from 'vitest'
import { idsIn, withProofs } from './threats.ts'

test.each([
  ["test('T-KEY-1: stops the start', () => {})", ['T-KEY-1']],
  ["test('without a secret (T-KEY-1)', () => {})", ['T-KEY-1']],
  ["describe('HP-3, T-HTTP-3 and T-KEY-2', () => {})", ['T-HTTP-3', 'T-KEY-2']],
  ['test(`in ${place}: T-AUD-1`, () => {})', ['T-AUD-1']],
  ["test.each([{ name: 'a copy, T-ST-1' }])('$name', () => {})", ['T-ST-1']],
  ['it("doesn\'t, by T-ST-2", () => {})', ['T-ST-2']],
])('the ids of %s are found', (source, ids) => {
  expect(idsIn(source)).toEqual(ids)
})

test('a comment and a similar text are no proof', () => {
  expect(
    idsIn("// T-KEY-1: it's so\n/** T-KEY-2 */\ntest('AT-KEY-1, T-KEY-1x', () => {})"),
  ).toEqual([])
})

test('a row names the tests that prove it, and keeps its own text', () => {
  const table = [
    '| id | what must hold | proved in |',
    '| --- | --- | --- |',
    '| T-A-1 | A holds. | [gone](../../gone.ts) |',
    '| T-A-2 | B holds. | [gone](../../gone.ts), **open**: in part |',
    '| T-A-3 | C holds. | **open** |',
    '| T-A-4 | D holds. | |',
  ]
  const tests = new Map([
    ['T-A-1', ['packages/a/src/one.test.ts', 'packages/a/tests/two.ts']],
    ['T-A-2', ['packages/a/src/one.test.ts']],
    ['T-A-3', ['packages/a/src/one.test.ts']],
  ])
  const one = '[one](../../packages/a/src/one.test.ts)'
  expect(withProofs(table.join('\n'), tests).split('\n')).toEqual([
    ...table.slice(0, 2),
    `| T-A-1 | A holds. | ${one}, [two](../../packages/a/tests/two.ts) |`,
    `| T-A-2 | B holds. | ${one}, **open**: in part |`,
    `| T-A-3 | C holds. | ${one} |`,
    '| T-A-4 | D holds. | **open** |',
  ])
  expect(() => withProofs(table.join('\n'), new Map([['T-B-1', ['x.test.ts']]]))).toThrow(
    'tests name ids that have no row in the table: T-B-1 (x.test.ts)',
  )
})
