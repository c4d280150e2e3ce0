import type { AuthConfig } from 'latchkey'
import type { Naming, Preset } from 'latchkey/adapters/sql'
import type { DeviceClient, NativeClient } from 'latchkey/plugins/tokens'
import type { ConfigContext } from './config-file.ts'

/** What `latchkey.config.ts` exports. The options are those of the table in README.md. */
export interface ServiceConfig {
  /** @default 3000 */
  port?: number | undefined
  /** @default 'localhost' in development, every address in production */
  host?: string | undefined
  /** The public URL. */
  url?: string | undefined
  /** @default false */
  trustHost?: boolean | readonly string[] | undefined
  /** @default '/auth' */
  basePath?: string | undefined
  secret?: string | readonly string[] | undefined
  /** @default latchkey.db in `dataDir` */
  database?: string | undefined
  /** How tables and columns are called. @default 'singular' */
  databaseNaming?: Preset | Naming | undefined
  /** Whether the database has the table in which plugins store records. @default true */
  databaseRecords?: boolean | undefined
  /** Connections. @default 10 */
  databasePool?: number | undefined
  /** Seconds. @default 10 */
  databaseTimeout?: number | undefined
  /** @default none */
  redis?: string | undefined
  /** @default 'latchkey:' */
  redisPrefix?: string | undefined
  /** @default '.latchkey' */
  dataDir?: string | undefined
  /** Whether `GET session` returns `user.id`. @default true */
  sessionUserId?: boolean | undefined
  /** Names of providers of the catalogue, which are configured by the environment. */
  providers?: readonly string[] | undefined
  smtp?: string | undefined
  mailFrom?: string | undefined
  /** @default true in development, at an address of this machine */
  demo?: boolean | undefined
  /** @default 'info' */
  logLevel?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent' | undefined
  /** @default 'text' in development, 'json' in production */
  logFormat?: 'json' | 'text' | undefined
  /** Whether the log lines of successful requests are written together. @default in production */
  logBuffer?: boolean | undefined
  /** Whether attempts are limited by the service's own rules. @default true */
  limits?: boolean | undefined
  /** Whether a sign-out also leads to the provider. @default 'ask' */
  federatedLogout?: 'ask' | 'always' | 'never' | 'off' | undefined
  /** Whether OpenID providers may end sessions, with the plugin `sessions`. @default true */
  backchannelLogout?: boolean | undefined
  /** Keeps tokens of providers as sealed records. @default true where the database has the table of records */
  providerTokens?: boolean | undefined
  /** Lets people see and end their sessions. @default true where the database has the table of records */
  sessions?: boolean | undefined
  /** Where sessions are. @default 'database' */
  sessionStrategy?: 'database' | 'jwt' | undefined
  /** Days after which a session ends, however much it is used. @default 90 */
  sessionAbsoluteDays?: number | undefined
  /** How many sessions a user may have. @default as many as they like */
  sessionLimit?: number | undefined
  /** Whether a session outlives the browser. @default 'ask' */
  sessionRemember?: 'always' | 'never' | 'ask' | undefined
  /** Milliseconds after which no instance takes a sealed session that was ended. @default 1000 */
  revocationBound?: number | undefined
  /** APIs that take signed tokens, by what `aud` of these says. @default none */
  apiAudiences?: readonly string[] | string | undefined
  /** Apps that sign in with the browser of the system. @default none */
  apps?: readonly NativeClient[] | undefined
  /** Programs that sign in without a browser. @default none */
  devices?: readonly DeviceClient[] | undefined
  /** Keys for programs, which users make and end. @default false */
  apiKeys?: boolean | { readonly scopes: readonly string[] } | undefined
  /** Says that `sessions` is off on purpose, to `latchkey doctor`. @default none */
  sessionsOff?: 'confirmed' | undefined
  /** What `GET /metrics` needs as a bearer token. @default none: there are no metrics */
  metricsToken?: string | undefined
  /** Addresses and networks of the proxies in front, `10.0.0.0/8` say. @default none */
  trustedProxies?: readonly string[] | string | undefined
  /** @default 10000 */
  maxConnections?: number | undefined
  /** Bytes. @default 262144 */
  bodyLimit?: number | undefined
  /** Seconds. @default 3 in production, 0 in development */
  drainDelay?: number | undefined
  /** Seconds. @default 9 */
  drainTimeout?: number | undefined
  /** Everything else that the library can be told: providers, callbacks, events, pages, theme … */
  auth?: Partial<AuthConfig> | undefined
}

type Awaitable<T> = T | PromiseLike<T>

/** Gives `latchkey.config.ts` its types. */
export function defineConfig<
  Config extends ServiceConfig | ((context: ConfigContext) => Awaitable<ServiceConfig>),
>(config: Config): Config {
  return config
}
