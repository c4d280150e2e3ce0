/**
 * Sign in with Paybin.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/paybin`, then set
 * `AUTH_PAYBIN_ID` and `AUTH_PAYBIN_SECRET`.
 *
 * @see https://developers.paybin.io/knowledge-center/oidc
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'

/** The claims of the ID token. */
export interface PaybinProfile {
  sub: string
  name?: string
  preferred_username?: string
  email: string
  email_verified?: boolean
  picture?: string
  given_name?: string
  family_name?: string
  [claim: string]: unknown
}

const paybin: OIDCProvider<PaybinProfile> = oidc({
  id: 'paybin',
  name: 'Paybin',
  issuer: 'https://idp.paybin.io',
  authorization: { url: '{issuer}/oauth2/authorize', params: { scope: 'openid email profile' } },
  token: '{issuer}/oauth2/token',
  client: { token_endpoint_auth_method: 'client_secret_post' },
})

export default paybin
