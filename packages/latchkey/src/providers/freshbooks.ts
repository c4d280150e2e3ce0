/**
 * Sign in with Freshbooks.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/freshbooks`, then
 * set `AUTH_FRESHBOOKS_ID` and `AUTH_FRESHBOOKS_SECRET`.
 *
 * @see https://www.freshbooks.com/api/authentication
 * @module
 */

import { fullName } from '../protocols/oauth/full-name.ts'
import { type OAuthProvider, oauth } from './define.ts'

/** The members of the answer that the default user is made of. */
export interface FreshbooksProfile {
  response: {
    id: number
    first_name: string | null
    last_name: string | null
    email: string
  }
  [member: string]: unknown
}

const freshbooks: OAuthProvider<FreshbooksProfile> = oauth({
  id: 'freshbooks',
  name: 'Freshbooks',
  authorization: 'https://auth.freshbooks.com/service/auth/oauth/authorize',
  token: 'https://api.freshbooks.com/auth/oauth/token',
  userinfo: 'https://api.freshbooks.com/auth/api/v1/users/me',
  profile: ({ response }) => ({
    id: String(response?.id),
    name: fullName(response?.first_name, response?.last_name),
    email: response?.email,
    image: null,
  }),
  style: { brandColor: '#0075dd' },
})

export default freshbooks
