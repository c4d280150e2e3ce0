/**
 * Sign in with 42 School.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/42-school`, then set
 * `AUTH_42_SCHOOL_ID` and `AUTH_42_SCHOOL_SECRET`.
 *
 * @see https://api.intra.42.fr/apidoc/guides/web_application_flow
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'

/** The members of the answer that the default user is made of. */
export interface FortyTwoProfile {
  id: number
  email: string
  /** The name that the student chose to be called by. */
  usual_full_name: string | null
  /** `link` is `null` for an account without a photo. */
  image: { link: string | null }
  [member: string]: unknown
}

const fortyTwo: OAuthProvider<FortyTwoProfile> = oauth({
  id: '42-school',
  name: '42 School',
  authorization: { url: 'https://api.intra.42.fr/oauth/authorize', params: { scope: 'public' } },
  token: 'https://api.intra.42.fr/oauth/token',
  userinfo: 'https://api.intra.42.fr/v2/me',
  profile: ({ id, usual_full_name, email, image }) => ({
    id: String(id),
    name: usual_full_name,
    email,
    image: image?.link ?? null,
  }),
})

export default fortyTwo
