/**
 * Sign in with FusionAuth.
 *
 * Create an application with the authorization code grant and the callback URL
 * `https://your.site/auth/callback/fusionauth`, then set `AUTH_FUSIONAUTH_ID`, `AUTH_FUSIONAUTH_SECRET`
 * and `AUTH_FUSIONAUTH_ISSUER`. The issuer is the URL of your server. Set the issuer of the tenant in
 * FusionAuth to the same URL. On a server with several tenants, set `tenantId`.
 *
 * @see https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/
 * @module
 */

import type { OIDCConfig, OIDCUserConfig } from '../options/provider-options.ts'
import { fullName } from '../protocols/oauth/full-name.ts'
import { oidc } from './define.ts'
import { mark } from './marks/fusionauth.ts'

/** The claims of the ID token. */
export interface FusionAuthProfile {
  sub: string
  /** As far as the user has them, as all of these. */
  name?: string
  preferred_username?: string
  given_name?: string
  middle_name?: string
  family_name?: string
  email?: string
  email_verified?: boolean
  picture?: string
  aud: string
  exp: number
  iat: number
  iss: string
  jti?: string
  authenticationType?: string
  at_hash?: string
  c_hash?: string
  scope?: string
  sid?: string
  [claim: string]: unknown
}

/** What an application may say about FusionAuth. */
export type FusionAuthOptions = OIDCUserConfig<FusionAuthProfile> & {
  /** Needed when the server has several tenants. */
  tenantId?: string | undefined
}

export default function FusionAuth(options: FusionAuthOptions = {}): OIDCConfig<FusionAuthProfile> {
  const { tenantId, ...rest } = options
  const scope = 'openid offline_access email profile'
  return oidc<FusionAuthProfile>({
    id: 'fusionauth',
    name: 'FusionAuth',
    ...(tenantId
      ? { wellKnown: `{issuer}/.well-known/openid-configuration?tenantId=${tenantId}` }
      : {}),
    authorization: { params: { scope, ...(tenantId ? { tenantId } : {}) } },
    // Its good answers carry a challenge, too.
    token: { url: '{issuer}/oauth2/token', isLenient: true },
    checks: ['pkce', 'state'],
    profile: ({ sub, name, preferred_username: username, email, picture, ...names }) => ({
      id: sub,
      name: name ?? username ?? fullName(names.given_name, names.middle_name, names.family_name),
      email: email ?? null,
      image: picture ?? null,
    }),
    style: { brandColor: '#f58320', mark },
  })(rest)
}
