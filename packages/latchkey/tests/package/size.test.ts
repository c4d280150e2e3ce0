import { describe, expect, test } from 'vitest'
import { bundleForEdge } from '../../../../tools/size.ts'

describe('the core, bundled for an edge runtime with its libraries', () => {
  test('is smaller than its peer by the same measure', { timeout: 60_000 }, async () => {
    const [ours, peer] = await Promise.all([bundleForEdge('latchkey'), bundleForEdge('@auth/core')])
    expect(ours.gzipped).toBeLessThan(peer.gzipped)
    expect(ours.minified).toBeLessThan(peer.minified)
  })

  test('leaves nothing to the runtime, and no module of Node.js least of all', async () => {
    expect((await bundleForEdge('latchkey')).external).toEqual([])
  })
})

test('a verifier is under 6 kB, and leaves nothing to the runtime either', async () => {
  const { gzipped, external } = await bundleForEdge('latchkey/verify', 'createVerifier')
  expect(gzipped).toBeLessThan(6000)
  expect(external).toEqual([])
})
