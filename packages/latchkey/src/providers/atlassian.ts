/**
 * Sign in with Atlassian.
 *
 * Create an OAuth 2.0 (3LO) app with the callback URL `https://your.site/auth/callback/atlassian`,
 * then set `AUTH_ATLASSIAN_ID` and `AUTH_ATLASSIAN_SECRET`.
 *
 * For a refresh token, also request the scope `offline_access`:
 * `authorization: { params: { scope: 'read:me offline_access' } }`.
 *
 * @see https://developer.atlassian.com/cloud/jira/software/oauth-2-3lo-apps/
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/atlassian.ts'

/** The members of the answer that the default user is made of. */
export interface AtlassianProfile {
  account_id: string
  name: string
  /** Only what the person shows to apps. */
  email: string
  picture: string
  [member: string]: unknown
}

const atlassian: OAuthProvider<AtlassianProfile> = oauth({
  id: 'atlassian',
  name: 'Atlassian',
  authorization: {
    url: 'https://auth.atlassian.com/authorize',
    params: { audience: 'api.atlassian.com', scope: 'read:me' },
  },
  token: 'https://auth.atlassian.com/oauth/token',
  userinfo: 'https://api.atlassian.com/me',
  checks: ['state'],
  profile: ({ account_id, name, email, picture }) => ({
    id: account_id,
    name,
    email,
    image: picture,
  }),
  // https://community.developer.atlassian.com/t/54172, read 2026-11-23: refresh tokens rotate, the old one works for ten
  // minutes more, and after that its use ends the family.
  tokens: { rotation: 'overlap' },
  style: { brandColor: '#0052cc', mark },
})

export default atlassian
