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

import { mark } from '../marks/hubspot.ts'
import { type OAuthProvider, oauth } from './define.ts'

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
  style: { brandColor: '#ff7a59', mark },
})

export default hubSpot
