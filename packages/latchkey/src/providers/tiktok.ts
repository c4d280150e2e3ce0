/**
 * Sign in with TikTok.
 *
 * Register an app with Login Kit and the callback URL `https://your.site/auth/callback/tiktok`, then
 * set `AUTH_TIKTOK_ID` (the client key) and `AUTH_TIKTOK_SECRET`. TikTok accepts only approved
 * domains and callback URLs, and never `localhost`.
 *
 * It returns a member of the user only if the request names it and the app has the scope for it:
 *
 *     tiktok({
 *       authorization: { params: { scope: 'user.info.basic,user.info.profile' } },
 *       userinfo: { params: { fields: 'open_id,avatar_url,display_name,username' } },
 *     })
 *
 * Separate scopes with commas. TikTok does not return an email address.
 *
 * @see https://developers.tiktok.com/doc/login-kit-web/
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/tiktok.ts'

/** What TikTok says of a user; each member is there only when `fields` names it. */
export interface TiktokProfile {
  data: {
    user: {
      /** Identifier of the person, for this app. Asked for by default. */
      open_id: string
      /** Identifier of the person, for all apps of one developer. */
      union_id?: string
      /** Asked for by default. */
      avatar_url: string
      /** 100 by 100 pixels. */
      avatar_url_100?: string
      /** A larger one; some of TikTok's pages say that `avatar_url_100` asks for it. */
      avatar_large_url?: string
      /** Asked for by default. */
      display_name: string
      /** With the scope `user.info.profile`; not asked for by default. */
      username: string
      /** Never there: TikTok gives nobody's address. */
      email?: string
      /** With the scope `user.info.profile`, as the next two. */
      bio_description?: string
      profile_deep_link?: string
      is_verified?: boolean
      /** With the scope `user.info.stats`, as the next three. */
      follower_count?: number
      following_count?: number
      likes_count?: number
      video_count?: number
    }
  }
  /** There with a good answer, too, whose `code` is `'ok'`. */
  error: {
    /** A category. */
    code: string
    message: string
    /** For questions to TikTok. */
    log_id: string
  }
}

const tiktok: OAuthProvider<TiktokProfile> = oauth({
  id: 'tiktok',
  name: 'TikTok',
  authorization: {
    url: 'https://www.tiktok.com/v2/auth/authorize',
    params: { client_key: '{clientId}', scope: 'user.info.basic' },
  },
  // Knows us as `client_key`, and takes a form without a character set only.
  token: {
    url: 'https://open.tiktokapis.com/v2/oauth/token/',
    body: { client_key: '{clientId}' },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  },
  userinfo: {
    url: 'https://open.tiktokapis.com/v2/user/info/',
    params: { fields: 'open_id,avatar_url,display_name' },
  },
  client: { token_endpoint_auth_method: 'client_secret_post' },
  profile: ({ data }) => ({
    id: data?.user?.open_id,
    name: data?.user?.display_name,
    email: null,
    image: data?.user?.avatar_url,
  }),
  style: { brandColor: '#000', mark },
})

export default tiktok
