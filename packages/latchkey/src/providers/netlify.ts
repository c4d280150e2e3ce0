/**
 * Sign in with Netlify.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/netlify`, then set
 * `AUTH_NETLIFY_ID` and `AUTH_NETLIFY_SECRET`.
 *
 * @see https://docs.netlify.com/api/get-started/
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/netlify.ts'

/** The members of the answer that the default user is made of. */
export interface NetlifyProfile {
  id: string
  full_name: string
  email: string
  avatar_url: string
  [member: string]: unknown
}

const netlify: OAuthProvider<NetlifyProfile> = oauth({
  id: 'netlify',
  name: 'Netlify',
  authorization: { url: 'https://app.netlify.com/authorize', params: { scope: '' } },
  token: 'https://api.netlify.com/oauth/token',
  userinfo: 'https://api.netlify.com/api/v1/user',
  profile: ({ id, full_name, email, avatar_url }) => ({
    id,
    name: full_name,
    email,
    image: avatar_url,
  }),
  style: { brandColor: '#32e6e2', mark },
})

export default netlify
