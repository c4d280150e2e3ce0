/**
 * Sign in with IdentityServer4.
 *
 * Add a client with the authorization code grant. Give it the callback URL
 * `https://your.site/auth/callback/identity-server4`, then set `AUTH_IDENTITY_SERVER4_ID`,
 * `AUTH_IDENTITY_SERVER4_SECRET` and `AUTH_IDENTITY_SERVER4_ISSUER`. The issuer is your server.
 *
 * IdentityServer4 is no longer maintained; see `duende-identity-server6`.
 *
 * @see https://identityserver4.readthedocs.io/en/latest/
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'

/** The claims of the ID token that the default user is made of. */
export interface IdentityServer4Profile {
  sub: string
  name?: string
  email?: string
  email_verified?: boolean
  picture?: string
  [claim: string]: unknown
}

const identityServer4: OIDCProvider<IdentityServer4Profile> = oidc({
  id: 'identity-server4',
  name: 'IdentityServer4',
})

export default identityServer4
