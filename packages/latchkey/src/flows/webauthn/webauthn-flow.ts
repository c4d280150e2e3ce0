import { type AuthRequest, hostOf } from '../../http/request.ts'
import type {
  WebAuthnConfig,
  WebAuthnContext,
  WebAuthnRequest,
} from '../../options/provider-options.ts'
import type { Plan } from '../../plan/plan.ts'
import type { RelyingParty } from '../../protocols/webauthn/simple-webauthn.ts'
import type { Store } from '../../store/store.ts'

/** A compiled passkey provider. */
export interface WebAuthnFlow {
  readonly plan: Plan
  readonly config: WebAuthnConfig
  readonly store: Store
}

/** Returns the relying party: the configured values, and the site of the request for the others. */
export function relyingPartyOf(flow: WebAuthnFlow, request: AuthRequest): RelyingParty {
  const { config } = flow
  if (config.getRelayingParty) {
    const party = config.getRelayingParty(contextOf(flow, request), describe(request))
    // Without an id the library would accept a passkey of any site.
    if (!party.id) throw new TypeError('`getRelayingParty` must return an object with an `id`')
    return party
  }
  const { id, name, origin } = config.relayingParty ?? {}
  return {
    id: firstOf(id) || new URL(request.origin).hostname,
    name: firstOf(name) ?? hostOf(request),
    origin: origin ?? request.origin,
  }
}

function firstOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0]
}

/** Returns the argument of the application's functions. */
export function contextOf({ config, store }: WebAuthnFlow, request: AuthRequest): WebAuthnContext {
  return { provider: config, adapter: store, url: new URL(request.original.url) }
}

export function describe(request: AuthRequest): WebAuthnRequest {
  const { method, query, form, original } = request
  return {
    url: new URL(original.url),
    method,
    headers: Object.fromEntries(original.headers),
    query: Object.fromEntries(query),
    ...(method === 'POST' ? { body: { ...form } } : {}),
  }
}
