import type {
  WebAuthnConfig,
  WebAuthnContext,
  WebAuthnRequest,
} from '../../options/provider-options.ts'
import type { Plan } from '../../plan.ts'
import { type AuthRequest, hostOf } from '../../request.ts'
import type { Store } from '../../store/store.ts'
import type { RelyingParty } from '../../webauthn/simple-webauthn.ts'

/** A passkey provider as its flow needs it. */
export interface WebAuthnFlow {
  readonly plan: Plan
  readonly config: WebAuthnConfig
  readonly store: Store
}

/** Who asks for the passkey: as configured, and for the rest the site of the request. */
export function relyingPartyOf(flow: WebAuthnFlow, request: AuthRequest): RelyingParty {
  const { config } = flow
  if (config.getRelayingParty) {
    const party = config.getRelayingParty(contextOf(flow, request), describe(request))
    // Without one the library takes a passkey of any site.
    if (!party.id) throw new TypeError('`getRelayingParty` gave no `id`')
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

/** What the application's functions are given. */
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
