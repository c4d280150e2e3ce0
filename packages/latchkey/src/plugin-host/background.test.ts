import { describe, expect, test, vi } from 'vitest'
import { Problem } from '../plugin/problem.ts'
import { afterResponse, inBackground } from './background.ts'

const services = () => {
  let now = 1000
  return {
    ports: { now: () => now },
    logger: { error: vi.fn() },
    lastFailures: new Map<string, number>(),
    waitUntil: vi.fn(),
    advance: (milliseconds: number) => (now += milliseconds),
  }
}

describe('work in the background', () => {
  test('GEN-8: is awaited while it is quick, without the platform', async () => {
    const given = services()
    let isDone = false
    await inBackground('touch', async () => (isDone = true), given)
    expect(isDone).toBe(true)
    expect(given.waitUntil).not.toHaveBeenCalled()
  })

  test('GEN-8: is passed to the platform after a moment', async () => {
    const given = services()
    let finish = () => {}
    const work = new Promise<void>((resolve) => {
      finish = resolve
    })
    await inBackground('touch', () => work, given)
    expect(given.waitUntil).toHaveBeenCalledTimes(1)
    const handed = given.waitUntil.mock.calls[0]?.[0] as Promise<void>
    finish()
    await expect(handed).resolves.toBeUndefined()
  })

  test('GEN-8: fails without an error for the caller, and is logged once a minute and kind', async () => {
    const given = services()
    const fail = (kind: string) =>
      inBackground(kind, () => Promise.reject(new Error('of a test')), given)
    await fail('touch')
    await fail('touch')
    await fail('revoke')
    expect(given.logger.error).toHaveBeenCalledTimes(2)
    given.advance(60_000)
    await fail('touch')
    expect(given.logger.error).toHaveBeenCalledTimes(3)
  })

  test('ACC-8: does work again after 1 and 10 seconds if its mail cannot be sent, and no other work', async () => {
    vi.useFakeTimers()
    const given = services()
    const work = vi.fn(() => Promise.reject(new Problem('mail_unavailable')))
    const begun = inBackground('password-changed', work, given)
    await vi.advanceTimersByTimeAsync(999)
    await begun
    expect(work).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(work).toHaveBeenCalledTimes(2)
    expect(given.logger.error).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(9000)
    expect(work).toHaveBeenCalledTimes(3)
    await given.waitUntil.mock.calls[0]?.[0]
    await vi.advanceTimersByTimeAsync(60_000)
    expect(work).toHaveBeenCalledTimes(3)
    expect(given.logger.error).toHaveBeenCalledTimes(1)
    const other = vi.fn(() => Promise.reject(new Error('of a test')))
    await inBackground('touch', other, given)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(other).toHaveBeenCalledTimes(1)
    vi.useRealTimers()
  })

  test('T-ACC-7: after the response is passed to the platform at once, and begins later', async () => {
    const given = services()
    let isBegun = false
    afterResponse('mail', async () => (isBegun = true), given)
    expect(given.waitUntil).toHaveBeenCalledTimes(1)
    await Promise.resolve()
    expect(isBegun).toBe(false)
    await given.waitUntil.mock.calls[0]?.[0]
    expect(isBegun).toBe(true)
  })
})
