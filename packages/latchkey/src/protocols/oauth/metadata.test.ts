import { describe, expect, test } from 'vitest'
import { readMetadata } from './metadata.ts'

const ISSUER = 'https://op.example'
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** An issuer that can be out of reach, and a clock. */
function setUp(headers: Record<string, string> = {}) {
  const op = { now: 0, isDown: false, asked: 0 }
  const send: typeof fetch = async () => {
    op.asked++
    if (op.isDown) throw new TypeError('fetch failed')
    return Response.json({ issuer: ISSUER, version: op.asked }, { headers })
  }
  const read = async (): Promise<unknown> =>
    (await readMetadata({ issuer: ISSUER }, send, send, { now: () => op.now })).server['version']
  return { op, read }
}

describe('the metadata of an issuer', () => {
  test('is kept for ten minutes if its response has no lifetime', async () => {
    const { op, read } = setUp()
    expect(await read()).toBe(1)
    op.now += 10 * MINUTE - 1
    expect(await read()).toBe(1)
    op.now += 1
    expect(await read()).toBe(2)
  })

  test('serves for a day after it was read while it cannot be read', async () => {
    const { op, read } = setUp()
    expect(await read()).toBe(1)
    op.isDown = true
    op.now = 11 * MINUTE
    expect(await read()).toBe(1)
    op.now = DAY - 1
    expect(await read()).toBe(1)
    expect(op.asked).toBe(3)
    op.now = DAY
    await expect(read()).rejects.toThrow('fetch failed')
  })

  test('is replaced as soon as it can be read', async () => {
    const { op, read } = setUp({ 'cache-control': 'max-age=120' })
    expect(await read()).toBe(1)
    op.now = 2 * MINUTE
    op.isDown = true
    expect(await read()).toBe(1)
    op.isDown = false
    expect(await read()).toBe(3)
  })
})
