/**
 * Sign in with Apple.
 *
 * Create a Services ID with "Sign in with Apple". Give it the callback URL
 * `https://your.site/auth/callback/apple`, then set `AUTH_APPLE_ID` and `AUTH_APPLE_SECRET`. The
 * secret is a JWT that you sign with the key from Apple (ES256, at most six months).
 *
 * Apple sends the response as a POST, only to https and never to `localhost`. It sends the name only at
 * the first consent, through the browser and unsigned. The email address may be a relay address of
 * Apple.
 *
 * @see https://developer.apple.com/documentation/signinwithapple
 * @module
 */

import { fullName } from '../protocols/oauth/full-name.ts'
import { type OIDCProvider, oidc } from './define.ts'
import { mark } from './marks/apple.ts'

/** What the browser is told beside the code; nobody has signed it. */
export interface AppleNonConformUser {
  name: { firstName: string; lastName: string }
  email: string
}

/** The claims of the ID token. */
export interface AppleProfile {
  sub: string
  email: string
  /** Some answers have it as text. */
  email_verified: boolean | 'true' | 'false'
  /** At the first consent only. */
  user?: AppleNonConformUser
  iss: 'https://appleid.apple.com'
  aud: string
  iat: number
  exp: number
  nonce?: string
  nonce_supported?: boolean
  /** Is the address a relay of Apple's? */
  is_private_email?: boolean | 'true' | 'false'
  /** Whether it seems to be a person: 0 cannot be said, 1 unknown, 2 likely. */
  real_user_status?: 0 | 1 | 2
  /** While the app moves to another team. */
  transfer_sub?: string
  at_hash?: string
  auth_time?: number
  [claim: string]: unknown
}

const apple: OIDCProvider<AppleProfile> = oidc({
  id: 'apple',
  name: 'Apple',
  issuer: 'https://appleid.apple.com',
  authorization: { params: { scope: 'name email', response_mode: 'form_post' } },
  responseParams: ['user'],
  checks: ['nonce', 'state'],
  client: { token_endpoint_auth_method: 'client_secret_post' },
  profile: ({ sub, user, email }) => ({
    id: sub,
    name: fullName(user?.name?.firstName, user?.name?.lastName) ?? email,
    email,
    image: null,
  }),
  // Technical note TN3194 of Apple, read 2026-11-23. The access token opens nothing, and Apple wants a refresh token to be
  // used once a day at most: it is renewed only when somebody insists.
  tokens: { rotation: 'none', revocation: 'https://appleid.apple.com/auth/revoke', margin: false },
  style: { brandColor: '#000', mark },
})

export default apple
