/**
 * Sign in with Mattermost.
 *
 * Create an OAuth 2.0 application on your server with the callback URL
 * `https://your.site/auth/callback/mattermost`, then set `AUTH_MATTERMOST_ID`,
 * `AUTH_MATTERMOST_SECRET` and `AUTH_MATTERMOST_ISSUER`. The issuer is your server, such as
 * `https://chat.your.site`.
 *
 * @see https://developers.mattermost.com/integrate/apps/authentication/oauth2/
 * @module
 */

import { fullName } from '../protocols/oauth/full-name.ts'
import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/mattermost.ts'

/** The members of the answer. */
export interface MattermostProfile {
  id: string
  username: string
  first_name: string
  last_name: string
  email: string
  /** `false` while nobody has proven the address. */
  email_verified?: boolean
  create_at: number
  update_at: number
  delete_at: number
  auth_data: string
  auth_service: string
  nickname: string
  position: string
  roles: string
  notify_props: {
    channel: string
    comments: string
    desktop: string
    desktop_sound: string
    desktop_threads: string
    email: string
    email_threads: string
    first_name: string
    mention_keys: string
    push: string
    push_status: string
    push_threads: string
  }
  last_password_update: number
  locale: string
  timezone: {
    automaticTimezone: string
    manualTimezone: string
    useAutomaticTimezone: string
  }
  disable_welcome_email: boolean
  terms_of_service_id?: string
  terms_of_service_create_at?: number
  [member: string]: unknown
}

const mattermost: OAuthProvider<MattermostProfile> = oauth({
  id: 'mattermost',
  name: 'Mattermost',
  authorization: '{issuer}/oauth/authorize',
  token: '{issuer}/oauth/access_token',
  userinfo: '{issuer}/api/v4/users/me',
  client: { token_endpoint_auth_method: 'client_secret_post' },
  profile: ({ id, username, first_name, last_name, email, email_verified }) => ({
    id,
    name: username ?? fullName(first_name, last_name),
    email: email_verified === false ? null : email,
    image: null,
  }),
  style: { brandColor: '#000', mark },
})

export default mattermost
