import { expect, test } from 'vitest'
import type { SessionOptions } from '../../options/auth-config.ts'
import { sessionAges } from './session-options.ts'

const DAY = 24 * 60 * 60

for (const [session, maxAge, updateAge] of [
  [{}, 30 * DAY, DAY],
  [{ maxAge: 7 * DAY }, 7 * DAY, DAY],
  [{ maxAge: DAY }, DAY, DAY / 30],
  [{ maxAge: 60 * 60 }, 60 * 60, 120],
  [{ maxAge: 60 * 60, updateAge: 60 * 60 }, 60 * 60, 30 * 60],
  [{ maxAge: 60 * 60, updateAge: DAY }, 60 * 60, 30 * 60],
  [{ updateAge: 0 }, 30 * DAY, 0],
] as [SessionOptions, number, number][]) {
  test(`with ${JSON.stringify(session)} a session is written every ${updateAge} seconds`, () => {
    expect(sessionAges({ providers: [], session })).toMatchObject({ maxAge, updateAge })
  })
}

for (const [life, updateAge] of [
  [60 * 60, 120],
  [7 * DAY, DAY],
  [400 * DAY, DAY],
  [undefined, DAY],
] as const) {
  test(`with a cookie of ${life} seconds a session is written every ${updateAge}`, () => {
    const cookies = { sessionToken: { options: { maxAge: life } } }
    expect(sessionAges({ providers: [], cookies })).toMatchObject({ maxAge: 30 * DAY, updateAge })
    const session = { updateAge: 5 }
    expect(sessionAges({ providers: [], cookies, session }).updateAge).toBe(5)
  })
}

test('a sealed session whose token lives for an hour is written every two minutes', () => {
  const jwt = { maxAge: 60 * 60 }
  expect(sessionAges({ providers: [], jwt })).toEqual({
    maxAge: 30 * DAY,
    tokenMaxAge: 60 * 60,
    updateAge: 120,
  })
  const stored = { providers: [], jwt, session: { strategy: 'database' as const } }
  expect(sessionAges(stored).updateAge).toBe(DAY)
})
