import { afterAll, vi } from 'vitest'

// Files share the process of their worker: a variable that one of them leaves there decides what another one finds.
// This hook runs after all hooks of a file. It has names alone, since values may be secret.

const before = { ...process.env }

afterAll(() => {
  const names = new Set([...Object.keys(before), ...Object.keys(process.env)])
  const variables = [...names].filter((name) => process.env[name] !== before[name])
  for (const name of variables) {
    if (before[name] === undefined) delete process.env[name]
    else process.env[name] = before[name]
  }
  const left = vi.isFakeTimers() ? [...variables, 'a fake clock'] : variables
  vi.useRealTimers()
  if (left.length > 0)
    throw new Error(`This file changes what it does not set back: ${left.join(', ')}.`)
})
