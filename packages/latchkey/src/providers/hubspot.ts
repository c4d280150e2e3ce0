/**
 * Sign in with HubSpot.
 *
 * Create a public app with the callback URL `https://your.site/auth/callback/hubspot`, then set
 * `AUTH_HUBSPOT_ID` and `AUTH_HUBSPOT_SECRET`.
 *
 * An account is a user of HubSpot, and the name of the user is the email address. HubSpot turns these
 * endpoints off on 2027-02-16.
 *
 * @see https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/oauth/oauth-quickstart-guide
 * @module
 */

import type { TokenRevocationContext } from '../options/provider-options.ts'
import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/hubspot.ts'

/** The members of the answer. */
export interface HubSpotProfile {
  user_id: string
  /** Their address. */
  user: string
  hub_domain: string
  hub_id: string
  [member: string]: unknown
}

const hubSpot: OAuthProvider<HubSpotProfile> = oauth({
  id: 'hubspot',
  name: 'HubSpot',
  authorization: { url: 'https://app.hubspot.com/oauth/authorize', params: { scope: 'oauth' } },
  token: 'https://api.hubapi.com/oauth/v1/token',
  userinfo: {
    url: 'https://api.hubapi.com/oauth/v1/access-tokens/{tokens.access_token}',
    headers: { authorization: '' },
  },
  client: { token_endpoint_auth_method: 'client_secret_post' },
  profile: ({ user_id, user }) => ({ id: String(user_id), name: user, email: user, image: null }),
  // Read on 2026-11-25: https://developers.hubspot.com/docs/api-reference/auth-oauth-v3/guide (a refresh token comes by
  // itself, and an access token lasts 30 minutes) and
  // https://developers.hubspot.com/docs/api-reference/latest/authentication/oauth-tokens/revoke-token (of refresh tokens
  // alone). Neither page says whether a refresh token changes when it is used, so `rotation` is unknown.
  tokens: { revocation: revokeRefreshToken },
  style: { brandColor: '#ff7a59', mark },
})

export default hubSpot

async function revokeRefreshToken({
  provider,
  token,
  hint,
  fetch,
}: TokenRevocationContext): Promise<void> {
  // Access tokens last for half an hour, and nothing ends them earlier.
  if (hint !== 'refresh_token') return
  const { clientId = '', clientSecret = '' } = provider
  const body = new URLSearchParams({
    client_id: clientId,
    client_secret: clientSecret,
    token,
    token_type_hint: hint,
  })
  const { ok, status } = await fetch(REVOCATION, { method: 'POST', body })
  if (!ok) throw new Error(`HubSpot returned status ${status}`)
}

const REVOCATION = 'https://api.hubapi.com/oauth/2026-03/token/revoke'
