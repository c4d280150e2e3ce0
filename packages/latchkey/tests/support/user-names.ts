import { definePlugin, type Host } from '../../src/entries/plugin.ts'
import type { Adapter } from '../../src/model/adapter.ts'
import type { PluginOption } from '../../src/options/plugin-option.ts'
import { type UsernamesOptions, usernames } from '../../src/plugins/usernames/index.ts'
import type { World } from '../../src/testing/world.ts'
import { createSite } from '../attacks/support/site.ts'

/** A site with plugins, and the host of another plugin of it. */
export async function hostOf(plugins: readonly PluginOption[], adapter?: Adapter) {
  let host: Host | undefined
  const other = definePlugin({
    name: 'other',
    setUp: (given) => {
      host = given
      return { api: {} }
    },
  })
  const site = await createSite({
    config: { plugins: [...plugins, other] },
    ...(adapter && { adapter }),
  })
  const { core, config } = site.world
  core.plan(config).plugins?.api('other')
  return { ...site, host }
}

/** A site with user names. */
export async function siteOf(options: UsernamesOptions = {}, adapter?: Adapter) {
  const { host, ...site } = await hostOf([usernames(options)], adapter)
  const names = host?.userNames()
  if (!names) throw new Error('there are no user names')
  return { ...site, names }
}

/** Two processes with one store. */
export async function twoSites(adapter: () => Adapter, options: UsernamesOptions = {}) {
  const first = await siteOf(options, adapter())
  return [first, await siteOf(options, adapter())] as const
}

export const later = ({ now }: World, seconds: number) => new Date(now() + seconds * 1000)
