/**
 * Sign in with Figma.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/figma`, then set
 * `AUTH_FIGMA_ID` and `AUTH_FIGMA_SECRET`.
 *
 * The scope is `current_user:read`; Figma is removing `files:read`, which Auth.js requests.
 *
 * @see https://developers.figma.com/docs/rest-api/authentication/
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/figma.ts'

/** The members of the answer that the default user is made of. */
export interface FigmaProfile {
  id: string
  handle: string
  email: string
  img_url: string
  [member: string]: unknown
}

const figma: OAuthProvider<FigmaProfile> = oauth({
  id: 'figma',
  name: 'Figma',
  authorization: { url: 'https://www.figma.com/oauth', params: { scope: 'current_user:read' } },
  token: 'https://api.figma.com/v1/oauth/token',
  userinfo: 'https://api.figma.com/v1/me',
  checks: ['state'],
  profile: ({ id, handle, email, img_url }) => ({ id, name: handle, email, image: img_url }),
  style: { brandColor: '#ff7237', mark },
})

export default figma
