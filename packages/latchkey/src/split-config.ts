import { UnsupportedStrategy } from './errors.ts'
import type { AuthConfig, SessionOptions } from './options/auth-config.ts'
import type { Provider } from './options/provider-options.ts'

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
 * with passkeys and with credentials. Callbacks stay, so they use neither Node.js nor a database.
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
  return { ...kept, providers: providers.filter(isOAuth) }
}

function isOAuth(provider: Provider): boolean {
  const { type } = typeof provider === 'function' ? provider({}) : provider
  return type === 'oauth' || type === 'oidc'
}
