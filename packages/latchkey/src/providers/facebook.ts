/**
 * Sign in with Facebook.
 *
 * Create an app with Facebook Login. Give it the callback URL
 * `https://your.site/auth/callback/facebook`, then set `AUTH_FACEBOOK_ID` and
 * `AUTH_FACEBOOK_SECRET`.
 *
 * People who registered with a phone number have no email address.
 *
 * @see https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow/
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/facebook.ts'

/** The members of the answer that the default user is made of. */
export interface FacebookProfile {
  id: string
  name: string
  /** With the scope `email`, for people who have one. */
  email?: string
  picture: { data: { url: string } }
  [member: string]: unknown
}

const facebook: OAuthProvider<FacebookProfile> = oauth({
  id: 'facebook',
  name: 'Facebook',
  authorization: { url: 'https://www.facebook.com/v24.0/dialog/oauth', params: { scope: 'email' } },
  token: 'https://graph.facebook.com/oauth/access_token',
  userinfo: { url: 'https://graph.facebook.com/me', params: { fields: 'id,name,email,picture' } },
  profile: ({ id, name, email, picture }) => ({
    id,
    name,
    email: email ?? null,
    image: picture?.data?.url ?? null,
  }),
  style: { brandColor: '#006aff', mark },
})

export default facebook
