import { primitives } from '#crypto'
import type { MaybePromise } from '../../base/crypto/crypto.ts'
import { isJsonObject } from '../../base/encoding/json.ts'
import { AuthError, InvalidCheck } from '../../base/errors.ts'
import { type Cookie, clearCookie, setCookie } from '../../http/cookies/cookies.ts'
import type { AuthRequest } from '../../http/request.ts'
import type { User } from '../../model/user.ts'
import { FLOW_MAX_AGE } from '../../options/cookie-policy.ts'
import type { Plan } from '../../plan/plan.ts'
import { useOnce } from '../../sign-in/used-once.ts'
import type { WebAuthnFlow } from './webauthn-flow.ts'

/** The purpose of the seal of a challenge. */
const PURPOSE = 'encodedWebauthnChallenge'

/** The purpose of a challenge and its data. */
export interface Challenge {
  /** base64url */
  readonly challenge: string
  /** Registration: the user of the new passkey. A stored user has an `id`. */
  readonly registerData?: User
  /** Registration of a new user: their future id. */
  readonly newUserId?: string
  /** Registration: whether the key becomes a second factor only, and no way in. */
  readonly isSecond?: true
  /** Authentication with an address: {@link digestOf} the id of the user whose passkeys were requested. */
  readonly user?: string
  /** A challenge for a further proof of a known user, and not for a sign-in: what it is bound to. */
  readonly purpose?: string
}

/** Stores a challenge in the browser, for one provider and for fifteen minutes. */
export async function keepChallenge(
  { plan, config }: WebAuthnFlow,
  request: AuthRequest,
  challenge: Challenge,
): Promise<Cookie> {
  const spec = plan.cookies(request.secure).webauthnChallenge
  const value = await plan.sealer(PURPOSE).seal({ ...challenge }, FLOW_MAX_AGE, plan.ports)
  const sealed = await plan
    .sealer(spec.name)
    .seal({ value, provider: config.id }, FLOW_MAX_AGE, plan.ports)
  return setCookie(spec, sealed, new Date(plan.ports.now() + FLOW_MAX_AGE * 1000))
}

/**
 * Takes the challenge of this browser. It cannot be used again, even if the sign-in fails.
 *
 * @throws {InvalidCheck} if there is none, it belongs to another provider, or it was used before.
 */
export async function takeChallenge(
  { plan, config }: WebAuthnFlow,
  request: AuthRequest,
): Promise<Challenge> {
  const outer = await openOuter({ plan, config }, request)
  if (!outer) {
    throw new InvalidCheck(
      `this browser sent no challenge for ${config.id}; request new options first, and allow cookies`,
    )
  }
  const inner = await open(plan, PURPOSE, outer['value'])
  if (typeof inner?.['challenge'] !== 'string') {
    throw new InvalidCheck('the challenge cannot be read')
  }
  if (!(await useOnce(plan, outer))) {
    throw new InvalidCheck('the challenge was used before')
  }
  const { challenge, registerData, newUserId, isSecond, user, purpose } = inner
  return {
    challenge,
    ...(isJsonObject(registerData) ? { registerData } : {}),
    ...(typeof newUserId === 'string' ? { newUserId } : {}),
    ...(isSecond === true ? { isSecond } : {}),
    ...(typeof user === 'string' ? { user } : {}),
    ...(typeof purpose === 'string' ? { purpose } : {}),
  }
}

/** Returns whether this browser has a challenge of the provider, used or not. */
export async function hasChallenge(
  flow: Pick<WebAuthnFlow, 'plan' | 'config'>,
  request: AuthRequest,
): Promise<boolean> {
  return (await openOuter(flow, request)) !== undefined
}

async function openOuter(
  { plan, config }: Pick<WebAuthnFlow, 'plan' | 'config'>,
  request: AuthRequest,
): Promise<Record<string, unknown> | undefined> {
  const { name } = plan.cookies(request.secure).webauthnChallenge
  const outer = await open(plan, name, request.cookies.get(name))
  return outer?.['provider'] === config.id ? outer : undefined
}

/** Returns a digest of constant length, so that a sealed value does not show whose it is. Without a user, of an empty id. */
export function digestOf(userId: string): MaybePromise<string> {
  return primitives.sha256Hex(userId)
}

/** Clears the challenge of this browser. */
export function forgetChallenge(plan: Plan, request: AuthRequest): readonly Cookie[] {
  const spec = plan.cookies(request.secure).webauthnChallenge
  return request.cookies.get(spec.name) === undefined ? [] : [clearCookie(spec)]
}

/** @throws {InvalidCheck} if the challenge is for a registration. */
export function forAuthentication(challenge: Challenge): Challenge {
  if (challenge.registerData)
    throw new InvalidCheck(
      'the challenge was created for a registration, not for a sign-in; request new options',
    )
  if (challenge.purpose !== undefined)
    throw new InvalidCheck(
      'the challenge was created for a further proof, not for a sign-in; request new options',
    )
  return challenge
}

/**
 * @param takesSecond whether the key may be one that is only a second factor.
 * @throws {AuthError} if the challenge is for a sign-in, or for another kind of key.
 */
export function forRegistration(
  challenge: Challenge,
  takesSecond: boolean,
): Challenge & { readonly registerData: User } {
  const { registerData, isSecond } = challenge
  if (!registerData)
    throw new AuthError(
      'the challenge was created for a sign-in, not for a registration; request new options',
    )
  if (isSecond && !takesSecond)
    throw new InvalidCheck('the challenge was created for a second factor; request new options')
  return { ...challenge, registerData }
}

async function open(
  plan: Plan,
  purpose: string,
  sealed: unknown,
): Promise<Record<string, unknown> | undefined> {
  if (typeof sealed !== 'string') return undefined
  return (await plan.sealer(purpose).open(sealed, plan.ports))?.claims
}
