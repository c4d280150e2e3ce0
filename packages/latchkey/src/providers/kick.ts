/**
 * Sign in with Kick.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/kick`, then set
 * `AUTH_KICK_ID` and `AUTH_KICK_SECRET`.
 *
 * @see https://docs.kick.com/getting-started/generating-tokens-oauth2-flow
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/kick.ts'

/** The members of the answer that the default user is made of. */
export interface KickProfile {
  user_id: string
  name: string
  email: string
  profile_picture: string
  [member: string]: unknown
}

const kick: OAuthProvider<KickProfile> = oauth({
  id: 'kick',
  name: 'Kick',
  authorization: { url: 'https://id.kick.com/oauth/authorize', params: { scope: 'user:read' } },
  token: 'https://id.kick.com/oauth/token',
  userinfo: { url: 'https://api.kick.com/public/v1/users', unwrap: 'data.0' },
  client: { token_endpoint_auth_method: 'client_secret_post' },
  profile: ({ user_id, name, email, profile_picture }) => ({
    id: String(user_id),
    name,
    email,
    image: profile_picture,
  }),
  style: { brandColor: '#53fc19', mark },
})

export default kick
