import { type AuthConfig, AuthError, type Plugin } from '../../entries/plugin.ts'
import type { Settings } from './settings.ts'

/**
 * Returns the error for a route that names a limit without rules, which would allow any number of guesses. `false` is
 * an explicit rule.
 */
export function routeWithoutRules(
  rules: Settings['rules'],
  { plugins = [] }: Pick<AuthConfig, 'plugins'>,
): AuthError | undefined {
  for (const { name, routes = {} } of plugins as readonly Pick<Plugin, 'name' | 'routes'>[]) {
    const wanted = Object.values(routes).flatMap((methods) =>
      Object.values(methods).flatMap(({ limit }) => limit ?? []),
    )
    const missing = wanted.find((limit) => !Object.hasOwn(rules, limit))
    if (missing === undefined) continue
    return new AuthError(
      `the plugin ${name} requires the limit ${JSON.stringify(missing)}, but limits() has no rule for it; add one to \`rules\`, for example [{ by: 'network', limit: 10, window: 900 }], or false`,
    )
  }
  return undefined
}
