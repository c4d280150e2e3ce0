import { jwtPart } from '../../base/encoding/jwt-part.ts'

/** A tenant as a GUID; other values are not inserted into a URL. */
const TENANT = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Returns the issuer for the tenant in an unverified ID token. The caller still verifies the issuer and the signature
 * of the token.
 *
 * @param pattern the issuer with `{tid}` for the tenant.
 * @returns `undefined` if the token has no tenant.
 */
export function issuerOfTenant(pattern: string, idToken: unknown): string | undefined {
  const tenant = jwtPart(idToken, 1)?.['tid']
  return typeof tenant === 'string' && TENANT.test(tenant)
    ? pattern.replace('{tid}', tenant)
    : undefined
}

/** Returns whether this is the issuer of a tenant. */
export function isTenantIssuer(pattern: string, issuer: string): boolean {
  const [before = '', after = ''] = pattern.split('{tid}')
  return (
    issuer.startsWith(before) &&
    issuer.endsWith(after) &&
    TENANT.test(issuer.slice(before.length, issuer.length - after.length))
  )
}
