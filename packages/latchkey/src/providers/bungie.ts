/**
 * Sign in with Bungie.
 *
 * Register an application of type "Confidential" with the callback URL
 * `https://your.site/auth/callback/bungie`, then set `AUTH_BUNGIE_ID`, `AUTH_BUNGIE_SECRET` and, for
 * the application's API key, `AUTH_BUNGIE_KEY`.
 *
 * The callback URL must be https. For development, use `127.0.0.1` instead of `localhost`. Bungie does
 * not return an email address.
 *
 * @see https://github.com/Bungie-net/api/wiki/OAuth-Documentation
 * @module
 */

import type { OAuthConfig, OAuthUserConfig } from '../options/provider-options.ts'
import { oauth } from './define.ts'
import { mark } from './marks/bungie.ts'

/** The members of the answer that the default user is made of. */
export interface BungieProfile {
  Response: {
    bungieNetUser: {
      membershipId: string
      displayName: string
      /** A path at Bungie. */
      profilePicturePath?: string
    }
  }
  [member: string]: unknown
}

/** What an application may say about Bungie, which answers nobody without an API key. */
export type BungieOptions = OAuthUserConfig<BungieProfile> & {
  apiKey?: string | undefined
  /** The key as the header that it is sent in. */
  headers?: { 'X-API-Key': string } | undefined
}

export default function Bungie(options: BungieOptions = {}): OAuthConfig<BungieProfile> {
  const { headers = { 'X-API-Key': '{apiKey}' }, ...rest } = options
  return oauth<BungieProfile>({
    id: 'bungie',
    name: 'Bungie',
    // Scopes are set in the application, and Bungie refuses the parameter.
    authorization: {
      url: 'https://www.bungie.net/en/OAuth/Authorize',
      params: { reauth: 'true', scope: null },
    },
    token: 'https://www.bungie.net/platform/app/oauth/token/',
    userinfo: {
      url: 'https://www.bungie.net/Platform/User/GetMembershipsForCurrentUser/',
      headers: { ...headers },
    },
    profile({ Response }) {
      const { membershipId, displayName, profilePicturePath } = Response?.bungieNetUser ?? {}
      return {
        id: String(membershipId),
        name: displayName ?? null,
        email: null,
        image: profilePicturePath
          ? new URL(profilePicturePath, 'https://www.bungie.net/').href
          : null,
      }
    },
    style: { brandColor: '#0075bb', mark },
  })(rest)
}
