/**
 * Sign in with Pinterest.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/pinterest`, then set
 * `AUTH_PINTEREST_ID` and `AUTH_PINTEREST_SECRET`.
 *
 * The user name identifies the account, so a user who changes it is a new user here. Pinterest does not
 * return an email address.
 *
 * @see https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/pinterest.ts'

/** The members of the answer. */
export interface PinterestProfile {
  id?: string
  username: string
  profile_image: string
  account_type: 'BUSINESS' | 'PINNER'
  website_url: string
  [member: string]: unknown
}

const pinterest: OAuthProvider<PinterestProfile> = oauth({
  id: 'pinterest',
  name: 'Pinterest',
  authorization: {
    url: 'https://www.pinterest.com/oauth',
    params: { scope: 'user_accounts:read' },
  },
  token: 'https://api.pinterest.com/v5/oauth/token',
  userinfo: 'https://api.pinterest.com/v5/user_account',
  profile: ({ username, profile_image }) => ({
    id: username,
    name: username,
    email: null,
    image: profile_image,
  }),
  style: { brandColor: '#bd081c', mark },
})

export default pinterest
