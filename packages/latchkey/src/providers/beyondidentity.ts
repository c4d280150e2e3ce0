/**
 * Sign in with Beyond Identity.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/beyondidentity`, then set
 * `AUTH_BEYONDIDENTITY_ID`, `AUTH_BEYONDIDENTITY_SECRET` and `AUTH_BEYONDIDENTITY_ISSUER`. The admin
 * console shows the issuer of the application.
 *
 * @see https://developer.beyondidentity.com/
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'

/** The claims of the ID token that the default user is made of. */
export interface BeyondIdentityProfile {
  sub: string
  name: string
  preferred_username: string
  email: string
  [claim: string]: unknown
}

const beyondIdentity: OIDCProvider<BeyondIdentityProfile> = oidc({
  id: 'beyondidentity',
  name: 'Beyond Identity',
  profile: ({ sub, name, email, preferred_username }) => ({
    id: sub,
    name,
    email,
    image: null,
    preferred_username,
  }),
  style: { brandColor: '#5077c5' },
})

export default beyondIdentity
