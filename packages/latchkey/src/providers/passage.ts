/**
 * Sign in with Passage.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/passage`, then set
 * `AUTH_PASSAGE_ID`, `AUTH_PASSAGE_SECRET` and `AUTH_PASSAGE_ISSUER`. The issuer is
 * `https://your-subdomain.withpassage.com`.
 *
 * @deprecated Passage was shut down on 2026-01-16.
 *
 * @see https://docs.passage.id/hosted-login/oidc-client-configuration
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'

/** The claims of the ID token. */
export interface PassageProfile {
  sub: string
  name?: string
  email?: string
  email_verified?: boolean
  picture?: string
  iss: string
  aud: string[]
  exp: number
  iat: number
  auth_time?: number
  azp?: string
  client_id?: string
  at_hash?: string
  c_hash?: string
  phone?: string
  phone_number_verified?: boolean
  [claim: string]: unknown
}

/** @deprecated Passage was shut down on 2026-01-16. */
const passage: OIDCProvider<PassageProfile> = oidc({
  id: 'passage',
  name: 'Passage',
  deprecated: 'Passage was shut down on 2026-01-16',
  style: { brandColor: '#3d53f6' },
})

export default passage
