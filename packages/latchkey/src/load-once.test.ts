import { expect, test } from 'vitest'
import { loadOnce } from './load-once.ts'

test('a module is loaded when it is asked for, and kept', async () => {
  let loads = 0
  const load = loadOnce(async () => ({ number: ++loads }))
  expect(loads).toBe(0)
  expect([await load(), await load()]).toEqual([{ number: 1 }, { number: 1 }])
})

test('what failed is tried again', async () => {
  const answers = [() => Promise.reject(new Error('EMFILE')), async () => 'loaded']
  const load = loadOnce(() => (answers.shift() as () => Promise<string>)())
  await expect(load()).rejects.toThrow('EMFILE')
  expect([await load(), await load()]).toEqual(['loaded', 'loaded'])
})
