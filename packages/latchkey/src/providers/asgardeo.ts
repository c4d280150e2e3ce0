/**
 * Sign in with Asgardeo.
 *
 * Create a "Traditional Web Application", and release email, name and photo as attributes. Give it the
 * callback URL `https://your.site/auth/callback/asgardeo`, then set `AUTH_ASGARDEO_ID`,
 * `AUTH_ASGARDEO_SECRET` and `AUTH_ASGARDEO_ISSUER`. The issuer is
 * `https://api.asgardeo.io/t/your-organization/oauth2/token`.
 *
 * @see https://wso2.com/asgardeo/docs/guides/authentication/
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'

/** The claims of the ID token. */
export interface AsgardeoProfile {
  sub: string
  name?: string
  email?: string
  email_verified?: boolean
  picture?: string
  /** As far as the console releases it, as all of these. */
  given_name?: string
  [claim: string]: unknown
}

const asgardeo: OIDCProvider<AsgardeoProfile> = oidc({
  id: 'asgardeo',
  name: 'Asgardeo',
  style: { brandColor: '#000' },
})

export default asgardeo
