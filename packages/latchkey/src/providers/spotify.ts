/**
 * Sign in with Spotify.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/spotify`, then set
 * `AUTH_SPOTIFY_ID` and `AUTH_SPOTIFY_SECRET`.
 *
 * Spotify does not accept `localhost`: use `http://127.0.0.1:3000` for development.
 *
 * @see https://developer.spotify.com/documentation/web-api/tutorials/code-flow
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/spotify.ts'

/** The members of the answer that the default user is made of. */
export interface SpotifyProfile {
  id: string
  display_name: string
  /** With the scope `user-read-email`. Spotify does not say whether anybody has proven it. */
  email: string
  /** Empty for people without a picture. */
  images: SpotifyImage[]
  [member: string]: unknown
}

export interface SpotifyImage {
  url: string
}

const spotify: OAuthProvider<SpotifyProfile> = oauth({
  id: 'spotify',
  name: 'Spotify',
  authorization: {
    url: 'https://accounts.spotify.com/authorize',
    params: { scope: 'user-read-email' },
  },
  token: 'https://accounts.spotify.com/api/token',
  userinfo: 'https://api.spotify.com/v1/me',
  profile: ({ id, display_name, email, images }) => ({
    id,
    name: display_name,
    email,
    image: images?.[0]?.url ?? null,
  }),
  style: { brandColor: '#1db954', mark },
})

export default spotify
