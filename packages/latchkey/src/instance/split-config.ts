import { AuthError, UnsupportedStrategy } from '../base/errors.ts'
import { systemPorts } from '../base/ports.ts'
import type { AuthConfig, SessionOptions } from '../options/auth-config.ts'
import { sessionsElsewhere, uncheckedAtEdge, withoutNeeds } from '../options/markers.ts'
import type { PluginOption } from '../options/plugin-option.ts'
import type { Provider } from '../options/provider-options.ts'
import { withBrought } from '../plan/brought-plugins.ts'
import type { Plugin } from '../plugin/plugin.ts'
import { uncheckedBy } from '../session/at-edge.ts'

/** Requires the strategy to be set, since an adapter that is added elsewhere would change the default. */
export interface SealedSessions {
  session: SessionOptions & { strategy: 'jwt' }
}

/** The part of a configuration that works without Node.js and without an adapter. */
export type EdgeConfig<Config extends AuthConfig> = Omit<
  Config,
  'adapter' | 'records' | 'events' | 'providers'
> & { providers: readonly Provider[] }

/**
 * Returns the part of a configuration that can run at the edge. It accepts the sessions of the whole configuration.
 *
 * It omits the adapter, `records`, the events, and the providers for mail, passkeys and credentials. It keeps the
 * callbacks, so they must use neither Node.js nor a database. Plugins keep their paths, and the functions that need no
 * store; a sign-in that needs a gate of a plugin fails.
 *
 * @throws {UnsupportedStrategy} if `session.strategy` is not `'jwt'`.
 */
export function splitConfig<const Config extends AuthConfig & SealedSessions>(
  config: Config,
): EdgeConfig<Config> {
  const { adapter: _adapter, records: _records, events: _events, providers, ...kept } = config
  if (kept.session?.strategy !== 'jwt') {
    throw new UnsupportedStrategy(
      "splitConfig: at the edge there is no adapter that reads sessions; set `session: { strategy: 'jwt' }`",
    )
  }
  const { plugins } = withBrought(config)
  return {
    ...kept,
    ...(plugins && {
      plugins: plugins.map((plugin) => (isPlugin(plugin) ? edgeHalf(plugin) : plugin)),
    }),
    providers: providers.filter(isOAuth),
  }
}

/** JavaScript may pass any value. A value that is neither a plugin nor a provider stays, and is named at the start. */
function isPlugin(given: PluginOption): given is Plugin {
  return typeof given === 'object' && given !== null && 'name' in given
}

function isOAuth(provider: Provider): boolean {
  if (Object(provider) !== provider) return true
  const { type } = typeof provider === 'function' ? provider({}) : provider
  return type === 'oauth' || type === 'oidc'
}

/**
 * Returns a plugin without its store. Its routes and gates stay, and refuse every request. If it has session hooks that
 * need the store, sessions are only read.
 */
function edgeHalf(plugin: Plugin): PluginOption {
  const { name, routes = {}, gate } = plugin
  const elsewhere = (): never => {
    throw new AuthError(
      `the plugin ${name} needs the store, which is not available at the edge; handle the actions with the whole configuration`,
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
    provides: [],
    routes: Object.fromEntries(closed) as NonNullable<Plugin['routes']>,
    setUp({ ports }) {
      const { isWhole: _, unchecked: __, carriers, ...session } = plugin.atEdge?.(ports) ?? {}
      return {
        ...(Object.keys(session).length > 0 && { session }),
        ...(carriers && { carriers }),
        ...(gate && { atGate: elsewhere }),
      }
    },
  }
  return {
    ...half,
    [withoutNeeds]: true,
    [uncheckedAtEdge]: uncheckedBy(plugin, systemPorts),
    ...(!plugin.atEdge?.(systemPorts).isWhole && { [sessionsElsewhere]: elsewhere }),
  }
}
