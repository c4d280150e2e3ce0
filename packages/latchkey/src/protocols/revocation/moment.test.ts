import { expect, test } from 'vitest'
import { ageOf, momentOf } from './moment.ts'

const at = (wall: number, monotonic: number) => ({ now: () => wall, monotonic: () => monotonic })

test.each([
  ['nothing passed', 0, 0, 0],
  ['both clocks went on', 500, 500, 500],
  ['the monotonic clock stood while the machine was paused', 60_000, 0, 60_000],
  ['the wall clock stood', 0, 60_000, 60_000],
  ['the wall clock was set back', -3_600_000, 200, 200],
  ['the wall clock was set back, and the monotonic one stood', -3_600_000, 0, 0],
  ['the wall clock was set forward', 3_600_000, 200, 3_600_000],
])('GEN-4: the age of a moment is known when %s', (_, wall, monotonic, age) => {
  const moment = momentOf(at(10_000_000, 5_000))
  expect(ageOf(moment, at(10_000_000 + wall, 5_000 + monotonic))).toBe(age)
})
