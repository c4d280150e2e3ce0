import type { Settings } from '../settings.ts'
import { fixedOrigin, type OriginRule, trustedOrigin } from './origin.ts'

/** Names of "every address" that nobody can open in a browser. */
const WILDCARDS = new Set(['0.0.0.0', '::', '*', ''])

/** The address to open in a browser on this machine. */
export function localOrigin(host: string | undefined, port: number): string {
  const name = host === undefined || WILDCARDS.has(host) ? 'localhost' : host
  return new URL(`http://${name.includes(':') ? `[${name}]` : name}:${port}`).origin
}

/** How the public origin of a request is found, and the origin itself where it is always the same. */
export function originRule(
  { origin, trustHost, host }: Pick<Settings, 'origin' | 'trustHost' | 'host'>,
  port: number,
): { rule: OriginRule; origin: string | undefined } {
  if (origin === undefined && trustHost !== false)
    return { rule: trustedOrigin(trustHost), origin: undefined }
  const fixed = origin ?? localOrigin(host, port)
  return { rule: fixedOrigin(fixed), origin: fixed }
}
