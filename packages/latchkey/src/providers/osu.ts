/**
 * Sign in with osu!.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/osu`, then set
 * `AUTH_OSU_ID` and `AUTH_OSU_SECRET`.
 *
 * osu! does not return an email address.
 *
 * @see https://osu.ppy.sh/docs/index.html#authentication
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/osu.ts'

/** The members of the answer. */
export interface OsuProfile extends OsuUserCompact {
  discord: string | null
  has_supported: boolean
  interests: string | null
  join_date: string
  kudosu: { available: number; total: number }
  location: string | null
  max_blocks: number
  max_friends: number
  occupation: string | null
  playmode: string
  playstyle: string[] | null
  post_count: number
  profile_order: string[]
  title: string | null
  title_url: string | null
  twitter: string | null
  website: string | null
  country: { code: string; name: string }
  cover: { custom_url: string | null; url: string; id: number | null }
  is_restricted: boolean
  [member: string]: unknown
}

/** The part of a user that osu! shows wherever one is named. */
export interface OsuUserCompact {
  id: number
  username: string
  avatar_url: string
  country_code: string
  default_group: string
  is_active: boolean
  is_bot: boolean
  is_deleted: boolean
  is_online: boolean
  is_supporter: boolean
  /** `null` for who does not show it. */
  last_visit: string | null
  pm_friends_only: boolean
  profile_colour: string | null
}

const osu: OAuthProvider<OsuProfile> = oauth({
  id: 'osu',
  name: 'osu!',
  authorization: { url: 'https://osu.ppy.sh/oauth/authorize', params: { scope: 'identify' } },
  token: 'https://osu.ppy.sh/oauth/token',
  userinfo: 'https://osu.ppy.sh/api/v2/me',
  profile: ({ id, username, avatar_url }) => ({
    id: String(id),
    name: username,
    email: null,
    image: avatar_url,
  }),
  style: { brandColor: '#f6a', mark },
})

export default osu
