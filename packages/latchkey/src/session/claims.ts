import type { JWT } from '../model/jwt.ts'

/** The claims of Latchkey in sealed sessions, with those of these plugins. */
export function ownClaims(
  hooks: readonly { readonly claims?: readonly string[] | undefined }[],
): ReadonlySet<string> {
  return new Set([
    'sid',
    'auth_time',
    'second_time',
    'amr',
    'amr_times',
    'acr',
    ...hooks.flatMap(({ claims = [] }) => claims),
  ])
}

/**
 * Returns the token of the `jwt` callback with the claims of Latchkey and of plugins restored. It names a user if the
 * claims did: a session without one could not be ended with the others of the user.
 */
export function restored(token: JWT, claims: JWT, own: ReadonlySet<string>): JWT {
  const kept = isNamed(token) || !isNamed(claims) ? own : new Set([...own, 'sub'])
  const isSame = (name: string): boolean =>
    JSON.stringify(token[name]) === JSON.stringify(claims[name])
  if ([...kept].every(isSame)) return token
  const isOurs = ([name]: [string, unknown]): boolean => kept.has(name)
  const theirs = Object.entries(token).filter((entry) => !isOurs(entry))
  const values = new Map([...theirs, ...Object.entries(claims).filter(isOurs)])
  const names = new Set([
    ...Object.keys(claims).filter((name) => values.has(name)),
    ...values.keys(),
  ])
  return Object.fromEntries([...names].map((name) => [name, values.get(name)]))
}

const isNamed = ({ sub }: JWT): boolean => typeof sub === 'string' && sub !== ''
