import { expect, test } from 'vitest'
import { idsIn } from './threats.ts'

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

test('a comment and a look-alike are no proof', () => {
  expect(
    idsIn("// T-KEY-1: it's so\n/** T-KEY-2 */\ntest('AT-KEY-1, T-KEY-1x', () => {})"),
  ).toEqual([])
})
