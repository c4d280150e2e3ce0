/**
 * Sign in with WorkOS.
 *
 * Add the callback URL `https://your.site/auth/callback/workos` as a redirect URI, then set
 * `AUTH_WORKOS_ID` and `AUTH_WORKOS_SECRET`, which is the API key.
 *
 * WorkOS must know the organization of a visitor. Set `connection` for all visitors, or send the
 * parameter `connection`, `organization` or `provider` at a sign-in.
 *
 * @see https://workos.com/docs/reference/sso
 * @module
 */

import type { OAuthConfig, OAuthUserConfig } from '../options/provider-options.ts'
import { fullName } from '../protocols/oauth/full-name.ts'
import { oauth } from './define.ts'

/** The members of the answer. */
export interface WorkOSProfile {
  id: string
  first_name: string | null
  last_name: string | null
  email: string
  /** What the identity provider itself said. */
  raw_attributes?: {
    picture?: string
    id?: string
    email?: string
    firstName?: string
    lastName?: string
  }
  object: string
  organization_id: string
  connection_id: string
  connection_type: string
  idp_id: string
  [member: string]: unknown
}

/** What an application may say about WorkOS. */
export type WorkOSOptions = OAuthUserConfig<WorkOSProfile> & {
  /** The connection that everybody signs in with. @default none */
  connection?: string | undefined
}

export default function WorkOS(options: WorkOSOptions = {}): OAuthConfig<WorkOSProfile> {
  const { connection = '', ...rest } = options
  return oauth<WorkOSProfile>({
    id: 'workos',
    name: 'WorkOS',
    defaultIssuer: 'https://api.workos.com/',
    authorization: { url: '{issuer}/sso/authorize', params: { connection } },
    token: '{issuer}/sso/token',
    userinfo: '{issuer}/sso/profile',
    // A sign-out needs a token that its API gives to the secret alone. Confirmed on 2026-11-23: the reference of SSO.
    endSession: false,
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, first_name, last_name, email, raw_attributes }) => ({
      id,
      name: fullName(first_name, last_name),
      email,
      image: raw_attributes?.picture ?? null,
    }),
    style: { brandColor: '#6363f1' },
  })(rest)
}
