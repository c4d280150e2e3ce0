/**
 * Sign in with Railway.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/railway`, then set
 * `AUTH_RAILWAY_ID` and `AUTH_RAILWAY_SECRET`.
 *
 * @see https://docs.railway.com/reference/oauth/login-with-railway
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/railway.ts'

/** The members of the answer that the default user is made of. */
export interface RailwayProfile {
  sub: string
  name: string
  /** Railway does not say whether anybody has proven it. */
  email: string
  picture: string
  [member: string]: unknown
}

const railway: OAuthProvider<RailwayProfile> = oauth({
  id: 'railway',
  name: 'Railway',
  authorization: {
    url: 'https://backboard.railway.com/oauth/auth',
    params: { scope: 'openid email profile' },
  },
  token: 'https://backboard.railway.com/oauth/token',
  userinfo: 'https://backboard.railway.com/oauth/me',
  profile: ({ sub, name, email, picture }) => ({ id: sub, name, email, image: picture }),
  style: { brandColor: '#0b0d0e', mark },
})

export default railway
