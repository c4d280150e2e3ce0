/**
 * Sign in with Wikimedia.
 *
 * Propose an OAuth 2.0 consumer with the callback URL `https://your.site/auth/callback/wikimedia`,
 * then set `AUTH_WIKIMEDIA_ID` and `AUTH_WIKIMEDIA_SECRET`.
 *
 * Until Wikimedia has approved it, only its owner can sign in.
 *
 * @see https://www.mediawiki.org/wiki/Extension:OAuth
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'

/** The members of the answer. */
export interface WikimediaProfile {
  sub: string
  username: string
  /** For accounts that have one, as far as the consumer may see it. */
  email?: string
  /** `false` while nobody has proven the address. */
  confirmed_email?: boolean
  /** As far as the consumer may see it. */
  realname?: string
  editcount: number
  blocked: boolean
  registered: string
  groups: WikimediaGroup[]
  rights: WikimediaRight[]
  /** What the consumer may do. */
  grants: WikimediaGrant[]
  [member: string]: unknown
}

/** Such as `autoconfirmed` or `sysop`; a wiki may have groups of its own. */
export type WikimediaGroup = string

/** Such as `edit`; extensions of a wiki bring their own. */
export type WikimediaRight = string

/** Such as `basic` or `editpage`. */
export type WikimediaGrant = string

const wikimedia: OAuthProvider<WikimediaProfile> = oauth({
  id: 'wikimedia',
  name: 'Wikimedia',
  authorization: {
    url: 'https://meta.wikimedia.org/w/rest.php/oauth2/authorize',
    params: { scope: '' },
  },
  token: 'https://meta.wikimedia.org/w/rest.php/oauth2/access_token',
  userinfo: 'https://meta.wikimedia.org/w/rest.php/oauth2/resource/profile',
  profile: ({ sub, username, email, confirmed_email }) => ({
    id: sub,
    name: username,
    email: confirmed_email === false ? null : (email ?? null),
    image: null,
  }),
  style: { brandColor: '#000' },
})

export default wikimedia
