/**
 * Sign in with LinkedIn.
 *
 * Create an app with "Sign In with LinkedIn using OpenID Connect". Give it the callback URL
 * `https://your.site/auth/callback/linkedin`, then set `AUTH_LINKEDIN_ID` and
 * `AUTH_LINKEDIN_SECRET`.
 *
 * @see https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'

/** The claims of the ID token. */
export interface LinkedInProfile {
  sub: string
  name?: string
  email?: string
  email_verified?: boolean
  picture?: string
  given_name?: string
  family_name?: string
  locale?: string | { country: string; language: string }
  [claim: string]: unknown
}

const linkedIn: OIDCProvider<LinkedInProfile> = oidc({
  id: 'linkedin',
  name: 'LinkedIn',
  issuer: 'https://www.linkedin.com/oauth',
  checks: ['state'],
  client: { token_endpoint_auth_method: 'client_secret_post' },
  // https://learn.microsoft.com/en-us/linkedin/shared/authentication/programmatic-refresh-tokens, read 2026-11-23: for
  // approved partners alone; a refresh token lasts 365 days from the sign-in on, however often it is used.
  tokens: { rotation: 'none' },
  style: { brandColor: '#069' },
})

export default linkedIn
