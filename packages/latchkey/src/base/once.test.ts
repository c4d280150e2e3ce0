import { expect, test } from 'vitest'
import { loadOnce, oncePer } from './once.ts'

test('a module is loaded at its first use, and kept', async () => {
  let loads = 0
  const load = loadOnce(async () => ({ number: ++loads }))
  expect(loads).toBe(0)
  expect([await load(), await load()]).toEqual([{ number: 1 }, { number: 1 }])
})

test('a load that failed is tried at the next call', async () => {
  const answers = [() => Promise.reject(new Error('EMFILE')), async () => 'loaded']
  const load = loadOnce(() => (answers.shift() as () => Promise<string>)())
  await expect(load()).rejects.toThrow('EMFILE')
  expect([await load(), await load()]).toEqual(['loaded', 'loaded'])
})

test('there is one value for each key, created at its first use', () => {
  const asked: string[] = []
  const of = oncePer((key: string) => ({ number: asked.push(key) }))
  expect([of('a'), of('b'), of('a')]).toEqual([{ number: 1 }, { number: 2 }, { number: 1 }])
  expect(of('b')).toBe(of('b'))
  const key = {}
  const weak = oncePer((object: object) => ({ object }), new WeakMap())
  expect(weak(key)).toBe(weak(key))
})
