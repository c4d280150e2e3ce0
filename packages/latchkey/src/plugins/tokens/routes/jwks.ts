import {
  type Answer,
  type Call,
  encodeBase64url,
  encodeUtf8,
  type JsonObject,
} from '../../../entries/plugin.ts'
import type { Own } from '../own.ts'

/** `GET jwks`: the public keys, which are public and cacheable (RFC 7517 section 5). */
export async function jwks({ request }: Call, { jwt }: Own): Promise<Answer> {
  const { ring } = await jwt()
  const keys = (await ring.published()) as unknown as readonly JsonObject[]
  const digest = await crypto.subtle.digest('SHA-256', encodeUtf8(JSON.stringify(keys)))
  const etag = `"${encodeBase64url(new Uint8Array(digest)).slice(0, 22)}"`
  const headers = {
    'cache-control': 'public, max-age=300, stale-while-revalidate=600',
    'access-control-allow-origin': '*',
    etag,
  }
  if (isAmong(etag, request.original.headers.get('if-none-match'))) return { status: 304, headers }
  return { json: { keys }, headers: { ...headers, 'content-type': 'application/jwk-set+json' } }
}

/** RFC 9110 section 13.1.2: weak validators also match. */
function isAmong(etag: string, asked: string | null): boolean {
  const known = (asked ?? '').split(',').map((each) => each.trim().replace(/^W\//, ''))
  return known.includes(etag) || known.includes('*')
}
