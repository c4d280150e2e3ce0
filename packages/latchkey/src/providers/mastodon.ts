/**
 * Sign in with Mastodon.
 *
 * Register an application on the instance with the callback URL
 * `https://your.site/auth/callback/mastodon`, then set `AUTH_MASTODON_ID`, `AUTH_MASTODON_SECRET`
 * and `AUTH_MASTODON_ISSUER`. The issuer is the instance, such as `https://mastodon.social`.
 *
 * Identifiers are unique only within an instance, so set another `id` for a second instance. Mastodon
 * does not return an email address.
 *
 * @see https://docs.joinmastodon.org/client/token/
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/mastodon.ts'

/** The members of the answer. */
export interface MastodonProfile {
  id: string
  username: string
  avatar_static: string
  acct: string
  display_name: string
  locked: boolean
  bot: boolean
  created_at: string
  note: string
  url: string
  avatar: string
  header: string
  header_static: string
  followers_count: number
  following_count: number
  statuses_count: number
  last_status_at: string | null
  [member: string]: unknown
}

const mastodon: OAuthProvider<MastodonProfile> = oauth({
  id: 'mastodon',
  name: 'Mastodon',
  authorization: { url: '{issuer}/oauth/authorize', params: { scope: 'read' } },
  token: '{issuer}/oauth/token',
  userinfo: '{issuer}/api/v1/accounts/verify_credentials',
  profile: ({ id, username, avatar_static }) => ({
    id,
    name: username,
    email: null,
    image: avatar_static,
  }),
  style: { brandColor: '#6364ff', mark },
})

export default mastodon
