import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLog, type Log } from './log.ts'

/** A log that collects, and what it has written: each piece as a list of the members `n` of its lines. */
function recorded(): { log: Log; written: number[][] } {
  const written: number[][] = []
  const stream = {
    write: (text: string) =>
      void written.push(
        text
          .trimEnd()
          .split('\n')
          .map((line) => (JSON.parse(line) as { n: number }).n),
      ),
  }
  const collects = true
  const log = createLog({ level: 'info', format: 'json', secrets: new Set(), stream, collects })
  return { log, written }
}

describe('HP-7: lines of the log', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('of successful requests are written together, after a quarter of a second', () => {
    const { log, written } = recorded()
    log.info({ n: 1, status: 200 }, 'request')
    vi.advanceTimersByTime(200)
    log.info({ n: 2, status: 302 }, 'request')
    vi.advanceTimersByTime(49)
    expect(written).toEqual([])
    vi.advanceTimersByTime(1)
    expect(written).toEqual([[1, 2]])
    log.info({ n: 3, status: 200 }, 'request')
    vi.advanceTimersByTime(250)
    expect(written).toEqual([[1, 2], [3]])
  })

  test('of successful requests are written as soon as they reach 16 kB', () => {
    const { log, written } = recorded()
    const path = `/${'a '.repeat(500)}`
    for (let n = 0; n < 40; n++) log.info({ n, status: 200, path }, 'request')
    expect(written.length).toBeGreaterThan(1)
    for (const numbers of written) expect(numbers.length).toBeLessThanOrEqual(16)
    log.flush()
    expect(written.flat()).toEqual(Array.from({ length: 40 }, (_, n) => n))
  })

  test.each<[string, (log: Log) => void]>([
    ['a refused request', (log) => log.info({ n: 2, status: 403 }, 'request')],
    ['a failed request', (log) => log.error({ n: 2, status: 503 }, 'request')],
    ['a warning', (log) => log.warn({ n: 2 }, 'auth warning')],
    ['other information', (log) => log.info({ n: 2 }, 'draining')],
  ])('of %s are written at once, after the collected ones', (_what, write) => {
    const { log, written } = recorded()
    log.info({ n: 1, status: 200 }, 'request')
    write(log)
    expect(written).toEqual([[1, 2]])
    vi.advanceTimersByTime(1000)
    expect(written).toEqual([[1, 2]])
  })

  test('are text in development', () => {
    const written: string[] = []
    const stream = { write: (text: string) => void written.push(text) }
    const collects = true
    const log = createLog({ level: 'info', format: 'text', secrets: new Set(), stream, collects })
    for (const path of ['/a', '/b'])
      log.info({ method: 'GET', path, status: 200, outcome: 'session', ms: 1 }, 'request')
    log.flush()
    expect(written).toHaveLength(1)
    expect(written[0]).toMatch(/GET \/a 200 session 1 ms\n.* GET \/b 200 session 1 ms\n$/)
  })
})
