/**
 * Sign in with ClickUp.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/click-up`, then set
 * `AUTH_CLICK_UP_ID` and `AUTH_CLICK_UP_SECRET`.
 *
 * ClickUp does not return an email address that could identify the user.
 *
 * @see https://developer.clickup.com/docs/authentication
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/clickup.ts'

/** The members of the answer. */
export interface ClickUpProfile {
  user: { id: number; username: string; email?: string; color: string; profilePicture: string }
  [member: string]: unknown
}

const clickUp: OAuthProvider<ClickUpProfile> = oauth({
  id: 'click-up',
  name: 'ClickUp',
  authorization: 'https://app.clickup.com/api',
  token: 'https://api.clickup.com/api/v2/oauth/token',
  userinfo: 'https://api.clickup.com/api/v2/user',
  checks: ['state'],
  profile: ({ user }) => ({
    id: String(user?.id),
    name: user?.username ?? null,
    profilePicture: user?.profilePicture,
    color: user?.color,
  }),
  style: { brandColor: '#24292f', mark },
})

export default clickUp
