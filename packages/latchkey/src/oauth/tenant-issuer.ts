import { jwtPart } from '../encoding/jwt-part.ts'

/** A tenant as a GUID; nothing else is put into an address. */
const TENANT = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * The issuer of the tenant that an ID token claims to be from. The token still has to name it, and to
 * be signed with a key of the provider.
 *
 * @param pattern with `{tid}` for the tenant.
 * @returns `undefined` when it names no tenant.
 */
export function issuerOfTenant(pattern: string, idToken: unknown): string | undefined {
  const tenant = jwtPart(idToken, 1)?.['tid']
  return typeof tenant === 'string' && TENANT.test(tenant)
    ? pattern.replace('{tid}', tenant)
    : undefined
}

/** Is this the issuer of any tenant? */
export function isTenantIssuer(pattern: string, issuer: string): boolean {
  const [before = '', after = ''] = pattern.split('{tid}')
  return (
    issuer.startsWith(before) &&
    issuer.endsWith(after) &&
    TENANT.test(issuer.slice(before.length, issuer.length - after.length))
  )
}
