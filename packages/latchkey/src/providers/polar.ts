/**
 * Sign in with Polar.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/polar`, then set
 * `AUTH_POLAR_ID` and `AUTH_POLAR_SECRET`.
 *
 * @see https://polar.sh/docs/integrate/oauth2/introduction
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'

/** The members of the answer that the default user is made of. */
export interface PolarProfile {
  id?: string
  sub?: string
  username: string
  public_name?: string
  email: string
  email_verified?: boolean
  avatar_url: string
  [member: string]: unknown
}

const polar: OAuthProvider<PolarProfile> = oauth({
  id: 'polar',
  name: 'Polar',
  authorization: {
    url: 'https://polar.sh/oauth2/authorize',
    params: { scope: 'openid profile email' },
  },
  token: 'https://api.polar.sh/v1/oauth2/token',
  userinfo: 'https://api.polar.sh/v1/oauth2/userinfo',
  client: { token_endpoint_auth_method: 'client_secret_post' },
  profile: ({ id, sub, username, public_name, email, email_verified, avatar_url }) => ({
    id: String(id ?? sub),
    name: public_name || username,
    email: email_verified === false ? null : email,
    image: avatar_url,
  }),
})

export default polar
