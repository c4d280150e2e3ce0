import type { PluginOption } from '../options/plugin-option.ts'

/**
 * Returns a configuration whose list of plugins also has those that its plugins bring. A plugin of the application
 * takes the place of a brought one with its name.
 */
export function withBrought<
  Config extends { readonly plugins?: readonly PluginOption[] | undefined },
>(config: Config): Config {
  const plugins = [...(config.plugins ?? [])]
  const names = new Set(plugins.map((plugin) => plugin?.name))
  // The list grows while it is read, since brought plugins may bring others.
  for (const plugin of plugins) {
    for (const brought of plugin?.brings ?? []) {
      if (names.has(brought.name)) continue
      names.add(brought.name)
      plugins.push(brought)
    }
  }
  return plugins.length === (config.plugins ?? []).length ? config : { ...config, plugins }
}
