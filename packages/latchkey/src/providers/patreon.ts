/**
 * Sign in with Patreon.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/patreon`, then set
 * `AUTH_PATREON_ID` and `AUTH_PATREON_SECRET`.
 *
 * The provider uses version 2 of the API. Patreon no longer supports version 1, which Auth.js uses.
 *
 * @see https://docs.patreon.com/#oauth
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/patreon.ts'

/** The members of the answer. */
export interface PatreonProfile {
  data: {
    id: string
    attributes: {
      full_name: string
      /** With the scope `identity[email]`. */
      email?: string
      /** `false` while nobody has proven the address. */
      is_email_verified?: boolean
      image_url: string
    }
  }
  [member: string]: unknown
}

const patreon: OAuthProvider<PatreonProfile> = oauth({
  id: 'patreon',
  name: 'Patreon',
  authorization: {
    url: 'https://www.patreon.com/oauth2/authorize',
    params: { scope: 'identity identity[email]' },
  },
  token: 'https://www.patreon.com/api/oauth2/token',
  userinfo: {
    url: 'https://www.patreon.com/api/oauth2/v2/identity',
    params: { 'fields[user]': 'email,full_name,image_url,is_email_verified' },
  },
  profile: ({ data }) => ({
    id: data?.id,
    name: data?.attributes?.full_name,
    email: data?.attributes?.is_email_verified === false ? null : (data?.attributes?.email ?? null),
    image: data?.attributes?.image_url,
  }),
  style: { brandColor: '#e85b46', mark },
})

export default patreon
