import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { checkTokenHash } from './token-hash.ts'

const jwt = (header: object | string): string =>
  `${Buffer.from(typeof header === 'string' ? header : JSON.stringify(header)).toString('base64url')}.e30.x`

/** OpenID Connect Core section 3.1.3.6: the left half of the hash. */
function halfOf(hash: string, value: string): string {
  const digest = createHash(hash).update(value).digest()
  return digest.subarray(0, digest.length / 2).toString('base64url')
}

describe('the hash of an access token or a code', () => {
  test.for([
    ['RS256', 'sha256'],
    ['ES384', 'sha384'],
    ['PS512', 'sha512'],
    ['EdDSA', 'sha512'],
    ['Ed25519', 'sha512'],
  ] as const)('of a token signed with %s uses %s', async ([alg, hash]) => {
    const claims = { at_hash: halfOf(hash, 'token') }
    await expect(checkTokenHash('at_hash', claims, jwt({ alg }), 'token')).resolves.toBeUndefined()
    await expect(checkTokenHash('at_hash', claims, jwt({ alg }), 'other')).rejects.toThrow(
      'wrong `at_hash`',
    )
  })

  test('may be missing, and another claim does not count', async () => {
    const checked = checkTokenHash('c_hash', { at_hash: 'x' }, jwt({ alg: 'RS256' }), 'code')
    await expect(checked).resolves.toBeUndefined()
  })

  test.for([jwt({ alg: 'XY' }), jwt({ alg: 1 }), jwt({}), jwt('no JSON'), 'no JWT', '!.x.y'])(
    'is refused with %s, for which there is no hash',
    async (idToken) => {
      await expect(checkTokenHash('at_hash', { at_hash: 'x' }, idToken, 'x')).rejects.toThrow(
        TypeError,
      )
    },
  )
})
