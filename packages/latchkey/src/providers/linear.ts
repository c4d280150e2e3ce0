/**
 * Sign in with Linear.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/linear`, then set
 * `AUTH_LINEAR_ID` and `AUTH_LINEAR_SECRET`.
 *
 * Separate scopes with commas.
 *
 * @see https://linear.app/developers/oauth-2-0-authentication
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/linear.ts'

/** The members of the answer. */
export interface LinearProfile {
  id: string
  name: string
  email: string
  /** Only for people with a picture. */
  avatarUrl?: string | null
  active: boolean
  createdAt: string
  updatedAt: string
  [member: string]: unknown
}

const linear: OAuthProvider<LinearProfile> = oauth({
  id: 'linear',
  name: 'Linear',
  authorization: { url: 'https://linear.app/oauth/authorize', params: { scope: 'read' } },
  token: 'https://api.linear.app/oauth/token',
  userinfo: {
    url: 'https://api.linear.app/graphql',
    method: 'POST',
    body: { query: 'query { viewer { id name email avatarUrl active createdAt updatedAt } }' },
    unwrap: 'data.viewer',
  },
  checks: ['state'],
  client: { token_endpoint_auth_method: 'client_secret_post' },
  profile: ({ id, name, email, avatarUrl }) => ({ id, name, email, image: avatarUrl ?? null }),
  style: { brandColor: '#5e6ad2', mark },
})

export default linear
