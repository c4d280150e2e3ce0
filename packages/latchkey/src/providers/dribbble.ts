/**
 * Sign in with Dribbble.
 *
 * Register an application with the callback URL `https://your.site/auth/callback/dribbble`, then set
 * `AUTH_DRIBBBLE_ID` and `AUTH_DRIBBBLE_SECRET`.
 *
 * @see https://developer.dribbble.com/v2/oauth/
 * @module
 */

import type { OAuthConfig, OAuthUserConfig } from '../options/provider-options.ts'
import { oauth } from './define.ts'
import { mark } from './marks/dribbble.ts'

/** The members of the answer that the default user is made of. */
export interface DribbbleProfile {
  id: number
  name: string
  /** Dribbble does not say when it is there. */
  email?: string
  avatar_url: string
  [member: string]: unknown
}

/** What an application may say about Dribbble. */
export type DribbbleOptions = OAuthUserConfig<DribbbleProfile> & {
  /** @default what Dribbble takes for the default, `public` */
  scope?: 'public' | 'public upload' | undefined
}

export default function Dribbble(options: DribbbleOptions = {}): OAuthConfig<DribbbleProfile> {
  const { scope = null, ...rest } = options
  return oauth<DribbbleProfile>({
    id: 'dribbble',
    name: 'Dribbble',
    authorization: { url: 'https://dribbble.com/oauth/authorize', params: { scope } },
    token: 'https://dribbble.com/oauth/token',
    userinfo: 'https://api.dribbble.com/v2/user',
    profile: ({ id, name, email, avatar_url }) => ({
      id: String(id),
      name,
      email: email ?? null,
      image: avatar_url,
    }),
    style: { brandColor: '#000', mark },
  })(rest)
}
