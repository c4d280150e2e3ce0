/**
 * Sign in with Cognito.
 *
 * Create an app client with a secret and the authorization code grant. Give it the callback URL
 * `https://your.site/auth/callback/cognito`, then set `AUTH_COGNITO_ID`, `AUTH_COGNITO_SECRET` and
 * `AUTH_COGNITO_ISSUER`. The issuer is that of the pool,
 * `https://cognito-idp.your-region.amazonaws.com/your-pool-id`, not its sign-in domain.
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

const cognito: OIDCProvider<CognitoProfile> = oidc({
  id: 'cognito',
  name: 'Cognito',
  style: { brandColor: '#c17b9e' },
})

export default cognito
