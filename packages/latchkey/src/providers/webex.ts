/**
 * Sign in with Webex.
 *
 * Create an integration with the scopes `spark:kms` and `spark:people_read` and the callback URL
 * `https://your.site/auth/callback/webex`, then set `AUTH_WEBEX_ID` and `AUTH_WEBEX_SECRET`.
 *
 * @see https://developer.webex.com/docs/login-with-webex
 * @module
 */

import { withoutEndSlashes } from '../base/encoding/end-slashes.ts'
import type { OAuthConfig, OAuthUserConfig } from '../options/provider-options.ts'
import { oauth } from './define.ts'

/** The members of the answer that the default user is made of. */
export interface WebexProfile {
  id: string
  displayName?: string
  /** The first is the one that they sign in with. */
  emails: string[]
  /** Only for people with a picture. */
  avatar?: string
  [member: string]: unknown
}

/** What an application may say about Webex. */
export type WebexOptions = OAuthUserConfig<WebexProfile> & {
  /** @default 'https://webexapis.com/v1' */
  apiBaseUrl?: string | undefined
}

export default function Webex(options: WebexOptions = {}): OAuthConfig<WebexProfile> {
  const { apiBaseUrl = 'https://webexapis.com/v1', ...rest } = options
  const api = withoutEndSlashes(apiBaseUrl)
  return oauth<WebexProfile>({
    id: 'webex',
    name: 'Webex',
    authorization: { url: `${api}/authorize`, params: { scope: 'spark:kms spark:people_read' } },
    token: `${api}/access_token`,
    userinfo: `${api}/people/me`,
    profile: ({ id, displayName, emails, avatar }) => ({
      id,
      name: displayName ?? null,
      email: emails?.[0] ?? null,
      image: avatar ?? null,
    }),
  })(rest)
}
