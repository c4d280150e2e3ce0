/**
 * Sign in with FACEIT.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/faceit`, then set
 * `AUTH_FACEIT_ID` and `AUTH_FACEIT_SECRET`.
 *
 * @see https://docs.faceit.com/docs/auth/oauth2/
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/faceit.ts'

/** The members of the answer that the default user is made of. */
export interface FACEITProfile {
  guid: string
  name?: string
  email?: string
  picture?: string
  [member: string]: unknown
}

const faceit: OAuthProvider<FACEITProfile> = oauth({
  id: 'faceit',
  name: 'FACEIT',
  authorization: {
    url: 'https://accounts.faceit.com/accounts',
    params: { redirect_popup: 'true' },
  },
  token: 'https://api.faceit.com/auth/v1/oauth/token',
  userinfo: 'https://api.faceit.com/auth/v1/resources/userinfo',
  profile: ({ guid, name, email, picture }) => ({
    id: guid,
    name: name ?? null,
    email: email ?? null,
    image: picture ?? null,
  }),
  style: { brandColor: '#f50', mark },
})

export default faceit
