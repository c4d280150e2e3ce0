/**
 * Sign in with Concept2.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/concept2`, then set
 * `AUTH_CONCEPT2_ID` and `AUTH_CONCEPT2_SECRET`.
 *
 * Separate scopes with commas.
 *
 * @see https://log.concept2.com/developers/documentation/
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'

/** The members of the answer. */
export interface Concept2Profile {
  data: {
    id: number
    username: string
    email: string
    profile_image: string | null
    first_name: string
    last_name: string
    gender: string
    /** Day of birth. */
    dob: string
    country: string
    age_restricted: boolean
    email_permission: boolean | null
    max_heart_rate: number | null
    weight: number | null
    logbook_privacy: string | null
  }
  [member: string]: unknown
}

const concept2: OAuthProvider<Concept2Profile> = oauth({
  id: 'concept2',
  name: 'Concept2',
  authorization: {
    url: 'https://log.concept2.com/oauth/authorize',
    params: { scope: 'user:read,results:write' },
  },
  token: 'https://log.concept2.com/oauth/access_token',
  userinfo: 'https://log.concept2.com/api/users/me',
  profile: ({ data }) => ({
    id: String(data?.id),
    name: data?.username,
    email: data?.email,
    image: data?.profile_image,
  }),
})

export default concept2
