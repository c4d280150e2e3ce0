import {
  AuthError,
  isAuthError,
  MissingAdapter,
  WebAuthnVerificationError,
} from '../../base/errors.ts'
import { withProviders } from '../../core/compile/providers.ts'
import { complete } from '../../flows/webauthn/complete.ts'
import { offerPasskey } from '../../flows/webauthn/give-options.ts'
import { relyingPartyOf, type WebAuthnFlow } from '../../flows/webauthn/webauthn-flow.ts'
import type { AuthAction, AuthRequest, SiteRequest } from '../../http/request.ts'
import type { JsonObject } from '../../model/json.ts'
import type { AdapterUser } from '../../model/user.ts'
import type { WebAuthnConfig } from '../../options/provider-options.ts'
import type { SessionPlan } from '../../plan/plan.ts'
import type { Visitor } from '../../plan/provider.ts'
import type { NewPasskeys } from '../../plugin/host-groups.ts'
import { Problem } from '../../plugin/problem.ts'
import { createUserHandle } from '../../protocols/webauthn/user-handle.ts'

type Made<Name extends 'options' | 'register' | 'relyingParty'> = ReturnType<NewPasskeys[Name]>

/** Returns the options of a new passkey for a signed-in user. */
export async function optionsFor(
  provider: string,
  request: SiteRequest,
  user: AdapterUser,
  how: { readonly isSecond?: boolean } | undefined,
  plan: SessionPlan,
): Made<'options'> {
  await plan.plugins?.accounts.needProved(user.id)
  const name = user.email || user.name || 'account'
  const asked = askedFor(request, 'webauthn-options', provider)
  const flow = flowOf(provider, plan)
  const named = { ...user, email: name }
  const { options, cookie } = await offerPasskey(flow, asked, named, user, how?.isSecond)
  return { options: options as unknown as JsonObject, cookies: [cookie] }
}

/** Checks and stores a new passkey of a signed-in user. */
export async function register(
  provider: string,
  request: SiteRequest,
  user: AdapterUser,
  data: string,
  how: { readonly isConditional?: boolean } | undefined,
  plan: SessionPlan,
): Made<'register'> {
  const flow = flowOf(provider, plan)
  const form = { action: 'register', data }
  const asked = { ...askedFor(request, 'callback', provider), form }
  try {
    const proven = await complete(flow, asked, { ...how, takesSecond: true })
    // The challenge of another user, or of a sign-up, is no proof of this one.
    if (proven.begunBy !== user.id)
      throw new WebAuthnVerificationError('another user began the registration')
    await proven.admit(asVisitor(user))
    const { providerAccountId, provider: stored } = proven.account
    const passkey = await flow.store.getAuthenticator(providerAccountId)
    if (!passkey) throw new AuthError('the new passkey is not in the store')
    const { aaguid, cookies } = proven
    return { passkey, provider: stored, cookies, ...(aaguid !== undefined && { aaguid }) }
  } catch (error) {
    throw refusal(error)
  }
}

/** The plugin has checked the session. */
function asVisitor(user: AdapterUser): Visitor {
  return { user: async () => user, isFresh: async () => true, needFresh: async () => {} }
}

/** Returns the values with which a browser is told which passkeys a user has. */
export async function relyingParty(
  provider: string,
  request: SiteRequest,
  { id }: Pick<AdapterUser, 'id'>,
  plan: SessionPlan,
): Made<'relyingParty'> {
  const asked = askedFor(request, 'webauthn-options', provider)
  const party = relyingPartyOf(flowOf(provider, plan), asked)
  // In messages, the hexadecimal digits of the handle are read as base64url.
  return { rpId: party.id, userId: await createUserHandle(id, plan.secrets[0] ?? '') }
}

/** Returns the problem of a response that the flow of passkeys refuses. Errors of the store stay. */
function refusal(error: unknown): unknown {
  if (error instanceof SyntaxError) return new Problem('invalid_code', error.message)
  if (!isAuthError(error)) return error
  if (error.type === 'AccountNotLinked') return new Problem('conflict', error.message)
  const isRefused =
    error.type === 'WebAuthnVerificationError' ||
    error.type === 'InvalidCheck' ||
    error.type === 'AuthError'
  return isRefused ? new Problem('invalid_code', error.message) : error
}

function flowOf(provider: string, given: SessionPlan): WebAuthnFlow {
  const plan = withProviders(given)
  const config = plan.providerConfigs.find(({ id }) => id === provider) as WebAuthnConfig
  if (!plan.store) throw new MissingAdapter('passkeys need an adapter')
  return { plan, config, store: plan.store }
}

function askedFor(request: SiteRequest, action: AuthAction, providerId: string): AuthRequest {
  return { ...request, action, providerId }
}
