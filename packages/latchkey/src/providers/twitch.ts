/**
 * Sign in with Twitch.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/twitch`, then set
 * `AUTH_TWITCH_ID` and `AUTH_TWITCH_SECRET`.
 *
 * The ID token has only the claims that a request names. The provider requests them, including
 * `email_verified`.
 *
 * @see https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/
 * @module
 */

import type { TokenRevocationContext } from '../options/provider-options.ts'
import { type OIDCProvider, oidc } from './define.ts'
import { mark } from './marks/twitch.ts'

/** The claims of the ID token that the default user is made of. */
export interface TwitchProfile {
  sub: string
  name?: string
  preferred_username?: string
  email?: string
  email_verified?: boolean
  picture?: string
  [claim: string]: unknown
}

const twitch: OIDCProvider<TwitchProfile> = oidc({
  id: 'twitch',
  name: 'Twitch',
  issuer: 'https://id.twitch.tv/oauth2',
  authorization: {
    params: {
      scope: 'openid user:read:email',
      claims: {
        id_token: { email: null, email_verified: null, picture: null, preferred_username: null },
      },
    },
  },
  token: { isLenient: true },
  client: { token_endpoint_auth_method: 'client_secret_post' },
  // https://dev.twitch.tv/docs/authentication/revoke-tokens, read 2026-11-23: access tokens alone, with the client's id.
  tokens: { revocation: revokeAccessToken },
  style: { brandColor: '#65459b', mark },
})

export default twitch

async function revokeAccessToken({
  provider,
  token,
  hint,
  fetch,
}: TokenRevocationContext): Promise<void> {
  if (hint !== 'access_token') return
  const body = new URLSearchParams({ client_id: provider.clientId ?? '', token })
  const { status } = await fetch('https://id.twitch.tv/oauth2/revoke', { method: 'POST', body })
  // 400: it has come to its end already.
  if (status !== 200 && status !== 400) throw new Error(`Twitch returned status ${status}`)
}
