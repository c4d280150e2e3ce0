/**
 * Sign in with Twitter.
 *
 * Create an OAuth 2.0 app of type "Web App" with the callback URL
 * `https://your.site/auth/callback/twitter`, then set `AUTH_TWITTER_ID` and `AUTH_TWITTER_SECRET`.
 *
 * X returns the email address only if the app requests it: add the scope `users.email`, and set
 * `userinfo: { params: { 'user.fields': 'profile_image_url,confirmed_email' } }`.
 *
 * @see https://docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'

/** The members of the answer. */
export interface TwitterProfile {
  data: {
    id: string
    name: string
    username: string
    email?: string
    /** Only when it is asked for, with the scope `users.email`. */
    confirmed_email?: string
    profile_image_url?: string
    /** Only when `user.fields` names it, as the rest. */
    location?: string
    description?: string
    url?: string
    entities?: {
      url?: {
        urls: {
          start: number
          end: number
          url: string
          expanded_url: string
          display_url: string
        }[]
      }
      description?: { hashtags?: { start: number; end: number; tag: string }[] }
    }
    protected?: boolean
    verified?: boolean
    pinned_tweet_id?: string
    created_at?: string
  }
  /** Only when `expansions` asks for it. */
  includes?: { tweets?: { id: string; text: string }[] }
  [member: string]: unknown
}

const twitter: OAuthProvider<TwitterProfile> = oauth({
  id: 'twitter',
  name: 'Twitter',
  authorization: {
    url: 'https://x.com/i/oauth2/authorize',
    params: { scope: 'users.read tweet.read offline.access' },
  },
  token: 'https://api.x.com/2/oauth2/token',
  userinfo: { url: 'https://api.x.com/2/users/me', params: { 'user.fields': 'profile_image_url' } },
  checks: ['pkce', 'state'],
  profile: ({ data }) => ({
    id: data?.id,
    name: data?.name,
    email: data?.confirmed_email ?? data?.email ?? null,
    image: data?.profile_image_url ?? null,
  }),
  style: { brandColor: '#1da1f2' },
})

export default twitter
