import { primitives } from '#crypto'
import { formatUuid } from '../../base/encoding/uuid.ts'
import type { Cookie } from '../../http/cookies/cookies.ts'
import { json, type Outcome } from '../../http/outcome.ts'
import type { AuthRequest } from '../../http/request.ts'
import type { AdapterUser, User } from '../../model/user.ts'
import type { UserInfo } from '../../options/provider-options.ts'
import { authenticationOptions } from '../../protocols/webauthn/authentication.ts'
import { registrationOptions } from '../../protocols/webauthn/registration.ts'
import { optionsOfSecond } from '../../protocols/webauthn/second-factor.ts'
import {
  type CreationOptionsJSON,
  type CredentialDescriptor,
  descriptorOf,
  type WebAuthnOptionsResponseBody,
} from '../../protocols/webauthn/simple-webauthn.ts'
import { createUserHandle } from '../../protocols/webauthn/user-handle.ts'
import { visitorOf as sessionOf } from '../../sign-in/visitor.ts'
import { digestOf, keepChallenge } from './challenge.ts'
import { inventCredential } from './invent-credential.ts'
import { keysForSignIn, NONE } from './second-factor.ts'
import { describeVisitor } from './user-info.ts'
import { contextOf, describe, relyingPartyOf, type WebAuthnFlow } from './webauthn-flow.ts'

/** Bytes of a challenge. The minimum is 16 (WebAuthn section 13.4.3). */
export const CHALLENGE_LENGTH = 32

type Action = 'authenticate' | 'register'

/** `GET webauthn-options/{id}`: the options with which the browser creates or uses a passkey. */
export async function giveOptions(flow: WebAuthnFlow, request: AuthRequest): Promise<Outcome> {
  // Only scripts read them. A page of another site could replace the challenge that this browser waits with.
  const purpose = request.original.headers.get('sec-fetch-dest') ?? 'empty'
  if (purpose !== 'empty') return refusal('Invalid request')
  const asked = request.query.get('action')
  if (asked !== null && asked !== 'authenticate' && asked !== 'register') {
    return refusal('Invalid action')
  }
  const signedIn = await flow.plan.session.currentUser(request)
  const info = signedIn ? { user: signedIn, exists: true } : await visitorOf(flow, request)
  const action = decide(asked ?? undefined, signedIn !== null, info)
  if (action === 'authenticate') {
    // Without an action, the kind of the options already shows whether the user is known.
    const hides = asked !== null && !signedIn
    return authenticate(flow, request, info, hides)
  }
  if (action === 'register' && info && hasAddress(info.user)) {
    if (signedIn) {
      await sessionOf(request, flow.plan).needFresh()
      await flow.plan.plugins?.accounts.needProved(signedIn.id)
    }
    return register(flow, request, info.user, signedIn)
  }
  return refusal('Invalid request')
}

function visitorOf(
  flow: WebAuthnFlow,
  request: AuthRequest,
): PromiseLike<UserInfo | null> | UserInfo | null {
  const { getUserInfo } = flow.config
  return getUserInfo
    ? getUserInfo(contextOf(flow, request), describe(request))
    : describeVisitor(flow.store, request)
}

function refusal(error: string): Outcome {
  return { ...json({ error }), status: 400 }
}

/** A passkey is created for a new user, or for a signed-in user who requests it. */
function decide(
  asked: Action | undefined,
  isSignedIn: boolean,
  info: UserInfo | null,
): Action | undefined {
  if (asked === 'authenticate') return asked
  if (asked === 'register') return info && info.exists === isSignedIn ? asked : undefined
  if (isSignedIn) return undefined
  return info && !info.exists ? 'register' : 'authenticate'
}

type Addressed = User & { email: string }

function hasAddress(user: User): user is Addressed {
  return typeof user.email === 'string' && user.email !== ''
}

async function authenticate(
  flow: WebAuthnFlow,
  request: AuthRequest,
  info: UserInfo | null,
  hides: boolean,
): Promise<Outcome> {
  const { plan, config } = flow
  const challenge = plan.ports.random(CHALLENGE_LENGTH)
  const options = await authenticationOptions(
    config.simpleWebAuthn,
    config.authenticationOptions ?? {},
    {
      relyingParty: relyingPartyOf(flow, request),
      challenge,
      allow: info ? await allowedFor(flow, info, hides) : undefined,
    },
  )
  const cookie = await keepChallenge(flow, request, {
    challenge: primitives.toBase64url(challenge),
    ...(info ? { user: await digestOf(info.user.id ?? '') } : {}),
  })
  const body: WebAuthnOptionsResponseBody = { action: 'authenticate', options }
  return json(body, [cookie])
}

/** @param hides whether the response must not show if the user is known and has passkeys. */
async function allowedFor(
  { plan, config, store }: WebAuthnFlow,
  { user, exists }: UserInfo,
  hides: boolean,
): Promise<CredentialDescriptor[]> {
  const { id, email } = user
  const known = exists && id !== undefined
  const hasOthers = plan.plugins?.actions.hasSecondKeys
  const stored = !known
    ? []
    : hasOthers
      ? await keysForSignIn(id, config.id, store)
      : await store.listAuthenticatorsByUserId(id)
  // The same queries as for a known user, so that the time does not tell who has an account.
  if (!known && email) {
    await store.getUserByEmail(email)
    if (hasOthers) await store.getAccount(NONE, config.id)
  }
  return stored.length === 0 && hides
    ? [await inventCredential(email ?? '', plan.secrets)]
    : stored.map(descriptorOf)
}

async function register(
  flow: WebAuthnFlow,
  request: AuthRequest,
  user: Addressed,
  signedIn: AdapterUser | null,
): Promise<Outcome> {
  const { options, cookie } = await offerPasskey(flow, request, user, signedIn)
  const body: WebAuthnOptionsResponseBody = { action: 'register', options }
  return json(body, [cookie])
}

/**
 * Returns the options of a new passkey, and the cookie that keeps their challenge.
 *
 * @param signedIn the user who gets it.
 * @param isSecond whether it becomes a second factor only, and no way in.
 */
export async function offerPasskey(
  flow: WebAuthnFlow,
  request: AuthRequest,
  user: Addressed,
  signedIn: AdapterUser | null,
  isSecond = false,
): Promise<{ readonly options: CreationOptionsJSON; readonly cookie: Cookie }> {
  const { plan, config, store } = flow
  const { ports } = plan
  const challenge = ports.random(CHALLENGE_LENGTH)
  const { id: proposed, ...described } = user
  const userId = signedIn?.id ?? (proposed || formatUuid(ports.random(16)))
  const stored = signedIn ? await store.listAuthenticatorsByUserId(signedIn.id) : []
  const { email, name } = user
  const { registrationOptions: configured = {} } = config
  const options = await registrationOptions(
    config.simpleWebAuthn,
    isSecond ? optionsOfSecond(configured) : configured,
    {
      relyingParty: relyingPartyOf(flow, request),
      challenge,
      userHandle: await createUserHandle(userId, plan.secrets[0] ?? ''),
      name: email,
      displayName: name || email,
      exclude: stored.map(descriptorOf),
    },
  )
  const cookie = await keepChallenge(flow, request, {
    challenge: primitives.toBase64url(challenge),
    ...(isSecond && { isSecond }),
    ...(signedIn
      ? { registerData: { id: userId, email, ...(name ? { name } : {}) } }
      : { registerData: described, newUserId: userId }),
  })
  return { options, cookie }
}
