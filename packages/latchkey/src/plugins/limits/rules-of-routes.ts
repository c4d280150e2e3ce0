import { AuthError } from '../../base/errors.ts'
import type { Plugin } from '../../entries/plugin.ts'
import type { AuthConfig } from '../../options/auth-config.ts'
import { checkWith } from '../../options/markers.ts'
import type { PluginOption } from '../../options/plugin-option.ts'
import type { Settings } from './settings.ts'

type Check = (config: AuthConfig, ...more: readonly unknown[]) => AuthError | undefined

/** The plugin, which does not start where a route wants a limit that it has no rules for. */
export function withRulesFor(
  plugin: PluginOption<'limits'>,
  { rules }: Settings,
): PluginOption<'limits'> {
  const check: Check = (config, ...more) =>
    (plugin[checkWith] as Check)(config, ...more) ?? firstWithout(rules, config)
  return { ...plugin, [checkWith]: check }
}

/** A limit that is asked for and not there would let everybody guess. `false` says that there is none. */
function firstWithout(
  rules: Settings['rules'],
  { plugins = [] }: AuthConfig,
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
