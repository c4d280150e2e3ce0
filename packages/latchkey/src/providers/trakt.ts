/**
 * Sign in with Trakt.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/trakt`, then set
 * `AUTH_TRAKT_ID` and `AUTH_TRAKT_SECRET`.
 *
 * The slug of the user name identifies the account, so a user who changes it is a new user here. Trakt
 * requires copies of its pictures instead of links. It does not return an email address.
 *
 * @see https://trakt.docs.apiary.io/#reference/authentication-oauth
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/trakt.ts'

/** The members of the answer. */
export interface TraktUser {
  /** With the extent `full`, which is asked for. */
  name: string
  ids: { slug: string }
  images: { avatar: { full: string } }
  username: string
  private: boolean
  vip: boolean
  vip_ep: boolean
  joined_at: string
  location: string | null
  about: string | null
  gender: string | null
  age: number | null
  [member: string]: unknown
}

const trakt: OAuthProvider<TraktUser> = oauth({
  id: 'trakt',
  name: 'Trakt',
  authorization: { url: 'https://trakt.tv/oauth/authorize', params: { scope: '' } },
  token: 'https://api.trakt.tv/oauth/token',
  userinfo: {
    url: 'https://api.trakt.tv/users/me',
    params: { extended: 'full' },
    headers: { 'trakt-api-version': '2', 'trakt-api-key': '{clientId}' },
  },
  profile: ({ name, ids, images }) => ({
    id: ids?.slug,
    name,
    email: null,
    image: images?.avatar?.full,
  }),
  style: { brandColor: '#ed2224', mark },
})

export default trakt
