import type { AuthConfig } from 'latchkey'
import type { DeviceClient, NativeClient } from 'latchkey/plugins/tokens'
import type { ConfigContext } from './config-file.ts'
import type { OptionValue, options } from './options.ts'

/** Options whose type in a configuration file differs from the type of the validated value. */
interface WrittenValues {
  readonly url: string
  readonly trustHost: boolean | readonly string[]
  readonly secret: string | readonly string[]
  readonly providers: readonly string[]
  readonly apiAudiences: readonly string[] | string
  readonly apps: readonly NativeClient[]
  readonly devices: readonly DeviceClient[]
  readonly apiKeys: boolean | { readonly scopes: readonly string[] }
  readonly trustedProxies: readonly string[] | string
}

type WrittenOptions = {
  -readonly [Name in keyof typeof options]?:
    | (Name extends keyof WrittenValues ? WrittenValues[Name] : OptionValue<Name>)
    | undefined
}

/** What `latchkey.config.ts` exports. README.md has a table of the options. */
export interface ServiceConfig extends WrittenOptions {
  /** Options of the library: providers, callbacks, events, pages, theme … */
  auth?: Partial<AuthConfig> | undefined
}

type Awaitable<T> = T | PromiseLike<T>

/** Adds types to `latchkey.config.ts`. */
export function defineConfig<
  Config extends ServiceConfig | ((context: ConfigContext) => Awaitable<ServiceConfig>),
>(config: Config): Config {
  return config
}
