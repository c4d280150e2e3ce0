import {
  definedOnly,
  type EndSessionEndpoint,
  fillPlaces,
  jwtPart,
  type ProviderClient,
} from '../../entries/plugin.ts'

/** The logout endpoint of a provider, and its parameters. */
export interface EndSessionPlace {
  readonly url: URL
  /** Parameters that replace those of the standard, with placeholders. */
  readonly own?: Readonly<Record<string, string>> | undefined
  /** Parameters in addition to those of the standard, with placeholders. */
  readonly further?: Readonly<Record<string, string>> | undefined
}

/** The values of a logout request. */
export interface Leaving {
  readonly idToken: string | undefined
  readonly state: string
  /** Where the provider redirects afterwards. */
  readonly returnUrl: string
  /** The languages of the visitor, separated by spaces. */
  readonly locales: string | undefined
}

/** The URL or form of a logout request, and whether its response has the state. */
export interface EndSessionRequest {
  readonly url: URL
  readonly params: URLSearchParams
  readonly keepsState: boolean
}

/**
 * Finds the logout endpoint of a provider: the configured one, otherwise that of the metadata.
 *
 * @returns `undefined` if there is none.
 * @throws if the metadata cannot be read, or the endpoint is not a safe URL for a redirect.
 */
export async function findEndSession(client: ProviderClient): Promise<EndSessionPlace | undefined> {
  const { endSession, members } = client
  if (endSession === false) return undefined
  const given: EndSessionEndpoint =
    typeof endSession === 'string' ? { url: endSession } : (endSession ?? {})
  const configured = given.url === undefined ? undefined : fillPlaces(given.url, members)
  if (given.url !== undefined) {
    return configured === undefined ? undefined : place(client, configured, given.params)
  }
  // Plain OAuth providers have no such metadata.
  if (client.type === 'oauth') return undefined
  const { end_session_endpoint: published } = await client.metadata()
  if (typeof published === 'string') {
    return { ...place(client, published), further: given.params }
  }
  const otherwise = given.otherwise && fillPlaces(given.otherwise.url, members)
  return otherwise ? place(client, otherwise, given.otherwise?.params) : undefined
}

function place(
  { id, isSecure }: ProviderClient,
  address: string,
  own?: EndSessionPlace['own'],
): EndSessionPlace {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !isSecure(url)) {
    throw new TypeError(
      `provider ${id}: the end-session endpoint must be an https address, got ${JSON.stringify(address)}; set \`endSession\` of the provider`,
    )
  }
  return { url, own }
}

/** Returns the logout request (RP-Initiated Logout 1.0 section 2), or the provider's own form of it. */
export function endSessionRequest(
  { url, own, further = {} }: EndSessionPlace,
  client: ProviderClient,
  leaving: Leaving,
): EndSessionRequest {
  const claims = jwtPart(leaving.idToken, 1) ?? {}
  const values = definedOnly({
    ...client.members,
    clientId: client.clientId,
    return: leaving.returnUrl,
    state: leaving.state,
    hint: leaving.idToken,
    sid: claims['sid'],
  })
  const filled = (texts: Readonly<Record<string, string>>): [string, string][] =>
    Object.entries(texts).flatMap(([name, text]) => {
      const value = fillPlaces(text, values)
      return value === undefined ? [] : [[name, value]]
    })
  const params = new URLSearchParams(
    own ? filled(own) : [...Object.entries(standard(client, leaving, claims)), ...filled(further)],
  )
  const keepsState = !own || Object.values(own).some((text) => text.includes('{state}'))
  return { url, params, keepsState }
}

function standard(
  { clientId, endSession }: ProviderClient,
  { idToken, returnUrl, state, locales }: Leaving,
  claims: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const { logoutHint = 'login_hint' } = typeof endSession === 'object' ? endSession : {}
  const hint = claims[logoutHint]
  return definedOnly({
    id_token_hint: idToken,
    client_id: clientId,
    post_logout_redirect_uri: returnUrl,
    state,
    logout_hint: typeof hint === 'string' && hint !== '' ? hint : undefined,
    ui_locales: locales,
  })
}

/** Returns the languages of an `Accept-Language` header, the preferred one first. */
export function localesOf(header: string | null): string | undefined {
  const tags = (header ?? '')
    .slice(0, 200)
    .split(',')
    .flatMap((part) => /^\s*([a-z]{2,3}(?:-[a-z0-9]{2,8}){0,2})\s*(?:;|$)/i.exec(part)?.[1] ?? [])
  return tags.length > 0 ? tags.slice(0, 5).join(' ') : undefined
}
