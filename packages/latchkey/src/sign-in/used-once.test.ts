import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../adapters/memory/index.ts'
import { AdapterError } from '../base/errors.ts'
import { systemPorts } from '../base/ports.ts'
import { type Adapter, atomic } from '../model/adapter.ts'
import { createStore } from '../store/store.ts'
import { createUsedOnce, usedOnce, useOnce } from './used-once.ts'

test('T-OTV-1: a value without an expiry is never used', async () => {
  const process = { ports: { ...systemPorts }, store: undefined }
  expect(await useOnce(process, { jti: 'a' })).toBe(false)
  expect(await useOnce(process, { jti: 'a', exp: 'soon' })).toBe(false)
})

describe('a memory of used values', () => {
  test('accepts each value once', () => {
    const memory = createUsedOnce(() => 0)
    expect(memory.take('a', 900)).toBe(true)
    expect(memory.take('b', 900)).toBe(true)
    expect(memory.take('a', 900)).toBe(false)
    expect(memory.take('b', 1800)).toBe(false)
  })

  test('makes room by dropping all expired values, and only those', () => {
    let now = 0
    const memory = createUsedOnce(() => now, 3)
    memory.take('soon', 100)
    memory.take('later', 500)
    memory.take('soon too', 100)
    now = 116_000
    expect(memory.take('new', 1000)).toBe(true)
    expect(memory.take('later', 500)).toBe(false)
    expect(memory.take('soon', 100)).toBe(true)
    expect(memory.take('soon too', 100)).toBe(true)
  })

  test('drops a value from the moment at which it is no longer accepted, and not before', () => {
    let now = 65_000
    const memory = createUsedOnce(() => now, 4)
    for (const [id, end] of Object.entries({ a: 50, b: 50, c: 51, d: 70 })) memory.take(id, end)
    memory.take('new', 900)
    expect(memory.take('c', 51)).toBe(false)
    expect(memory.take('d', 70)).toBe(false)
    expect(memory.take('b', 50)).toBe(true)
    now = 66_000
    memory.take('newer', 900)
    expect(memory.take('d', 70)).toBe(false)
  })

  test('keeps a value as long as different clocks may accept it', () => {
    let now = 0
    const memory = createUsedOnce(() => now, 2)
    memory.take('a', 100)
    memory.take('b', 50)
    now = 64_000
    memory.take('c', 900)
    expect(memory.take('a', 100)).toBe(false)
  })

  test('drops the value that expires first if it is full of valid ones', () => {
    const memory = createUsedOnce(() => 0, 3)
    memory.take('long', 900)
    memory.take('short', 300)
    memory.take('middle', 600)
    expect(memory.take('new', 900)).toBe(true)
    expect(memory.take('long', 900)).toBe(false)
    expect(memory.take('middle', 600)).toBe(false)
    expect(memory.take('new', 900)).toBe(false)
    expect(memory.take('short', 300)).toBe(true)
  })

  test('never holds more than its limit', () => {
    const memory = createUsedOnce(() => 0, 10)
    for (let i = 0; i < 1000; i++) expect(memory.take(String(i), i)).toBe(true)
    const kept = Array.from({ length: 1000 }, (_, i) => i).filter((i) => i >= 990)
    for (const i of kept) expect(memory.take(String(i), i)).toBe(false)
  })

  test('is shared by all configurations of a process', () => {
    expect(usedOnce({ ports: systemPorts })).toBe(usedOnce({ ports: systemPorts }))
    expect(usedOnce({ ports: { ...systemPorts } })).not.toBe(usedOnce({ ports: systemPorts }))
  })
})

describe('T-OTV-1: a sealed value that may be used once', () => {
  const claims = { jti: 'a', exp: 900 }
  const at = (adapter: Adapter | undefined, now = 0) => ({
    ports: { ...systemPorts, now: () => now },
    store: adapter && createStore(adapter, silent),
  })

  test('is used once in a process', async () => {
    const process = at(undefined)
    expect(await useOnce(process, claims)).toBe(true)
    expect(await useOnce(process, claims)).toBe(false)
    expect(await useOnce(process, { jti: 'b', exp: 900 })).toBe(true)
    expect(await useOnce(at(undefined), claims)).toBe(true)
  })

  test('is used once in all processes with a store that counts', async () => {
    const adapter = memoryAdapter()
    const processes = Array.from({ length: 20 }, () => at(adapter))
    const used = await Promise.all(processes.map((process) => useOnce(process, claims)))
    expect(used.filter(Boolean)).toHaveLength(1)
    const last = at(adapter, (900 + 14) * 1000)
    expect(await useOnce(last, claims)).toBe(false)
    expect(await useOnce(last, { jti: 'b', exp: 900 })).toBe(true)
  })

  test('is used if the adapter cannot count, and not if counting fails', async () => {
    expect(await useOnce(at({}), claims)).toBe(true)
    const failing = at({ [atomic]: { countAttempt: () => Promise.reject(new Error('down')) } })
    await expect(useOnce(failing, claims)).rejects.toThrow(AdapterError)
    const silly = at({ [atomic]: { countAttempt: () => undefined as unknown as boolean } })
    expect(await useOnce(silly, claims)).toBe(false)
  })
})

const silent = { error() {}, warn() {}, debug() {} }

test('T-OTV-1: a value whose store did not respond may be used once more', async () => {
  const adapter = memoryAdapter()
  const abilities = adapter[atomic] ?? {}
  const count = abilities.countAttempt
  abilities.countAttempt = () => Promise.reject(new Error('the store is away'))
  const store = createStore(adapter, { error() {}, warn() {}, debug() {} })
  const process = { ports: { ...systemPorts }, store }
  const claims = { jti: 'a', exp: systemPorts.now() / 1000 + 900 }
  await expect(useOnce(process, claims)).rejects.toBeInstanceOf(AdapterError)
  if (count) abilities.countAttempt = count
  expect(await useOnce(process, claims)).toBe(true)
  expect(await useOnce(process, claims)).toBe(false)
})
