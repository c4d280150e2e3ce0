import type { Secret } from '../../base/crypto/crypto.ts'
import { instant } from '../../base/encoding/instant.ts'
import { parseJsonObject } from '../../base/encoding/json.ts'
import { encodeUtf8 } from '../../base/encoding/utf8.ts'
import type { Ports } from '../../base/ports.ts'
import { parseCompactJwe, parseProtectedHeader } from './compact-jwe.ts'
import { sealingKey } from './keys.ts'

/** Number of characters of a key id in messages. */
const NAME_LENGTH = 8

/**
 * Returns the reason for the log why a sealed value cannot be opened, with the fix. Key ids are not secret: cookies
 * contain them.
 */
export async function whyUnopened(
  token: string,
  secrets: readonly Secret[],
  salt: string,
  { now }: Pick<Ports, 'now'>,
): Promise<string> {
  const jwe = parseCompactJwe(token)
  const header = jwe && parseProtectedHeader(jwe.header)
  if (!header) return 'it was not sealed by this library or by Auth.js'
  const keys = await Promise.all(
    secrets.map((secret) => sealingKey(header.encryption, secret, salt)),
  )
  const { kid } = header
  const fitting = kid === undefined ? keys : keys.filter((key) => key.kid === kid)
  if (fitting.length === 0) {
    const ours = keys.map((key) => key.kid.slice(0, NAME_LENGTH)).join(', ')
    const theirs = JSON.stringify(kid?.slice(0, NAME_LENGTH))
    return `it was sealed with another secret (key id ${theirs}, expected ${ours}); use the same \`secret\` in all instances, and keep the old secret in the list when you change it`
  }
  for (const key of fitting) {
    const claims = parseJsonObject(await key.content.decrypt(jwe, encodeUtf8(jwe.header)))
    if (claims) return whyNotNow(claims, now())
  }
  return kid === undefined
    ? 'it was sealed with another secret, or was changed'
    : 'it was changed after it was sealed'
}

/** RFC 7519 sections 4.1.4 and 4.1.5. */
function whyNotNow({ exp, nbf }: Record<string, unknown>, now: number): string {
  const here = `it is ${instant(now)} here`
  if (typeof exp === 'number' && exp * 1000 <= now) {
    return `it expired at ${instant(exp * 1000)}, and ${here}`
  }
  if (typeof nbf === 'number' && nbf * 1000 > now) {
    return `it is valid from ${instant(nbf * 1000)}, and ${here}; check the clocks of all machines`
  }
  return 'its `exp` or `nbf` is not a number'
}
