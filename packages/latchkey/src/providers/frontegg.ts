/**
 * Sign in with Frontegg.
 *
 * Create an OAuth application with the callback URL `https://your.site/auth/callback/frontegg`,
 * then set `AUTH_FRONTEGG_ID`, `AUTH_FRONTEGG_SECRET` and `AUTH_FRONTEGG_ISSUER`. The issuer is
 * `https://your-subdomain.frontegg.com`.
 *
 * @see https://developers.frontegg.com/guides/authentication/hosted/openid
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'

/** The claims of the ID token. */
export interface FronteggProfile {
  sub: string
  name?: string
  email?: string
  email_verified?: boolean
  picture?: string
  profilePictureUrl?: string
  roles?: string[]
  [claim: string]: unknown
}

const frontegg: OIDCProvider<FronteggProfile> = oidc({
  id: 'frontegg',
  name: 'Frontegg',
  jwks_endpoint: '{issuer}/.well-known/jwks.json',
  authorization: '{issuer}/oauth/authorize',
  token: '{issuer}/oauth/token',
})

export default frontegg
