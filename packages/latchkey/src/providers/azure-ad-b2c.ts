/**
 * Sign in with Azure AD B2C.
 *
 * Register an app in your B2C tenant, and let the user flow return the email address and the display
 * name. Give it the callback URL `https://your.site/auth/callback/azure-ad-b2c`, then set
 * `AUTH_AZURE_AD_B2C_ID`, `AUTH_AZURE_AD_B2C_SECRET` and `AUTH_AZURE_AD_B2C_ISSUER`. The issuer belongs
 * to the user flow: `https://your-tenant.b2clogin.com/your-tenant-id/your-flow/v2.0/`.
 *
 * Microsoft no longer offers B2C to new customers; see `microsoft-entra-id`.
 *
 * @see https://learn.microsoft.com/en-us/azure/active-directory-b2c/
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'

/** The claims of the ID token. */
export interface AzureADB2CProfile {
  sub: string
  name?: string
  preferred_username?: string
  /** As the user flow releases it, as the next two. */
  emails?: string[]
  country?: string
  postalCode?: string
  exp: number
  nbf?: number
  ver?: string
  iss: string
  aud: string
  iat: number
  auth_time?: number
  oid?: string
  tfp?: string
  [claim: string]: unknown
}

const azureADB2C: OIDCProvider<AzureADB2CProfile> = oidc({
  id: 'azure-ad-b2c',
  name: 'Azure AD B2C',
  profile: ({ sub, name, preferred_username, emails }) => ({
    id: sub,
    name: name ?? preferred_username ?? null,
    email: emails?.[0] ?? null,
    image: null,
  }),
  style: { brandColor: '#0072c6' },
})

export default azureADB2C
