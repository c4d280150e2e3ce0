import { describe, expect, test } from 'vitest'
import { issuerOfTenant, isTenantIssuer } from './tenant-issuer.ts'

const PATTERN = 'https://login.example/{tid}/v2.0'
const TENANT = '72f988bf-86f1-41af-91ab-2d7cd011db47'

function token(claims: unknown): string {
  return `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`
}

describe('the issuer of a tenant', () => {
  test('is the pattern with the tenant of the ID token', () => {
    expect(issuerOfTenant(PATTERN, token({ tid: TENANT }))).toBe(
      `https://login.example/${TENANT}/v2.0`,
    )
  })

  test.for([
    ['no tenant', token({ sub: 'ada' })],
    ['a name instead of a GUID', token({ tid: 'common' })],
    ['a path', token({ tid: `${TENANT}/../x` })],
    ['a list', token({ tid: [TENANT] })],
    ['no claims', 'e30.!!!.'],
    ['no token', undefined],
  ] as const)('is unknown with %s', ([, idToken]) => {
    expect(issuerOfTenant(PATTERN, idToken)).toBeUndefined()
  })

  test('is recognized by its shape', () => {
    expect(isTenantIssuer(PATTERN, `https://login.example/${TENANT}/v2.0`)).toBe(true)
    for (const issuer of [
      'https://login.example/common/v2.0',
      `https://evil.example/${TENANT}/v2.0`,
      `https://login.example/${TENANT}/v2.0/x`,
      `https://login.example/${TENANT}/${TENANT}/v2.0`,
      '',
    ]) {
      expect(isTenantIssuer(PATTERN, issuer), issuer).toBe(false)
    }
  })
})
