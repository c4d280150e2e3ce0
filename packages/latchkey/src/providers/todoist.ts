/**
 * Sign in with Todoist.
 *
 * Create an app in the App Management Console with the callback URL
 * `https://your.site/auth/callback/todoist`, then set `AUTH_TODOIST_ID` and `AUTH_TODOIST_SECRET`.
 *
 * @see https://developer.todoist.com/guides/#oauth
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/todoist.ts'

/** The members of the answer that the default user is made of. */
export interface TodoistProfile {
  id: string
  full_name: string
  email: string
  /** Only for people with a picture. */
  avatar_big?: string | null
  [member: string]: unknown
}

const todoist: OAuthProvider<TodoistProfile> = oauth({
  id: 'todoist',
  name: 'Todoist',
  authorization: { url: 'https://todoist.com/oauth/authorize', params: { scope: 'data:read' } },
  token: 'https://todoist.com/oauth/access_token',
  userinfo: {
    url: 'https://api.todoist.com/api/v1/sync',
    method: 'POST',
    body: { sync_token: '*', resource_types: '["user"]' },
    unwrap: 'user',
  },
  client: { token_endpoint_auth_method: 'client_secret_post' },
  profile: ({ id, full_name, email, avatar_big }) => ({
    id,
    name: full_name,
    email,
    image: avatar_big ?? null,
  }),
  style: { brandColor: '#e44332', mark },
})

export default todoist
