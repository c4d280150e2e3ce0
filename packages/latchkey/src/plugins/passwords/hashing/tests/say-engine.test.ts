import { expect, test, vi } from 'vitest'
import { bare, hasherOf } from '../../../../../tests/support/hashers.ts'

test('PW-12, PW-13: a process says once what hashes passwords, and with which commands it gets what it lacks', async () => {
  // Another file may have said it in this process.
  vi.resetModules()
  const { sayEngine } = await import('../say-engine.ts')
  const lines: string[] = []
  const logger = {
    error: () => undefined,
    debug: (line: string) => void lines.push(line),
    warn: (code: string, detail?: string) => void lines.push(`${code}: ${detail}`),
  }
  for (const hasher of [hasherOf(), hasherOf(), hasherOf({}, bare), hasherOf({}, bare)])
    await sayEngine(hasher, logger)
  expect(lines).toEqual([
    expect.stringMatching(
      /^passwords are hashed with argon2id \((?:node:crypto|@node-rs\/argon2)\)$/,
    ),
    'passwords are hashed with scrypt (node:crypto)',
    expect.stringMatching(/^password-hashing: .*npm install @node-rs\/argon2$/),
    expect.stringMatching(/^password-hashing: .*npm install @noble\/hashes$/),
  ])
})
