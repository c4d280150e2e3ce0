import type { Host, PluginOption } from '../../entries/plugin.ts'
import { defineLimits } from './define.ts'
import { ofPlugins } from './settings.ts'

/**
 * The plugin `limits` for the actions of plugins alone, by the rules that they have in `limits`. A plugin that guards
 * secrets puts it in `brings`; the plugin `limits()` of an application takes its place.
 */
export function limitsOfPlugins(): PluginOption<'limits'> {
  return defineLimits(ofPlugins)
}

/** Warns that nothing limits the actions of a plugin whose option `limits` is `false`, unless another one limits attempts. */
export function warnWithoutLimits(plugin: string, host: Host): void {
  if (host.attempts.areLimited) return
  host.logger.warn(
    'limits-off',
    `nothing limits attempts at the actions of ${plugin}(); remove \`limits: false\`, or add limits() to \`plugins\``,
  )
}
