/**
 * Sign in with Bitbucket.
 *
 * Create an OAuth consumer of your workspace with the callback URL
 * `https://your.site/auth/callback/bitbucket`, then set `AUTH_BITBUCKET_ID` and
 * `AUTH_BITBUCKET_SECRET`.
 *
 * Bitbucket does not return the email address, so users have none.
 *
 * @see https://developer.atlassian.com/cloud/bitbucket/rest/intro/#authentication
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/bitbucket.ts'

/** The members of the answer. */
export interface BitbucketProfile {
  /** The Atlassian account; a user name may change. */
  account_id: string
  display_name?: string
  username?: string
  links: {
    avatar?: { href?: string }
    self: { href?: string }
    repositories: { href?: string }
    snippets: { href?: string }
    html: { href?: string }
    hooks: { href?: string }
  }
  created_on: string
  type: string
  uuid: string
  has_2fa_enabled: boolean | null
  is_staff: boolean
  nickname: string
  account_status: string
  location: string | null
  [member: string]: unknown
}

const bitbucket: OAuthProvider<BitbucketProfile> = oauth({
  id: 'bitbucket',
  name: 'Bitbucket',
  authorization: {
    url: 'https://bitbucket.org/site/oauth2/authorize',
    params: { scope: 'account' },
  },
  token: 'https://bitbucket.org/site/oauth2/access_token',
  userinfo: 'https://api.bitbucket.org/2.0/user',
  profile: ({ account_id, display_name, username, links }) => ({
    id: account_id,
    name: display_name ?? username ?? null,
    image: links?.avatar?.href ?? null,
  }),
  style: { brandColor: '#205081', mark },
})

export default bitbucket
