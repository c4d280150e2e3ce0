/**
 * Sign in with DuendeIdentityServer6.
 *
 * Add a client with the authorization code grant. Give it the callback URL
 * `https://your.site/auth/callback/duende-identity-server6`, then set
 * `AUTH_DUENDE_IDENTITY_SERVER6_ID`, `AUTH_DUENDE_IDENTITY_SERVER6_SECRET` and
 * `AUTH_DUENDE_IDENTITY_SERVER6_ISSUER`. The issuer is your server, such as
 * `https://demo.duendesoftware.com`.
 *
 * @see https://docs.duendesoftware.com/identityserver/
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'

/** The claims of the ID token. */
export interface DuendeISUser {
  sub: string
  name?: string
  email?: string
  email_verified?: boolean
  picture?: string
  id?: string
  verified?: boolean
  [claim: string]: unknown
}

const duendeIdentityServer6: OIDCProvider<DuendeISUser> = oidc({
  id: 'duende-identity-server6',
  name: 'DuendeIdentityServer6',
})

export default duendeIdentityServer6
