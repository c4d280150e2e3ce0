/**
 * Sign in with Instagram.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/instagram`, then set
 * `AUTH_INSTAGRAM_ID` and `AUTH_INSTAGRAM_SECRET`.
 *
 * @deprecated Meta switched the Basic Display API off on 2024-12-04.
 *
 * @see https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/instagram.ts'

/** The members of the answer that the default user is made of. */
export interface InstagramProfile {
  id: string
  username: string
  [member: string]: unknown
}

/** @deprecated Meta switched the Basic Display API off on 2024-12-04. */
const instagram: OAuthProvider<InstagramProfile> = oauth({
  id: 'instagram',
  name: 'Instagram',
  deprecated: 'Meta switched the Basic Display API off on 2024-12-04',
  authorization: {
    url: 'https://api.instagram.com/oauth/authorize',
    params: { scope: 'user_profile' },
  },
  token: { url: 'https://api.instagram.com/oauth/access_token', isLenient: true },
  userinfo: {
    url: 'https://graph.instagram.com/me',
    params: { fields: 'id,username,account_type,name' },
  },
  client: { token_endpoint_auth_method: 'client_secret_post' },
  profile: ({ id, username }) => ({ id, name: username, email: null, image: null }),
  style: { brandColor: '#000', mark },
})

export default instagram
