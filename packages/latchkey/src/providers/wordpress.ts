/**
 * Sign in with WordPress.com.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/wordpress`, then set
 * `AUTH_WORDPRESS_ID` and `AUTH_WORDPRESS_SECRET`.
 *
 * @see https://developer.wordpress.com/docs/oauth2/
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/wordpress.ts'

/** The members of the answer that the default user is made of. */
export interface WordPressProfile {
  ID: number
  display_name: string
  email: string
  /** `false` while nobody has proven the address. */
  email_verified?: boolean
  avatar_URL: string
  [member: string]: unknown
}

const wordPress: OAuthProvider<WordPressProfile> = oauth({
  id: 'wordpress',
  name: 'WordPress.com',
  authorization: {
    url: 'https://public-api.wordpress.com/oauth2/authorize',
    params: { scope: 'auth' },
  },
  token: 'https://public-api.wordpress.com/oauth2/token',
  userinfo: 'https://public-api.wordpress.com/rest/v1/me',
  profile: ({ ID, display_name, email, email_verified, avatar_URL }) => ({
    id: String(ID),
    name: display_name,
    email: email_verified === false ? null : email,
    image: avatar_URL,
  }),
  style: { brandColor: '#21759b', mark },
})

export default wordPress
