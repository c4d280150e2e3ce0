/**
 * Sign in with Salesforce.
 *
 * Create a connected app with the callback URL `https://your.site/auth/callback/salesforce`, then
 * set `AUTH_SALESFORCE_ID` and `AUTH_SALESFORCE_SECRET`.
 *
 * The profile comes from the userinfo endpoint. For a sandbox or your own domain, set `issuer`, for
 * example `https://test.salesforce.com`.
 *
 * @see https://help.salesforce.com/s/articleView?id=sf.remoteaccess_using_userinfo_endpoint.htm
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'

/** The members of the userinfo answer that the default user is made of. */
export interface SalesforceProfile {
  sub: string
  name?: string
  nickname?: string
  email?: string
  email_verified?: boolean
  picture?: string
  photos?: { picture?: string; thumbnail?: string }
  [claim: string]: unknown
}

const salesforce: OIDCProvider<SalesforceProfile> = oidc({
  id: 'salesforce',
  name: 'Salesforce',
  issuer: 'https://login.salesforce.com',
  idToken: false,
  checks: ['pkce', 'state', 'nonce'],
  // https://help.salesforce.com/apex/HTViewHelpDoc?id=xcloud.remoteaccess_oauth_refresh_token_flow.htm, read 2026-11-23:
  // rotation is a setting, and a second use ends the tokens. The session timeout there says how long an access token lasts,
  // and no answer does.
  tokens: { rotation: 'strict' },
  style: { brandColor: '#00a1e0' },
})

export default salesforce
