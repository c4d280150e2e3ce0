/**
 * Sign in with Cognito.
 *
 * Create an app client with a secret and the authorization code grant. Give it the callback URL
 * `https://your.site/auth/callback/cognito`, then set `AUTH_COGNITO_ID`, `AUTH_COGNITO_SECRET` and
 * `AUTH_COGNITO_ISSUER`. The issuer belongs to the user pool:
 * `https://cognito-idp.your-region.amazonaws.com/your-pool-id`, which is not its sign-in domain. The
 * option `domain` is the sign-in domain; it is needed only to sign users out of Cognito.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-userpools-server-contract-reference.html
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'

/** The claims of the ID token that the default user is made of. */
export interface CognitoProfile {
  sub: string
  name?: string
  email?: string
  email_verified?: boolean
  picture?: string
  [claim: string]: unknown
}

/** Options of Cognito alone. */
export interface CognitoOptions {
  /** The sign-in domain, such as `your-name.auth.your-region.amazoncognito.com`: people are signed out there. */
  domain?: string | undefined
}

const cognito: OIDCProvider<CognitoProfile, CognitoOptions> = oidc({
  id: 'cognito',
  name: 'Cognito',
  // Confirmed on 2026-11-23: docs.aws.amazon.com/cognito/latest/developerguide/logout-endpoint.html
  endSession: {
    url: 'https://{domain}/logout',
    params: { client_id: '{clientId}', logout_uri: '{return}' },
  },
  style: { brandColor: '#c17b9e' },
})

export default cognito
