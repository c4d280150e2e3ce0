import type { PluginOption } from '../../entries/plugin.ts'
import { defineLimits } from './define.ts'
import { ofPlugins } from './settings.ts'

/**
 * The plugin `limits` for the actions of plugins alone, by the rules that they have in `limits`. A plugin that guards
 * secrets puts it in `brings`; the plugin `limits()` of an application takes its place.
 */
export function limitsOfPlugins(): PluginOption<'limits'> {
  return defineLimits(ofPlugins)
}
