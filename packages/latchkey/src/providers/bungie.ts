/**
 * Sign in with Bungie.
 *
 * Register an application of type "Confidential" with the callback URL
 * `https://your.site/auth/callback/bungie`, then set `AUTH_BUNGIE_ID` and `AUTH_BUNGIE_SECRET`, and
 * give the application's API key: `bungie({ headers: { 'X-API-Key': key } })`.
 *
 * The callback URL must be https, and `127.0.0.1` while you develop, not `localhost`. There is no
 * address.
 *
 * @see https://github.com/Bungie-net/api/wiki/OAuth-Documentation
 * @module
 */

import type { OAuthConfig, OAuthUserConfig } from '../options/provider-options.ts'
import { oauth } from './define.ts'

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

/** What an application says about Bungie. */
export type BungieOptions = OAuthUserConfig<BungieProfile> & {
  /** Sent when Bungie is asked for the user; it answers nobody without a key. */
  headers: { 'X-API-Key': string }
}

export default function Bungie(options: BungieOptions): OAuthConfig<BungieProfile> {
  const { headers, ...rest } = options
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
      url: 'https://www.bungie.net/platform/User/GetBungieAccount/{tokens.membership_id}/254/',
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
  })(rest)
}
