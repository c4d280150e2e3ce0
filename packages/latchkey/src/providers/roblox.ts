/**
 * Sign in with Roblox.
 *
 * Create an OAuth 2.0 app with the callback URL `https://your.site/auth/callback/roblox`, then set
 * `AUTH_ROBLOX_ID` and `AUTH_ROBLOX_SECRET`.
 *
 * Roblox does not return an email address.
 *
 * @see https://create.roblox.com/docs/cloud/auth/oauth2-overview
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'
import { mark } from './marks/roblox.ts'

/** The claims of the ID token. */
export interface RobloxProfile {
  sub: string
  name?: string
  nickname?: string
  preferred_username?: string
  picture?: string | null
  created_at?: number
  profile?: string
  [claim: string]: unknown
}

const roblox: OIDCProvider<RobloxProfile> = oidc({
  id: 'roblox',
  name: 'Roblox',
  issuer: 'https://apis.roblox.com/oauth/',
  authorization: { params: { scope: 'openid profile' } },
  checks: ['pkce', 'state'],
  style: { brandColor: '#5865f2', mark },
})

export default roblox
