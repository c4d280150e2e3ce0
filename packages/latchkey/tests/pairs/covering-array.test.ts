import { describe, expect, test } from 'vitest'
import { coveringArray, tuplesIn, validTuples } from './covering-array.ts'
import { agree, factors, groups, names } from './options.ts'

const free = () => true
const small = { a: ['0', '1'], b: ['0', '1'], c: ['0', '1'] }

describe('the covering array', () => {
  test('of three factors with two values each has four rows', () => {
    expect(validTuples(small, free)).toHaveLength(12)
    expect(coveringArray(small, free)).toHaveLength(4)
  })

  test('with a group of three factors has all their values together', () => {
    const rows = coveringArray(small, free, [['a', 'b', 'c']])
    expect(new Set(rows.map((row) => Object.values(row).join('')))).toHaveProperty('size', 8)
  })

  test('leaves out a pair that a third factor makes impossible', () => {
    const pairs = ['a=1 c=0', 'c=0 a=1', 'b=1 c=1', 'c=1 b=1']
    const needs = (one: string, a: string, other: string, b: string) =>
      !pairs.includes(`${one}=${a} ${other}=${b}`)
    const valid = validTuples(small, needs)
    expect(valid).not.toContain('a=1 b=1')
    expect(valid).toContain('a=1 b=0')
    expect(new Set(coveringArray(small, needs).flatMap((row) => tuplesIn(row)))).toEqual(
      new Set(valid),
    )
  })

  test('of the options contains every valid pair, every triple of the groups, and no other', () => {
    const valid = new Set(validTuples(factors, agree, groups))
    const rows = coveringArray(factors, agree, groups)
    expect(rows.length).toBeLessThan(150)
    expect(new Set(rows.flatMap((row) => tuplesIn(row, groups)))).toEqual(valid)
    for (const row of rows) expect(Object.keys(row)).toEqual(names)
    expect(coveringArray(factors, agree, groups)).toEqual(rows)
  })
})
