import type { Settings } from '../settings.ts'
import { fixedOrigin, type OriginRule, trustedOrigin } from './origin.ts'

/** Names for "every address", which a browser cannot open. */
const WILDCARDS = new Set(['0.0.0.0', '::', '*', ''])

/** Returns the address that a browser on this machine can open. */
export function localOrigin(host: string | undefined, port: number): string {
  const name = host === undefined || WILDCARDS.has(host) ? 'localhost' : host
  return new URL(`http://${name.includes(':') ? `[${name}]` : name}:${port}`).origin
}

/** Returns the rule for the public origin of requests, and the origin itself if it is always the same. */
export function originRule(
  { origin, trustHost, host }: Pick<Settings, 'origin' | 'trustHost' | 'host'>,
  port: number,
): { rule: OriginRule; origin: string | undefined } {
  if (origin === undefined && trustHost !== false)
    return { rule: trustedOrigin(trustHost), origin: undefined }
  const fixed = origin ?? localOrigin(host, port)
  return { rule: fixedOrigin(fixed), origin: fixed }
}
