import { describe, expect, test } from 'vitest'
import { coveringArray, pairsOf, validPairs } from './covering-array.ts'
import { agree, factors, names } from './options.ts'

const free = () => true
const small = { a: ['0', '1'], b: ['0', '1'], c: ['0', '1'] }

describe('the covering array', () => {
  test('of three factors with two values each has four rows', () => {
    expect(validPairs(small, free)).toHaveLength(12)
    expect(coveringArray(small, free)).toHaveLength(4)
  })

  test('leaves out a pair that a third factor makes impossible', () => {
    const pairs = ['a=1 c=0', 'c=0 a=1', 'b=1 c=1', 'c=1 b=1']
    const needs = (one: string, a: string, other: string, b: string) =>
      !pairs.includes(`${one}=${a} ${other}=${b}`)
    const valid = validPairs(small, needs)
    expect(valid).not.toContain('a=1 b=1')
    expect(valid).toContain('a=1 b=0')
    expect(new Set(coveringArray(small, needs).flatMap(pairsOf))).toEqual(new Set(valid))
  })

  test('of the options contains every valid pair, and no other', () => {
    const valid = new Set(validPairs(factors, agree))
    const rows = coveringArray(factors, agree)
    expect(rows.length).toBeLessThan(60)
    expect(new Set(rows.flatMap(pairsOf))).toEqual(valid)
    for (const row of rows) expect(Object.keys(row)).toEqual(names)
    expect(coveringArray(factors, agree)).toEqual(rows)
  })
})
