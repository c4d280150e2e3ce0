/**
 * Sign in with Vipps.
 *
 * Set up Login for a sales unit with the callback URL `https://your.site/auth/callback/vipps`, then
 * set `AUTH_VIPPS_ID` and `AUTH_VIPPS_SECRET`.
 *
 * The profile is asked for at the userinfo endpoint. For tests give `issuer:
 * 'https://apitest.vipps.no/access-management-1.0/access/'`.
 *
 * @see https://developer.vippsmobilepay.com/docs/APIs/login-api/
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'

/** The members of the userinfo answer that the default user is made of. */
export interface VippsProfile {
  sub: string
  name?: string
  email?: string
  email_verified?: boolean
  picture?: string
  [claim: string]: unknown
}

const vipps: OIDCProvider<VippsProfile> = oidc({
  id: 'vipps',
  name: 'Vipps',
  issuer: 'https://api.vipps.no/access-management-1.0/access/',
  authorization: { params: { scope: 'openid name email' } },
  idToken: false,
  checks: ['pkce', 'state', 'nonce'],
  style: { brandColor: '#f05c18' },
})

export default vipps
