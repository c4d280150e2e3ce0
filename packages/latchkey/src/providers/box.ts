/**
 * Sign in with Box.
 *
 * Create a custom app with user authentication (OAuth 2.0). Give it the callback URL
 * `https://your.site/auth/callback/box`, then set `AUTH_BOX_ID` and `AUTH_BOX_SECRET`.
 *
 * @see https://developer.box.com/guides/authentication/oauth2/
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/box.ts'

/** The members of the answer that the default user is made of. */
export interface BoxProfile {
  id: string
  name: string
  /** The address that they sign in with at Box. */
  login: string
  avatar_url: string
  [member: string]: unknown
}

const box: OAuthProvider<BoxProfile> = oauth({
  id: 'box',
  name: 'Box',
  authorization: 'https://account.box.com/api/oauth2/authorize',
  token: 'https://api.box.com/oauth2/token',
  userinfo: 'https://api.box.com/2.0/users/me',
  profile: ({ id, name, login, avatar_url }) => ({ id, name, email: login, image: avatar_url }),
  style: { brandColor: '#0075c9', mark },
})

export default box
