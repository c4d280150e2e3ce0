import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bundleForEdge, pluginMachinery } from '../../../../tools/size.ts'
import { root } from './packed.ts'

/** Bytes, gzipped. A bound on growth that nobody decided on; no line of code is shortened for it. */
const EDGE_BUDGET = 97_500

describe('the core, bundled for an edge runtime with its libraries', () => {
  test('keeps within its budget', async () => {
    expect((await bundleForEdge('latchkey')).gzipped).toBeLessThanOrEqual(EDGE_BUDGET)
  })

  test('imports nothing from the runtime, and no module of Node.js', async () => {
    expect((await bundleForEdge('latchkey')).external).toEqual([])
  })
})

describe('HP-6: the code that answers without the classes of the web', () => {
  /** In the one module that does. */
  const DIRECT = 'signout|error|verify-request|jwks)'

  test('is in the listener for servers of Node.js', async () => {
    expect((await bundleForEdge('latchkey/node', 'toNodeListener')).code).toContain(DIRECT)
  })

  test.each([
    ['latchkey', 'Auth'],
    ['latchkey/hono', 'authHandler'],
    ['latchkey/elysia', 'auth'],
    ['latchkey/tanstack-start', 'authHandler'],
    ['latchkey/verify', 'createVerifier'],
  ])('is not in an application with %s', async (specifier, name) => {
    expect((await bundleForEdge(specifier, name)).code).not.toContain(DIRECT)
  })
})

test('the code that runs plugins is at most 34 kB, and only in applications with a plugin', async () => {
  const bytes = await pluginMachinery()
  expect(bytes).toBeGreaterThan(1000)
  // Decided on last: forms that are shown again, templates of mails, and what a browser is to its user.
  expect(bytes).toBeLessThanOrEqual(34_000)
})

test('SS-15: the functions of a page for the account are at most 4 kB as received', async () => {
  const { gzipped } = await bundleForEdge('latchkey/plugins/account/client', 'accountClient')
  expect(gzipped).toBeLessThanOrEqual(4000)
})

test('a verifier is under 9.9 kB, and imports nothing from the runtime', async () => {
  const { gzipped, external } = await bundleForEdge('latchkey/verify', 'createVerifier')
  expect(gzipped).toBeLessThan(9900)
  expect(external).toEqual([])
})

test('REV-17, PERF-12: the code of a verifier that asks about ended sessions is at most 4 kB more', async () => {
  const alone = await bundleForEdge('latchkey/verify', 'createVerifier')
  const both = await bundleForEdge('latchkey/verify', 'createVerifier', [
    'latchkey/verify/revocations',
    'revocations',
  ])
  const more = both.gzipped - alone.gzipped
  expect(more).toBeGreaterThan(1000)
  expect(more).toBeLessThanOrEqual(4000)
})

test('TOK-9: a verifier of sessions has no code that verifies tokens', async () => {
  const sessions = await bundleForEdge('latchkey/verify', 'createVerifier')
  const both = await bundleForEdge('latchkey/verify', 'createVerifier', [
    'latchkey/verify',
    'createTokenVerifier',
  ])
  expect(both.gzipped - sessions.gzipped).toBeGreaterThan(5000)
})

test.each([
  ['packages/latchkey/README.md', /`latchkey\/verify` .* in (\d+) kB/],
  ['docs/how-to/run-at-the-edge.md', /It has about (\d+) kB gzipped/],
])('%s names the size of a verifier, give or take 1 kB', async (page, size) => {
  const said = size.exec(readFileSync(join(root, page), 'utf8'))?.[1]
  const { gzipped } = await bundleForEdge('latchkey/verify', 'createVerifier')
  expect(Math.abs(Number(said) - gzipped / 1000)).toBeLessThan(1)
})
