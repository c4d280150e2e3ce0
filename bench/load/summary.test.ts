import { describe, expect, test } from 'vitest'
import {
  arrivals,
  keptUp,
  percentile,
  rung,
  rungBelow,
  type Step,
  saturation,
  seeded,
} from './summary.ts'

function step(offered: number, p99: number, achieved = offered): Step {
  return {
    offered,
    achieved,
    p99,
    p50: 1,
    p99Of: { read: 1, callback: p99, signin: 1 },
    requests: offered,
    errors: 0,
    cpu: 1,
    shares: {},
  }
}

describe('a percentile', () => {
  test.each([
    [0.5, 50],
    [0.99, 99],
    [1, 100],
    [0, 1],
  ])('%d of 1 to 100 is %d', (part, expected) => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index)
    expect(percentile(values, part)).toBe(expected)
  })

  test('is the only value if there is one, and NaN for an empty list', () => {
    expect(percentile([7], 0.99)).toBe(7)
    expect(percentile([], 0.99)).toBeNaN()
  })
})

describe('the saturation', () => {
  test('is the highest step that kept up, in any order', () => {
    const steps = [step(300, 70), step(100, 5), step(200, 50)]
    expect(saturation(steps)?.offered).toBe(200)
  })

  test('is not a step that answered less than 98 % of the offered requests', () => {
    expect(keptUp(step(100, 5, 98))).toBe(true)
    expect(keptUp(step(100, 5, 97.9))).toBe(false)
  })

  test('is undefined if no step kept up', () => {
    expect(saturation([step(100, 51)])).toBeUndefined()
    expect(saturation([step(100, Number.NaN)])).toBeUndefined()
  })
})

describe('the arrivals of a load test', () => {
  const found = arrivals(2000, 5, seeded(1))

  test('come at the rate and in order', () => {
    expect(found).toHaveLength(10_000)
    expect(found.every(({ due }, at) => due >= (found[at - 1]?.due ?? 0) && due < 5000)).toBe(true)
  })

  test('are 90 % reads, 9 % callbacks and 1 % sign-ins', () => {
    const part = (kind: string): number =>
      found.filter((arrival) => arrival.kind === kind).length / found.length
    expect(part('read')).toBeCloseTo(0.9, 1)
    expect(part('callback')).toBeCloseTo(0.09, 1)
    expect(part('signin')).toBeGreaterThan(0.006)
    expect(part('signin')).toBeLessThan(0.014)
  })

  test('are the same for the same seed', () => {
    expect(arrivals(2000, 5, seeded(1))).toEqual(found)
    expect(arrivals(2000, 5, seeded(2))).not.toEqual(found)
  })
})

test('the steps of a ladder rise, and the last one below a rate is found', () => {
  expect([0, 1, 2, 13].map((index) => rung(index, 1.2))).toEqual([100, 120, 140, 1050])
  expect(rung(rungBelow(1100, 1.2), 1.2)).toBe(1050)
  expect(rungBelow(50, 1.2)).toBe(0)
})
