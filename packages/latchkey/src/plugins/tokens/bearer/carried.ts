import {
  bearerToken,
  type Carrier,
  isCrossSite,
  type SessionRequest,
} from '../../../entries/plugin.ts'

/** Returns the token with this prefix in the header `Authorization`. The token may be invalid. */
export function tokenIn({ headers, original }: SessionRequest, prefix: string): string | undefined {
  const all = headers ?? original?.headers
  const token = all && bearerToken(all)
  return token?.startsWith(prefix) ? token : undefined
}

/**
 * Returns whether a token of a request is accepted. A page of another site may send one only if its origin is in the
 * list.
 */
export function mayCarry(
  { headers, original }: SessionRequest,
  origins: readonly string[],
): boolean {
  const all = headers ?? original?.headers
  const site = all?.get('sec-fetch-site')
  if (!all || !site || !isCrossSite(all, '')) return true
  return origins.includes(all.get('origin') ?? '')
}

/** Returns a carrier for processes without the store. Its tokens sign nobody in. */
export function carrierWithoutStore(prefix: string): Carrier {
  return {
    isInHeader: (request) => tokenIn(request, prefix) !== undefined,
    find: (request) => (tokenIn(request, prefix) === undefined ? undefined : null),
    write: () => [],
    clear: () => [],
  }
}
