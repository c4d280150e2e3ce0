/**
 * Sign in with Hydra.
 *
 * Create an OAuth 2.0 client with the callback URL `https://your.site/auth/callback/hydra`, then
 * set `AUTH_HYDRA_ID`, `AUTH_HYDRA_SECRET` and `AUTH_HYDRA_ISSUER`. The issuer is your project or
 * server, such as `https://hydra.your.site`.
 *
 * The module is `ory-hydra`, and the provider id is `hydra`.
 *
 * @see https://www.ory.com/docs/hydra/5min-tutorial
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'

/** The claims of the ID token. */
export interface OryHydraProfile {
  sub: string
  name?: string
  email?: string
  email_verified?: boolean
  picture?: string
  iss: string
  ver?: string
  aud: string[]
  iat: number
  exp: number
  jti?: string
  amr?: string[]
  [claim: string]: unknown
}

const oryHydra: OIDCProvider<OryHydraProfile> = oidc({
  id: 'hydra',
  name: 'Hydra',
  style: { brandColor: '#0f172a' },
})

export default oryHydra
