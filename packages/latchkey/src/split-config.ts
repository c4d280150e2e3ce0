import { AuthError, UnsupportedStrategy } from './errors.ts'
import type { AuthConfig, SessionOptions } from './options/auth-config.ts'
import { uncheckedAtEdge, withoutNeeds } from './options/markers.ts'
import type { PluginOption } from './options/plugin-option.ts'
import type { Provider } from './options/provider-options.ts'
import type { Plugin } from './plugin.ts'
import { systemPorts } from './ports.ts'
import { uncheckedBy } from './session/at-edge.ts'

/** Said outright: an adapter that is added elsewhere would change the default. */
interface Sealed {
  session: SessionOptions & { strategy: 'jwt' }
}

/** What of a configuration works without Node.js and without an adapter. */
export type EdgeConfig<Config extends AuthConfig> = Omit<
  Config,
  'adapter' | 'records' | 'events' | 'providers'
> & { providers: readonly Provider[] }

/**
 * The half of a configuration that can run at the edge: it accepts the sessions of the whole.
 *
 * Left out are the adapter and `records`, the events, and the providers that look people up themselves: by mail,
 * with passkeys and with credentials. Callbacks stay, so they use neither Node.js nor a database. Of plugins, their paths
 * stay known, and what works without a store; a sign-in that has to pass a gate fails there.
 *
 * @throws {UnsupportedStrategy} when sessions are not said to be sealed.
 */
export function splitConfig<const Config extends AuthConfig & Sealed>(
  config: Config,
): EdgeConfig<Config> {
  const { adapter: _adapter, records: _records, events: _events, providers, ...kept } = config
  if (kept.session?.strategy !== 'jwt') {
    throw new UnsupportedStrategy(
      "at the edge there is no adapter to ask for a session; set `session: { strategy: 'jwt' }`",
    )
  }
  const { plugins } = config
  return {
    ...kept,
    ...(plugins && { plugins: plugins.map((plugin) => edgeHalf(plugin as Plugin)) }),
    providers: providers.filter(isOAuth),
  }
}

function isOAuth(provider: Provider): boolean {
  const { type } = typeof provider === 'function' ? provider({}) : provider
  return type === 'oauth' || type === 'oidc'
}

/** A plugin where there is no store: its place is kept, so that nothing that it guards is open. */
function edgeHalf(plugin: Plugin): PluginOption {
  const { name, routes = {}, gate } = plugin
  const elsewhere = (): never => {
    throw new AuthError(
      `the plugin ${name} needs the store, which the edge does not have; have the whole configuration answer the actions`,
    )
  }
  const closed = Object.entries(routes).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.keys(methods).map((method) => [method, { who: 'anyone', run: elsewhere }]),
    ),
  ])
  const half: Plugin = {
    ...plugin,
    needs: [],
    providers: [],
    routes: Object.fromEntries(closed) as NonNullable<Plugin['routes']>,
    setUp: ({ ports }) => ({
      session: plugin.atEdge?.(ports),
      ...(gate && { atGate: elsewhere }),
    }),
  }
  return { ...half, [withoutNeeds]: true, [uncheckedAtEdge]: uncheckedBy(plugin, systemPorts) }
}
