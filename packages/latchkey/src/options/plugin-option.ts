import type { TextTable } from '../base/texts/catalogue.ts'
import type {
  checkWith,
  sessionsElsewhere,
  setUpWith,
  uncheckedAtEdge,
  withoutNeeds,
} from './markers.ts'
import type { Provider } from './provider-options.ts'
/** A requirement of a plugin. */
export type PluginNeed =
  /** An adapter. */
  | 'adapter'
  /** A record store: the adapter, or `records`. */
  | 'records'
  /** An adapter that counts attempts. */
  | 'attempts'
  /** A provider that sends mails. */
  | 'mail'
  /** Another plugin, by its name. */
  | `plugin:${string}`

/** Formats in which the core writes values that another library also reads. The core reads all formats. */
export interface WrittenForms {
  /** The stored form of a session token: a keyed hash, or the token itself. @default 'hashed' */
  readonly sessionTokens?: 'hashed' | 'plain'
  /**
   * The key of the hashes of forms and mails: the first secret of the list, or all secrets joined with commas. The cookie
   * of a form with another hash is then replaced.
   *
   * @default 'first'
   */
  readonly hashes?: 'first' | 'joined'
}

/** Texts of a plugin: all of them in English, and translations in other languages. */
export type PluginTexts = Readonly<Record<string, TextTable>> & { readonly en: TextTable }

/** A plugin in a configuration. Plugins are created with `definePlugin` of `latchkey/plugin`. */
export interface PluginOption<Name extends string = string, Api extends object = object> {
  /** The name in `latchkey.api` and for other plugins: letters and digits. */
  readonly name: Name
  /** Requirements, checked at the start. */
  readonly needs?: readonly PluginNeed[] | undefined
  /** Plugins that this one works with. Each is added to the list, unless the list has a plugin of that name. */
  readonly brings?: readonly PluginOption[] | undefined
  /** Providers of the plugin. */
  readonly providers?: readonly Provider[] | undefined
  /** Formats in which the core writes while the plugin is in the list. */
  readonly writes?: WrittenForms | undefined
  /** Texts by language and key. A key is the name of the plugin, a colon, and a name of its own. */
  readonly texts?: PluginTexts | undefined
  // `Host` is in a higher layer than the configuration, so its type is not known here.
  setUp(host: never): { readonly api?: Api | undefined }
  /** The code that runs plugins and checks their list. `definePlugin` sets both, so only applications with plugins bundle them. */
  readonly [setUpWith]?: unknown
  readonly [checkWith]?: unknown
  readonly [withoutNeeds]?: boolean
  readonly [uncheckedAtEdge]?: string | undefined
  readonly [sessionsElsewhere]?: (() => never) | undefined
}

/** The functions of the plugins of a configuration, by plugin name. */
export type PluginApis<Config> = Config extends {
  plugins: readonly (infer Each)[]
}
  ? { readonly [Plugin in Each as NameOf<Plugin>]: ApiOf<Plugin> }
  : // biome-ignore lint/complexity/noBannedTypes: without plugins there is nothing to call
    {}

type NameOf<Plugin> = Plugin extends { readonly name: infer Name extends string }
  ? string extends Name
    ? never
    : Name
  : never

type ApiOf<Plugin> = Plugin extends { setUp(host: never): { readonly api?: infer Api } }
  ? NonNullable<Api>
  : never
