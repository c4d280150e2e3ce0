/**
 * Sign in with Logto.
 *
 * Create a "Traditional web" app with the callback URL `https://your.site/auth/callback/logto`,
 * then set `AUTH_LOGTO_ID`, `AUTH_LOGTO_SECRET` and `AUTH_LOGTO_ISSUER`. The issuer is
 * `https://your-tenant.logto.app/oidc`.
 *
 * The response has a refresh token.
 *
 * @see https://docs.logto.io/quick-starts/next-auth
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'

/** The claims of the ID token. */
export interface LogtoProfile {
  sub: string
  name?: string | null
  username?: string | null
  email?: string | null
  email_verified?: boolean
  picture?: string | null
  phone_number?: string
  phone_number_verified?: boolean
  address?: string
  custom_data?: Record<string, unknown>
  identities?: Record<string, unknown>
  sso_identities?: unknown[]
  organizations?: string[]
  organization_data?: unknown[]
  organization_roles?: string[]
  [claim: string]: unknown
}

const logto: OIDCProvider<LogtoProfile> = oidc({
  id: 'logto',
  name: 'Logto',
  authorization: { params: { scope: 'offline_access openid email profile' } },
  profile: ({ sub, name, username, email, picture }) => ({
    id: sub,
    name: name ?? username ?? null,
    email: email ?? null,
    image: picture ?? null,
  }),
})

export default logto
