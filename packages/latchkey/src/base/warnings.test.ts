import { expect, test, vi } from 'vitest'
import { warnOnConsole } from './warnings.ts'

/** A console of its own, as each process has one. */
function createConsole(): { lines: string[]; console: Pick<Console, 'warn'> } {
  const lines: string[] = []
  return { lines, console: { warn: (line: string) => void lines.push(line) } }
}

test('APP-8: a second copy of the library does not repeat a warning of the start', async () => {
  const { lines, console } = createConsole()
  vi.resetModules()
  const copy = await import('./warnings.ts')
  expect(copy.warnOnConsole).not.toBe(warnOnConsole)
  const detail = 'provider github: set `clientId`'
  for (const warn of [warnOnConsole, copy.warnOnConsole, warnOnConsole])
    warn(console, 'client-id-missing', detail, '/auth github')
  expect(lines).toEqual([expect.stringContaining(detail)])
})

test('APP-8: another configuration, detail or console has its own warning', () => {
  const { lines, console } = createConsole()
  warnOnConsole(console, 'short-secret', 'a', '/auth')
  warnOnConsole(console, 'short-secret', 'a', '/admin/auth')
  warnOnConsole(console, 'short-secret', 'b', '/auth')
  expect(lines).toHaveLength(3)
  const other = createConsole()
  warnOnConsole(other.console, 'short-secret', 'a', '/auth')
  expect(other.lines).toHaveLength(1)
})

test('APP-8: a warning about a request is logged each time', () => {
  const { lines, console } = createConsole()
  warnOnConsole(console, 'session-size', 'a')
  warnOnConsole(console, 'session-size', 'a')
  expect(lines).toHaveLength(2)
})
