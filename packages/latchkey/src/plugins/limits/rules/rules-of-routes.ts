import {
  type AuthConfig,
  AuthError,
  type LimitRules,
  type Plugin,
} from '../../../entries/plugin.ts'
import { rulesWith, type Settings } from '../settings.ts'

type WithRoutes = Pick<Plugin, 'name' | 'routes' | 'limits'>

/**
 * Returns the error for a route that names a limit without rules, which would allow any number of guesses. `false` is
 * an explicit rule.
 */
export function routeWithoutRules(
  settings: Settings,
  config: Pick<AuthConfig, 'plugins'>,
): AuthError | undefined {
  const plugins = (config.plugins ?? []) as readonly WithRoutes[]
  const declared: LimitRules = Object.assign({}, ...plugins.map(({ limits }) => limits))
  const rules = rulesWith(settings, declared)
  for (const { name, routes = {} } of plugins) {
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
