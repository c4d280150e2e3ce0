import { expect, test } from 'vitest'
import { networkOf } from '../network.ts'

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:1:2::3', '2001:db8:1::/48'],
  ['2a00:1450:4001:82a::200e', '2a00:1450:4001::/48'],
  ['10.1.2.3', '10.1.2.3'],
  ['127.0.0.1', '127.0.0.1'],
  ['fe80::1', 'fe80::1'],
  ['not an address', undefined],
  ['', undefined],
  ['1'.repeat(100_000), undefined],
])('the network of %j is %j', async (address, network) => {
  expect(await networkOf(address)).toBe(network)
})
