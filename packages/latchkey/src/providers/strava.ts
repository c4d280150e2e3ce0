/**
 * Sign in with Strava.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/strava`, then set
 * `AUTH_STRAVA_ID` and `AUTH_STRAVA_SECRET`.
 *
 * Separate scopes with commas. Strava does not return an email address.
 *
 * @see https://developers.strava.com/docs/authentication/
 * @module
 */

import { fullName } from '../protocols/oauth/full-name.ts'
import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/strava.ts'

/** The members of the answer that the default user is made of. */
export interface StravaProfile {
  id: number
  firstname: string
  lastname: string
  profile: string
  [member: string]: unknown
}

const strava: OAuthProvider<StravaProfile> = oauth({
  id: 'strava',
  name: 'Strava',
  authorization: {
    url: 'https://www.strava.com/api/v3/oauth/authorize',
    params: { scope: 'read', approval_prompt: 'auto', response_type: 'code' },
  },
  token: 'https://www.strava.com/api/v3/oauth/token',
  userinfo: 'https://www.strava.com/api/v3/athlete',
  client: { token_endpoint_auth_method: 'client_secret_post' },
  profile: ({ id, firstname, lastname, profile }) => ({
    id: String(id),
    name: fullName(firstname, lastname),
    email: null,
    image: profile,
  }),
  style: { brandColor: '#fc4c02', mark },
})

export default strava
