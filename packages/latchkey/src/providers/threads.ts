/**
 * Sign in with Threads.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/threads`, then set
 * `AUTH_THREADS_ID` and `AUTH_THREADS_SECRET`.
 *
 * The callback URL must be https, also in development. Threads does not return an email address.
 *
 * @see https://developers.facebook.com/docs/threads/get-started/get-access-tokens-and-permissions
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/threads.ts'

/** The members of the answer. */
export interface ThreadsProfile {
  id: string
  /** With the scope `threads_basic`, as the picture. */
  username?: string
  threads_profile_picture_url?: string
  /** Only when `fields` names it, as the next two. */
  name?: string
  threads_biography?: string
  is_verified?: boolean
  [member: string]: unknown
}

const threads: OAuthProvider<ThreadsProfile> = oauth({
  id: 'threads',
  name: 'Threads',
  authorization: { url: 'https://threads.com/oauth/authorize', params: { scope: 'threads_basic' } },
  token: { url: 'https://graph.threads.com/oauth/access_token', isLenient: true },
  userinfo: {
    url: 'https://graph.threads.com/v1.0/me',
    params: { fields: 'id,username,threads_profile_picture_url' },
  },
  checks: ['state'],
  client: { token_endpoint_auth_method: 'client_secret_post' },
  profile: ({ id, username, threads_profile_picture_url: picture }) => ({
    id,
    name: username || null,
    email: null,
    image: picture || null,
  }),
  style: { brandColor: '#000', mark },
})

export default threads
