import assert from 'node:assert/strict'
import { inspect } from 'node:util'

/** What the cases ask of a value. Fails by throwing, in any test runner. */
export interface Expectation {
  toBe(expected: unknown): void
  toBeNull(): void
  notToBeNull(): void
  /** The same values all the way down, and the same kinds of objects. */
  toEqual(expected: unknown): void
  /** At least these members, each with an equal value. */
  toMatchObject(expected: object): void
  toHaveLength(expected: number): void
}

/** @param what names the value when it is not what it should be. */
export function expect(actual: unknown, what: string = 'what the adapter gave'): Expectation {
  return {
    toBe: (expected) => assert.equal(actual, expected, difference(what, actual, expected)),
    toBeNull: () => assert.equal(actual, null, difference(what, actual, null)),
    notToBeNull: () => assert.ok(actual !== null && actual !== undefined, `${what}: is missing`),
    toEqual: (expected) => assert.deepEqual(actual, expected, difference(what, actual, expected)),
    toMatchObject(expected) {
      assert.ok(typeof actual === 'object' && actual !== null, `${what}: is no object`)
      const names = Object.keys(expected)
      const [given, wanted] = [pick(actual, names), pick(expected, names)]
      assert.deepEqual(given, wanted, difference(what, given, wanted))
    },
    toHaveLength(expected) {
      const { length } = actual as { length?: number }
      assert.equal(length, expected, difference(`${what}: length`, length, expected))
    },
  }
}

/** Long texts are among the values. */
const LONGEST = 400

function difference(what: string, actual: unknown, expected: unknown): string {
  const shown = (value: unknown) => inspect(value, { maxStringLength: 100 }).slice(0, LONGEST)
  return `${what}: ${shown(actual)} instead of ${shown(expected)}`
}

function pick(from: object, names: readonly string[]): Record<string, unknown> {
  const values = from as Record<string, unknown>
  return Object.fromEntries(
    names.filter((name) => name in values).map((name) => [name, values[name]]),
  )
}
