import { kindOfValue } from '../base/kind-of-value.ts'

/**
 * Returns the problem with a value that should be a web request, and the fix; `undefined` for a request, also of
 * another implementation.
 *
 * @param rule what the value must be.
 */
export function requestFault(value: unknown, rule: string): string | undefined {
  const { headers, url } = Object(value) as { headers?: unknown; url?: unknown }
  if (typeof url === 'string' && isHeaders(headers)) return undefined
  const isOfNode = typeof headers === 'object' && headers !== null && !isHeaders(headers)
  // The value itself may be a token.
  return isOfNode
    ? `${rule}, got a request of Node.js; convert it with toWebRequest of latchkey/node, or use the integration of the framework`
    : `${rule}, got ${kindOfValue(value)}; pass the request of the framework as a Request of the web`
}

/** Returns whether headers can be read from a value, as from `Headers`. */
export function isHeaders(value: unknown): value is Headers {
  return typeof (Object(value) as { get?: unknown }).get === 'function'
}
