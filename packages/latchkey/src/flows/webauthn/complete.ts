import { isJsonObject, parseJsonObject } from '../../base/encoding/json.ts'
import { formatUuid } from '../../base/encoding/uuid.ts'
import { AuthError, WebAuthnVerificationError } from '../../base/errors.ts'
import { formText } from '../../http/form.ts'
import type { AuthRequest } from '../../http/request.ts'
import type { ProvenPasskey } from '../../plan/provider.ts'
import { verifyAuthentication } from '../../protocols/webauthn/authentication.ts'
import { storedCredentialId } from '../../protocols/webauthn/credential-id.ts'
import { verifyRegistration } from '../../protocols/webauthn/registration.ts'
import { providerOfSecond } from '../../protocols/webauthn/second-factor.ts'
import type { CredentialResponse } from '../../protocols/webauthn/simple-webauthn.ts'
import { readUserHandle } from '../../protocols/webauthn/user-handle.ts'
import { admitPasskey, type UsedPasskey } from './admit-passkey.ts'
import {
  digestOf,
  forAuthentication,
  forgetChallenge,
  forRegistration,
  takeChallenge,
} from './challenge.ts'
import { relyingPartyOf, type WebAuthnFlow } from './webauthn-flow.ts'

/** How a passkey was created. */
interface HowCreated {
  /** The browser did not ask anybody (`mediation: 'conditional'`). */
  readonly isConditional?: boolean
  /** The challenge may be one for a key that is only a second factor. */
  readonly takesSecond?: boolean
}

/** `POST callback/{id}`: checks the response of the authenticator. */
export function complete(
  flow: WebAuthnFlow,
  request: AuthRequest,
  how: HowCreated = {},
): Promise<ProvenPasskey> {
  const response = readResponse(request)
  switch (request.form['action']) {
    case 'authenticate':
      return authenticate(flow, request, response)
    case 'register':
      return register(flow, request, response, how)
    default:
      throw new AuthError('the field `action` must be authenticate or register')
  }
}

/**
 * Returns the response of the browser. Only its format is checked here.
 *
 * @throws {AuthError} if there is none.
 */
export function readResponse({ form }: AuthRequest): CredentialResponse {
  const text = formText(form, 'data')
  const data = text === undefined ? undefined : (parseJsonObject(text) ?? notJson(text))
  if (!data || typeof data['id'] !== 'string' || !isJsonObject(data['response'])) {
    throw new AuthError('the field `data` has no response of an authenticator')
  }
  return data as CredentialResponse
}

/** @throws {SyntaxError} if the text is not JSON. The message does not contain the text. */
function notJson(text: string): undefined {
  try {
    JSON.parse(text)
  } catch {
    throw new SyntaxError('the field `data` is not JSON')
  }
  return undefined
}

/** @throws {AuthError} if no credential has the id. */
export function idOf({ id }: CredentialResponse): string {
  const stored = storedCredentialId(id)
  if (stored === undefined) throw new AuthError('the response has no usable credential id')
  return stored
}

async function authenticate(
  flow: WebAuthnFlow,
  request: AuthRequest,
  response: CredentialResponse,
): Promise<ProvenPasskey> {
  const { plan, config, store } = flow
  const credentialID = idOf(response)
  const { challenge, user: expected } = forAuthentication(await takeChallenge(flow, request))
  const stored = await store.getAuthenticator(credentialID)
  // Stores that ignore letter case may return another credential.
  if (stored?.credentialID !== credentialID) throw new AuthError('no user has this passkey')
  const { counter, amr } = await verifyAuthentication(config.simpleWebAuthn, response, {
    relyingParty: relyingPartyOf(flow, request),
    challenge,
    stored,
    configured: config.verifyAuthenticationOptions ?? {},
  })
  // Step 6: the owner of the credential must be the requested user, by id and by handle.
  if (expected !== undefined && expected !== (await digestOf(stored.userId))) {
    throw new WebAuthnVerificationError('the passkey is not in the list of allowed credentials')
  }
  await checkHandle(flow, response, stored.userId)
  await store.updateAuthenticatorCounter(credentialID, counter)
  const account = await store.getAccount(stored.providerAccountId, config.id)
  if (account?.userId !== stored.userId) throw new AuthError('the passkey has no account')
  const owner = await store.getUser(account.userId)
  if (!owner) throw new AuthError('the account of the passkey has no user')
  return matched(
    flow,
    { owner },
    {
      user: owner,
      account,
      amr,
      cookies: forgetChallenge(plan, request),
    },
  )
}

/** An identity that was proven with a passkey. */
function matched(
  flow: WebAuthnFlow,
  passkey: UsedPasskey,
  members: Omit<ProvenPasskey, 'proven' | 'admit'>,
): ProvenPasskey {
  const identity: ProvenPasskey = {
    ...members,
    proven: 'passkey',
    admit: (visitor) => admitPasskey(identity, passkey, flow, visitor),
  }
  return identity
}

/**
 * Checks the user handle. It is not signed, and only the stored credential decides the owner. But a handle of
 * another user shows that the response was forged.
 *
 * @throws {WebAuthnVerificationError} if the handle belongs to another user.
 */
async function checkHandle(
  { plan, store }: WebAuthnFlow,
  { response: { userHandle } }: CredentialResponse,
  ownerId: string,
): Promise<void> {
  if (typeof userHandle !== 'string') return
  const owner = await readUserHandle(userHandle, plan.secrets)
  const fits =
    owner.kind === 'foreign' ||
    // A store that assigns its own ids has no user with the proposed id.
    (owner.kind === 'id' && (owner.id === ownerId || !(await store.getUser(owner.id)))) ||
    (owner.kind === 'hash' && (await owner.is(ownerId)))
  if (!fits) throw new WebAuthnVerificationError('the user handle belongs to another user')
}

async function register(
  flow: WebAuthnFlow,
  request: AuthRequest,
  response: CredentialResponse,
  { isConditional = false, takesSecond = false }: HowCreated,
): Promise<ProvenPasskey> {
  const { plan, config, store } = flow
  const credentialID = idOf(response)
  const taken = await takeChallenge(flow, request)
  const { challenge, registerData, newUserId, isSecond } = forRegistration(taken, takesSecond)
  if (await store.getAuthenticator(credentialID)) {
    throw new WebAuthnVerificationError('the passkey is already registered')
  }
  const { credential, aaguid } = await verifyRegistration(config.simpleWebAuthn, response, {
    relyingParty: relyingPartyOf(flow, request),
    challenge,
    configured: {
      ...config.verifyRegistrationOptions,
      // WebAuthn level 3, section 7.1, step 15. Each sign-in with the passkey verifies the user.
      ...(isConditional && { requireUserPresence: false, requireUserVerification: false }),
      // A key without a PIN or a fingerprint reader is a second factor, too.
      ...(isSecond && { requireUserPresence: true, requireUserVerification: false }),
    },
    offered: config.registrationOptions ?? {},
  })
  const { id: begunBy } = registerData
  return matched(
    flow,
    { credential },
    {
      user: { ...registerData, id: newUserId ?? begunBy ?? formatUuid(plan.ports.random(16)) },
      account: {
        providerAccountId: credentialID,
        provider: isSecond ? providerOfSecond(config.id) : config.id,
        type: 'webauthn',
      },
      ...(begunBy === undefined ? {} : { begunBy }),
      ...(aaguid === undefined ? {} : { aaguid }),
      cookies: forgetChallenge(plan, request),
    },
  )
}
