import {
  contentEncryptions,
  ivLength,
  type MaybePromise,
  type Secret,
} from '../../base/crypto/crypto.ts'
import { parseJsonObject } from '../../base/encoding/json.ts'
import { encodeUtf8 } from '../../base/encoding/utf8.ts'
import { formatUuid } from '../../base/encoding/uuid.ts'
import { loadOnce } from '../../base/once.ts'
import type { Ports } from '../../base/ports.ts'
import { type CompactJwe, parseCompactJwe, parseProtectedHeader } from './compact-jwe.ts'
import { knownKey, type SealingKey, sealingKey } from './keys.ts'
import type { whyUnopened as WhyUnopened } from './why-unopened.ts'

/** Seconds by which clocks may differ. */
export const CLOCK_TOLERANCE = 15

/** The claims of a sealed value, and their JSON text. */
export interface Opened {
  readonly claims: Record<string, unknown>
  readonly text: string
}

/** Seals and opens values for one purpose. */
export interface Sealer {
  /**
   * @param claims must survive JSON; `iat`, `exp` and `jti` are overwritten.
   * @param maxAge seconds.
   */
  seal(
    claims: Record<string, unknown>,
    maxAge: number,
    ports: Pick<Ports, 'now' | 'random'>,
  ): MaybePromise<string>
  /** @returns `undefined` if the token was sealed with another secret, was changed, has expired or is not valid yet. */
  open(token: string, ports: Pick<Ports, 'now'>): MaybePromise<Opened | undefined>
}

const written = contentEncryptions[0]

/**
 * Creates a sealer for one purpose.
 *
 * @param secrets the first one seals; all of them open, selected by the key id in the header.
 * @param salt the purpose. A value cannot be opened for another purpose.
 */
export function createSealer(secrets: readonly Secret[], salt: string): Sealer {
  return {
    seal: createSeal(secrets, salt),
    open: createOpener(secrets, salt),
  }
}

/**
 * Creates the sealing part of a {@link Sealer}.
 *
 * @throws {TypeError} without a secret.
 */
export function createSeal([current]: readonly Secret[], salt: string): Sealer['seal'] {
  if (!current?.length) throw secretMissing()
  let known: SealingKey | undefined
  return (...what) => {
    const key = known ?? sealingKey(written, current, salt)
    if (key instanceof Promise) return key.then((ready) => sealWith(ready, ...what))
    known = key
    return sealWith(key, ...what)
  }
}

/** Creates the opening part of a {@link Sealer}. */
export function createOpener(secrets: readonly Secret[], salt: string): Sealer['open'] {
  if (secrets.length === 0 || secrets.some(({ length }) => length === 0)) throw secretMissing()
  /** Keys that have opened a value, by their protected header. */
  const known = new Map<string, SealingKey>()

  return (token, ports) => {
    const jwe = parseCompactJwe(token)
    if (!jwe) return undefined
    const key = known.get(jwe.header)
    if (!key) return find(jwe, ports)
    return openWith(key, jwe, ports)
  }

  async function find(jwe: CompactJwe, ports: Pick<Ports, 'now'>): Promise<Opened | undefined> {
    // Most values are in the form that this library writes, and their keys are derived already.
    for (const secret of secrets) {
      const key = knownKey(written, secret, salt)
      if (key?.header !== jwe.header) continue
      known.set(jwe.header, key)
      return openWith(key, jwe, ports)
    }
    const header = parseProtectedHeader(jwe.header)
    if (!header) return undefined
    for (const secret of secrets) {
      const key = await sealingKey(header.encryption, secret, salt)
      if (header.kid === undefined) {
        const opened = await openWith(key, jwe, ports)
        if (opened) return opened
      } else if (header.kid === key.kid) {
        // Only headers that Latchkey writes are cached, so the map is not larger than the list of secrets.
        if (jwe.header === key.header) known.set(jwe.header, key)
        return openWith(key, jwe, ports)
      }
    }
    return undefined
  }
}

/** Loaded only if a value cannot be opened. */
const loadWhy = loadOnce(() => import('./why-unopened.ts'))

/** Returns the reason for the log why a sealed value cannot be opened, with the fix. */
export async function whyUnopened(...asked: Parameters<typeof WhyUnopened>): Promise<string> {
  return (await loadWhy()).whyUnopened(...asked)
}

function secretMissing(): TypeError {
  return new TypeError('at least one secret that is not empty is required')
}

function sealWith(
  key: SealingKey,
  claims: Record<string, unknown>,
  maxAge: number,
  { now, random }: Pick<Ports, 'now' | 'random'>,
): MaybePromise<string> {
  const iat = Math.floor(now() / 1000)
  const jti = formatUuid(random(16))
  // A `toJSON` of the claims could omit the expiry.
  const plaintext = JSON.stringify({ ...claims, toJSON: undefined, iat, exp: iat + maxAge, jti })
  const sealed = key.content.encrypt(plaintext, key.aad, random(ivLength[key.encryption]))
  const join = ({ iv, ciphertext, tag }: Omit<CompactJwe, 'header'>): string =>
    `${key.header}..${iv}.${ciphertext}.${tag}`
  return sealed instanceof Promise ? sealed.then(join) : join(sealed)
}

function openWith(
  key: SealingKey,
  jwe: CompactJwe,
  ports: Pick<Ports, 'now'>,
): MaybePromise<Opened | undefined> {
  const aad = jwe.header === key.header ? key.aad : encodeUtf8(jwe.header)
  const text = key.content.decrypt(jwe, aad)
  return text instanceof Promise
    ? text.then((t) => judgeClaims(t, ports))
    : judgeClaims(text, ports)
}

/** Checks `exp` and `nbf` (RFC 7519 sections 4.1.4 and 4.1.5). A claim that is not a number is refused. */
export function judgeClaims(
  text: string | undefined,
  { now }: Pick<Ports, 'now'>,
): Opened | undefined {
  const claims = parseJsonObject(text)
  if (!claims || text === undefined) return undefined
  const seconds = Math.floor(now() / 1000)
  const { exp, nbf } = claims
  if (exp !== undefined && !(typeof exp === 'number' && exp > seconds - CLOCK_TOLERANCE)) {
    return undefined
  }
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf <= seconds + CLOCK_TOLERANCE)) {
    return undefined
  }
  return { claims, text }
}
