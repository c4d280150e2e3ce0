import { expect, test, vi } from 'vitest'
import { hasOneParameter } from './has-one-parameter.ts'

const object = {
  method(one: unknown) {
    return one
  },
  async later({ name, password: word }: Record<string, unknown>) {
    return [name, word]
  },
  ['computed name'](one: unknown) {
    return one
  },
  two(_one: unknown, _two: unknown) {
    return null
  },
}

function one(first: unknown): unknown {
  return first
}

const MANY = Array.from({ length: 100 }, (_, at) => `name${at}`).join(', ')

test.each<[string, (...given: never[]) => unknown]>([
  ['an arrow function without parameters', () => null],
  ['an arrow function', (one: unknown) => one],
  ['an async arrow function', async (one: unknown) => one],
  ['one that takes its parameter apart', ({ name, password }: never) => [name, password]],
  ['a function', one],
  [
    'a function without a name',
    // oxlint-disable-next-line eslint/prefer-arrow-callback
    function (first: unknown) {
      return first
    },
  ],
  ['a method', object.method],
  ['an async method', object.later],
])('a function sees no second argument: %s', (_, callee) => {
  expect(hasOneParameter(callee)).toBe(true)
})

test.each<[string, (...given: never[]) => unknown]>([
  ['two parameters', (_one: unknown, two: unknown) => two],
  ['a method with two', object.two],
  ['a second one with a default', (_one: unknown, two: unknown = null) => two],
  ['a rest parameter', (...all: unknown[]) => all[1]],
  ['a rest parameter behind the first', (_one: unknown, ...more: unknown[]) => more[0]],
  // A default may be a function with parameters of its own.
  ['a default', (one: unknown = (two: unknown) => two) => one],
  [
    'arguments',
    function (one: unknown) {
      // oxlint-disable-next-line eslint/prefer-rest-params
      return [one, arguments[1]]
    },
  ],
  ['a bound function', object.two.bind(null)],
  ['a proxy', new Proxy(object.two, {})],
  ['a mock', vi.fn((one: unknown) => one)],
  // oxlint-disable-next-line typescript/no-implied-eval
  ['a list of names that is long', new Function(`{ ${MANY} }`, 'return 1') as () => unknown],
])('a function may see a second argument: %s', (_, callee) => {
  expect(hasOneParameter(callee)).toBe(false)
})

test('a wrapper that shows the text of another function may see a second argument, by its length', () => {
  const shown = vi.spyOn(Function.prototype, 'toString').mockReturnValue('(one) => one')
  const seen = [hasOneParameter(object.two), hasOneParameter(object.method)]
  shown.mockRestore()
  expect(seen).toEqual([false, true])
})

test('a function with an escaped name may see a second argument', () => {
  // oxlint-disable-next-line typescript/no-implied-eval
  const escaped = new Function('one', 'return [one, \\u0061rguments[1]]') as () => unknown
  expect(hasOneParameter(escaped)).toBe(false)
})

test('a function with a hidden name may see a second argument', () => {
  expect(hasOneParameter(object['computed name'])).toBe(false)
})
