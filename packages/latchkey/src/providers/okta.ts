/**
 * Sign in with Okta.
 *
 * Create an OIDC app integration of type "Web Application" with the callback URL
 * `https://your.site/auth/callback/okta`, then set `AUTH_OKTA_ID`, `AUTH_OKTA_SECRET` and
 * `AUTH_OKTA_ISSUER`. The issuer is the URL of the organization, `https://your-domain.okta.com`, or one
 * of its authorization servers, `https://your-domain.okta.com/oauth2/default`.
 *
 * @see https://developer.okta.com/docs/reference/api/oidc/
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'
import { mark } from './marks/okta.ts'

/** The claims of the ID token. */
export interface OktaProfile {
  sub: string
  name?: string
  nickname?: string
  preferred_username?: string
  email?: string
  email_verified?: boolean
  picture?: string
  iss: string
  ver?: number
  aud: string
  iat: number
  exp: number
  jti?: string
  auth_time?: number
  amr?: string[]
  idp?: string
  nonce?: string
  /** With the scope `profile`, as far as the user has it, as the next ones. */
  given_name?: string
  middle_name?: string
  family_name?: string
  profile?: string
  zoneinfo?: string
  locale?: string
  address?: Record<string, unknown>
  phone_number?: string
  website?: string
  gender?: string
  birthdate?: string
  updated_at?: number
  at_hash?: string
  c_hash?: string
  [claim: string]: unknown
}

const okta: OIDCProvider<OktaProfile> = oidc({
  id: 'okta',
  name: 'Okta',
  checks: ['pkce', 'state'],
  // https://developer.okta.com/docs/guides/refresh-tokens/refresh-token-rotation/, read 2026-11-23: rotation and its
  // grace period are settings, rotation is the default of browser apps, and a token from before ends the family.
  tokens: { rotation: 'strict' },
  style: { brandColor: '#000', mark },
})

export default okta
