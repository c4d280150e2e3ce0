/**
 * Sign in with osu!.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/osu`, then set
 * `AUTH_OSU_ID` and `AUTH_OSU_SECRET`.
 *
 * There is no address.
 *
 * @see https://osu.ppy.sh/docs/index.html#authentication
 * @module
 */

import { mark } from '../marks/osu.ts'
import { type OAuthProvider, oauth } from './define.ts'

/** The members of the answer that the default user is made of. */
export interface OsuProfile {
  id: number
  username: string
  avatar_url: string
  [member: string]: unknown
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
