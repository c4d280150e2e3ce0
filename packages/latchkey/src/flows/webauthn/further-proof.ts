import { primitives } from '#crypto'
import { AuthError, InvalidCheck } from '../../base/errors.ts'
import type { Cookie } from '../../http/cookies/cookies.ts'
import type { AuthRequest } from '../../http/request.ts'
import type { PasskeyPurpose } from '../../plugin/passkeys.ts'
import {
  authenticationOptions,
  verifyAuthentication,
} from '../../protocols/webauthn/authentication.ts'
import {
  descriptorOf,
  type WebAuthnOptionsResponseBody,
} from '../../protocols/webauthn/simple-webauthn.ts'
import { keepChallenge, takeChallenge } from './challenge.ts'
import { idOf, readResponse } from './complete.ts'
import { CHALLENGE_LENGTH } from './give-options.ts'
import { relyingPartyOf, type WebAuthnFlow } from './webauthn-flow.ts'

/** Returns the options for the keys of a user, beside another factor: the key need not verify the user. */
export async function furtherOptions(
  flow: WebAuthnFlow,
  request: AuthRequest,
  { userId, purpose }: PasskeyPurpose,
): Promise<{ readonly body: WebAuthnOptionsResponseBody; readonly cookie: Cookie }> {
  const { plan, config, store } = flow
  const challenge = plan.ports.random(CHALLENGE_LENGTH)
  const stored = await store.listAuthenticatorsByUserId(userId)
  const options = await authenticationOptions(
    config.simpleWebAuthn,
    { ...config.authenticationOptions, userVerification: 'preferred' },
    {
      relyingParty: relyingPartyOf(flow, request),
      challenge,
      allow: stored.map(descriptorOf),
    },
  )
  const cookie = await keepChallenge(flow, request, {
    challenge: primitives.toBase64url(challenge),
    purpose,
  })
  return { body: { action: 'authenticate', options }, cookie }
}

/**
 * Checks the response of a key of this user.
 *
 * @returns the methods that it proves.
 * @throws {AuthError} if it is of another user or for another purpose, or was used before.
 */
export async function checkFurther(
  flow: WebAuthnFlow,
  request: AuthRequest,
  { userId, purpose }: PasskeyPurpose,
): Promise<readonly string[]> {
  const { config, store } = flow
  const response = readResponse(request)
  const credentialID = idOf(response)
  const { challenge, purpose: bound } = await takeChallenge(flow, request)
  if (bound !== purpose) throw new InvalidCheck('the challenge was created for something else')
  const stored = await store.getAuthenticator(credentialID)
  // Stores that ignore letter case may return another credential.
  if (stored?.credentialID !== credentialID || stored.userId !== userId)
    throw new AuthError('the user has no such passkey')
  const { counter, amr } = await verifyAuthentication(config.simpleWebAuthn, response, {
    relyingParty: relyingPartyOf(flow, request),
    challenge,
    stored,
    configured: { ...config.verifyAuthenticationOptions, requireUserVerification: false },
  })
  await store.updateAuthenticatorCounter(credentialID, counter)
  return amr
}
