/**
 * Sign in with Gumroad.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/gumroad`, then set
 * `AUTH_GUMROAD_ID` and `AUTH_GUMROAD_SECRET`.
 *
 * @see https://gumroad.com/api
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/gumroad.ts'

/** The members of the answer. */
export interface GumroadProfile {
  user: {
    user_id: string
    name: string
    /** Gumroad does not say whether anybody has proven it. */
    email: string
    profile_url: string
  }
  success: boolean
  [member: string]: unknown
}

const gumroad: OAuthProvider<GumroadProfile> = oauth({
  id: 'gumroad',
  name: 'Gumroad',
  authorization: { url: 'https://gumroad.com/oauth/authorize', params: { scope: 'view_profile' } },
  token: 'https://api.gumroad.com/oauth/token',
  userinfo: 'https://api.gumroad.com/v2/user',
  client: { token_endpoint_auth_method: 'client_secret_post' },
  profile: ({ user }) => ({
    id: user?.user_id,
    name: user?.name,
    email: user?.email,
    image: user?.profile_url,
  }),
  style: { brandColor: '#ff90e8', mark },
})

export default gumroad
