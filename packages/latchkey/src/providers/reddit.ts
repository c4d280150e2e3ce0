/**
 * Sign in with Reddit.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/reddit`, then set
 * `AUTH_REDDIT_ID` and `AUTH_REDDIT_SECRET`.
 *
 * Reddit does not return an email address. An access token is valid for an hour. For a refresh token,
 * set `authorization: { params: { duration: 'permanent' } }`.
 *
 * @see https://github.com/reddit-archive/reddit/wiki/OAuth2
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/reddit.ts'

/** The members of the answer that the default user is made of. */
export interface RedditProfile {
  id: string
  name: string
  /** The picture; what follows `?` in it is to be cut off. */
  icon_img?: string
  [member: string]: unknown
}

const reddit: OAuthProvider<RedditProfile> = oauth({
  id: 'reddit',
  name: 'Reddit',
  authorization: { url: 'https://www.reddit.com/api/v1/authorize', params: { scope: 'identity' } },
  token: 'https://www.reddit.com/api/v1/access_token',
  userinfo: 'https://oauth.reddit.com/api/v1/me',
  checks: ['state'],
  style: { brandColor: '#ff4500', mark },
})

export default reddit
