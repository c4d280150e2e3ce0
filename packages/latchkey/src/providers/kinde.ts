/**
 * Sign in with Kinde.
 *
 * Add a back-end application with the callback URL `https://your.site/auth/callback/kinde`, then
 * set `AUTH_KINDE_ID`, `AUTH_KINDE_SECRET` and `AUTH_KINDE_ISSUER`. The issuer is
 * `https://your-subdomain.kinde.com`.
 *
 * @see https://docs.kinde.com/
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'

/** The claims of the ID token. */
export interface KindeProfile {
  sub: string
  name?: string
  email?: string
  email_verified?: boolean
  picture?: string
  /** In the answer of Kinde's own profile endpoint, as the rest. */
  id?: string
  provided_id?: string
  preferred_email?: string
  username?: string
  first_name?: string
  last_name?: string
  [claim: string]: unknown
}

const kinde: OIDCProvider<KindeProfile> = oidc({
  id: 'kinde',
  name: 'Kinde',
  checks: ['state', 'pkce'],
  // Confirmed on 2026-11-25 by Kinde's own client, github.com/kinde-oss/kinde-typescript-sdk (AuthCodeAbstract.ts), since its
  // documentation could not be read.
  endSession: { url: '{issuer}/logout', params: { redirect: '{return}' } },
  style: { brandColor: '#0f0f0f' },
})

export default kinde
