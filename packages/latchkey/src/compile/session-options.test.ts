import { expect, test } from 'vitest'
import type { SessionOptions } from '../options/auth-config.ts'
import { sessionAges } from './session-options.ts'

const DAY = 24 * 60 * 60

for (const [session, maxAge, updateAge] of [
  [{}, 30 * DAY, DAY],
  [{ maxAge: 7 * DAY }, 7 * DAY, DAY],
  [{ maxAge: DAY }, DAY, DAY / 30],
  [{ maxAge: 60 * 60 }, 60 * 60, 120],
  [{ maxAge: 60 * 60, updateAge: 60 * 60 }, 60 * 60, 60 * 60],
  [{ updateAge: 0 }, 30 * DAY, 0],
] as [SessionOptions, number, number][]) {
  test(`with ${JSON.stringify(session)} a session is written every ${updateAge} seconds`, () => {
    expect(sessionAges({ providers: [], session })).toEqual({ maxAge, updateAge })
  })
}
