import { type ContentEncryption, contentEncryptions } from '../../base/crypto/crypto.ts'
import { decodeBase64url } from '../../base/encoding/base64url.ts'
import { parseJsonObject } from '../../base/encoding/json.ts'
import { decodeUtf8 } from '../../base/encoding/utf8.ts'

/** The parts of a compact JWE with direct encryption (RFC 7516 section 3.1): its second part is empty. */
export interface CompactJwe {
  /** The encoded protected header of the token. */
  readonly header: string
  readonly iv: string
  readonly ciphertext: string
  readonly tag: string
}

/** The members of a protected header that determine how a token is opened. */
export interface ProtectedHeader {
  readonly encryption: ContentEncryption
  readonly kid: string | undefined
}

/** Maximum length of a protected header in characters. Headers of Latchkey have at most 180. */
const HEADER_LIMIT = 1024

/** Splits a token; returns `undefined` if it is not a compact JWE with direct encryption. */
export function parseCompactJwe(token: string): CompactJwe | undefined {
  const first = token.indexOf('.')
  if (first <= 0 || first > HEADER_LIMIT || token.charCodeAt(first + 1) !== DOT) return undefined
  const second = token.indexOf('.', first + 2)
  const third = token.indexOf('.', second + 1)
  if (second < 0 || third < 0 || token.indexOf('.', third + 1) >= 0) return undefined
  return {
    header: token.slice(0, first),
    iv: token.slice(first + 2, second),
    ciphertext: token.slice(second + 1, third),
    tag: token.slice(third + 1),
  }
}

const DOT = 0x2e

/**
 * Parses a protected header of another writer.
 *
 * @returns `undefined` for an algorithm other than `dir`, an unsupported content encryption, compression (RFC 8725
 *   section 3.6) and critical extensions (RFC 7516 section 4.1.13).
 */
export function parseProtectedHeader(text: string): ProtectedHeader | undefined {
  const bytes = decodeBase64url(text)
  const header = bytes && parseJsonObject(decodeUtf8(bytes))
  if (!header || header['alg'] !== 'dir' || 'zip' in header || 'crit' in header) return undefined
  const encryption = contentEncryptions.find((name) => name === header['enc'])
  const kid = header['kid']
  if (!encryption || (kid !== undefined && typeof kid !== 'string')) return undefined
  return { encryption, kid }
}
