/**
 * Sign in with Okta.
 *
 * Create an OIDC app integration of type "Web Application" with the callback URL
 * `https://your.site/auth/callback/okta`, then set `AUTH_OKTA_ID`, `AUTH_OKTA_SECRET` and
 * `AUTH_OKTA_ISSUER`. The issuer is the organization, `https://your-domain.okta.com`, or one of its
 * authorization servers, `https://your-domain.okta.com/oauth2/default`.
 *
 * @see https://developer.okta.com/docs/reference/api/oidc/
 * @module
 */

import { mark } from '../marks/okta.ts'
import { type OIDCProvider, oidc } from './define.ts'

/** The claims of the ID token that the default user is made of. */
export interface OktaProfile {
  sub: string
  name?: string
  nickname?: string
  preferred_username?: string
  email?: string
  email_verified?: boolean
  picture?: string
  [claim: string]: unknown
}

const okta: OIDCProvider<OktaProfile> = oidc({
  id: 'okta',
  name: 'Okta',
  checks: ['pkce', 'state'],
  style: { brandColor: '#000', mark },
})

export default okta
