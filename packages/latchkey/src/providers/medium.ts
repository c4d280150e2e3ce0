/**
 * Sign in with Medium.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/medium`, then set
 * `AUTH_MEDIUM_ID` and `AUTH_MEDIUM_SECRET`.
 *
 * @deprecated Medium has not supported its API since 2023, and accepts no new integrations.
 *
 * @see https://github.com/Medium/medium-api-docs
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/medium.ts'

/** The members of the answer that the default user is made of. */
export interface MediumProfile {
  data: { id: string; name: string; imageUrl: string }
  [member: string]: unknown
}

/** @deprecated Medium has not supported its API since 2023, and accepts no new integrations. */
const medium: OAuthProvider<MediumProfile> = oauth({
  id: 'medium',
  name: 'Medium',
  deprecated: 'Medium has not supported its API since 2023, and accepts no new integrations',
  authorization: { url: 'https://medium.com/m/oauth/authorize', params: { scope: 'basicProfile' } },
  token: 'https://api.medium.com/v1/tokens',
  userinfo: 'https://api.medium.com/v1/me',
  profile: ({ data }) => ({ id: data?.id, name: data?.name, email: null, image: data?.imageUrl }),
  style: { brandColor: '#000', mark },
})

export default medium
