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

/** The members of the answer. */
export interface PolarProfile {
  id?: string
  sub?: string
  username: string
  public_name?: string
  email: string
  email_verified?: boolean
  avatar_url: string
  github_username?: string
  account_id?: string
  profile_settings?: {
    profile_settings_enabled?: boolean
    profile_settings_public_name?: string
    profile_settings_public_avatar?: string
    profile_settings_public_bio?: string
    profile_settings_public_location?: string
    profile_settings_public_website?: string
    profile_settings_public_twitter?: string
    profile_settings_public_github?: string
    profile_settings_public_email?: string
  }
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
