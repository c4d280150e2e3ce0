import { type AuthorizationServer, processDiscoveryResponse } from 'oauth4webapi'
import { isJsonObject } from '../../base/encoding/json.ts'
import { oncePer } from '../../base/once.ts'
import type { Ports } from '../../base/ports.ts'

/** The location of a provider's metadata. */
export interface MetadataSource {
  readonly issuer: string
  /** @default the standard URL below the issuer (OpenID Connect Discovery section 4) */
  readonly wellKnown?: string | undefined
  /** The issuer in the metadata of all tenants, with `{tid}` instead of `{tenantid}`. */
  readonly tenantIssuer?: string | undefined
}

/** Metadata, and the time of the last reload of its keys. */
export interface Metadata {
  server: AuthorizationServer
  /** Milliseconds since the epoch. */
  keysRefreshedAt: number
  /** Whether it is the metadata of all tenants, whose ID tokens have their own issuers. */
  readonly isOfAllTenants?: boolean
  /** Whether the provider has metadata that was not read, so that its capabilities are unknown. */
  readonly isUnread?: boolean
}

interface Entry extends Metadata {
  freshUntil: number
  staleUntil: number
}

const MINUTE = 60_000
const DEFAULT_LIFETIME = 10 * MINUTE
const LONGEST_LIFETIME = 24 * 60 * MINUTE

/** Maximum number of issuers with cached metadata. */
const LIMIT = 100

type Kept = Map<string, { entry?: Entry; pending?: Promise<Entry> }>

/** A cache for each `fetch`, since another one may reach another network. */
const cacheOf = oncePer((): Kept => new Map(), new WeakMap<typeof fetch, Kept>())

/**
 * Returns the metadata of an issuer, loaded on first use and cached as long as the response allows. If a reload fails,
 * the cached metadata is used for up to a day.
 *
 * @param send the limited `fetch`.
 * @param identity the `fetch` below it, which identifies the cache.
 * @throws if the metadata cannot be read, or has another issuer (OpenID Connect Discovery section 4.3).
 */
export async function readMetadata(
  source: MetadataSource,
  send: typeof fetch,
  identity: typeof fetch,
  ports: Pick<Ports, 'now'>,
): Promise<Metadata> {
  const url = source.wellKnown ?? wellKnownUrl(source.issuer)
  const kept = cacheOf(identity)
  const key = `${source.issuer} ${url}`
  const slot = kept.get(key) ?? {}
  if (slot.entry && ports.now() < slot.entry.freshUntil) return slot.entry
  if (!kept.has(key)) {
    if (kept.size >= LIMIT) kept.delete(kept.keys().next().value as string)
    kept.set(key, slot)
  }
  slot.pending ??= fetchMetadata(source, url, send, ports).finally(() => {
    delete slot.pending
  })
  try {
    slot.entry = await slot.pending
    return slot.entry
  } catch (error) {
    if (slot.entry && ports.now() < slot.entry.staleUntil) return slot.entry
    kept.delete(key)
    throw error
  }
}

function wellKnownUrl(issuer: string): string {
  const url = new URL(issuer)
  url.pathname = `${url.pathname}/.well-known/openid-configuration`.replaceAll('//', '/')
  return url.href
}

async function fetchMetadata(
  { issuer, tenantIssuer }: MetadataSource,
  url: string,
  send: typeof fetch,
  { now }: Pick<Ports, 'now'>,
): Promise<Entry> {
  const response = await send(url, { headers: { accept: 'application/json' } })
  const lifetime = lifetimeOf(response.headers.get('cache-control'))
  const shared = tenantIssuer ? await ofAllTenants(response, tenantIssuer, issuer) : undefined
  const server = await processDiscoveryResponse(new URL(issuer), shared ?? response)
  const fetchedAt = now()
  return {
    server,
    keysRefreshedAt: 0,
    isOfAllTenants: shared !== undefined,
    freshUntil: fetchedAt + lifetime,
    staleUntil: fetchedAt + LONGEST_LIFETIME,
  }
}

/** Returns the metadata of all tenants, in which the issuer is a pattern, with the configured issuer. */
async function ofAllTenants(
  response: Response,
  tenantIssuer: string,
  issuer: string,
): Promise<Response | undefined> {
  const metadata: unknown = await response.clone().json()
  const pattern = tenantIssuer.replace('{tid}', '{tenantid}')
  if (!isJsonObject(metadata) || metadata['issuer'] !== pattern) return undefined
  return Response.json({ ...metadata, issuer }, { status: response.status })
}

/** Returns the cache lifetime in milliseconds, between a minute and a day. */
function lifetimeOf(cacheControl: string | null): number {
  const maxAge = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(cacheControl ?? '')?.[1]
  if (maxAge === undefined) return DEFAULT_LIFETIME
  return Math.min(Math.max(Number(maxAge) * 1000, MINUTE), LONGEST_LIFETIME)
}
