import assert from 'node:assert/strict'
import { inspect } from 'node:util'

/** The assertions of the cases. They fail by throwing, in any test runner. */
export interface Expectation {
  toBe(expected: unknown): void
  toBeNull(): void
  notToBeNull(): void
  /** Checks that all values and kinds of objects are equal, at any depth. */
  toEqual(expected: unknown): void
  /** Checks that these members have equal values. */
  toMatchObject(expected: object): void
  toHaveLength(expected: number): void
}

/** @param what the name of the value in the message. */
export function expect(actual: unknown, what: string = 'the result of the adapter'): Expectation {
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

/** Characters. Some values are long texts. */
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
