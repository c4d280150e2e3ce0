/**
 * Sign in with Google.
 *
 * Create an OAuth client of type "Web application" with the redirect URI
 * `https://your.site/auth/callback/google`, then set `AUTH_GOOGLE_ID` and `AUTH_GOOGLE_SECRET`.
 *
 * Google returns a refresh token only at the first consent. Request it with
 * `authorization: { params: { access_type: 'offline', prompt: 'consent' } }`.
 *
 * @see https://developers.google.com/identity/openid-connect/openid-connect
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'
import { colouredMark, mark } from './marks/google.ts'

/** The claims of the ID token. */
export interface GoogleProfile {
  sub: string
  name?: string
  email?: string
  /** True only when Google proved the address. */
  email_verified?: boolean
  picture?: string
  /** The organization's domain, for its members only. */
  hd?: string
  aud: string
  azp?: string
  exp: number
  family_name?: string
  given_name?: string
  iat: number
  iss: string
  jti?: string
  locale?: string
  nbf?: number
  [claim: string]: unknown
}

const google: OIDCProvider<GoogleProfile> = oidc({
  id: 'google',
  name: 'Google',
  issuer: 'https://accounts.google.com',
  // Its metadata names no endpoint, and `login` is no prompt that it takes. Confirmed on 2026-11-23:
  // github.com/oauth2-proxy/oauth2-proxy/issues/1456, dev.to/googleworkspace/google-oidc-and-prompt-login-4d5o
  endSession: false,
  prompts: ['select_account'],
  // https://developers.google.com/identity/protocols/oauth2/web-server, read 2026-11-23: a refresh token comes with
  // `access_type=offline`, again only with `prompt=consent`, and stays; revoking a token ends the whole grant.
  tokens: {
    rotation: 'none',
    revocation: 'https://oauth2.googleapis.com/revoke',
    revokesAll: true,
    connectParams: { access_type: 'offline', include_granted_scopes: 'true', prompt: 'consent' },
  },
  style: { brandColor: '#1a73e8', mark, colouredMark },
})

export default google
