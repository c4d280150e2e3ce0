/**
 * Sign in with Descope.
 *
 * Create an access key. The access key is the secret, and the id of the project is the client id. Give
 * it the callback URL `https://your.site/auth/callback/descope`, then set `AUTH_DESCOPE_ID` and
 * `AUTH_DESCOPE_SECRET`.
 *
 * The library derives the issuer from the id of the project.
 *
 * @see https://docs.descope.com/getting-started/oidc-endpoints
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'

/** The claims of the ID token. */
export interface DescopeProfile {
  sub: string
  name?: string
  email?: string
  email_verified?: boolean
  picture?: string
  phone_number?: string
  phone_number_verified?: boolean
  [claim: string]: unknown
}

const descope: OIDCProvider<DescopeProfile> = oidc({
  id: 'descope',
  name: 'Descope',
  issuer: 'https://api.descope.com/{clientId}',
  checks: ['pkce', 'state'],
  style: { brandColor: '#1c1c23' },
})

export default descope
