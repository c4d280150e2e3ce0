import type { TextTable } from '../texts/catalogue.ts'
import type { checkWith, setUpWith, uncheckedAtEdge, withoutNeeds } from './markers.ts'
import type { Provider } from './provider-options.ts'
/** What a plugin cannot work without. */
export type PluginNeed =
  /** A store of users. */
  | 'adapter'
  /** A store of records: the adapter's own, or `records`. */
  | 'records'
  /** An adapter that counts attempts. */
  | 'attempts'
  /** A provider that sends mails. */
  | 'mail'
  /** Another plugin, by its name. */
  | `plugin:${string}`

/** How the core writes what another library reads as well. Each form is read, whichever is written. */
export interface WrittenForms {
  /** What is stored of a session token: a keyed hash, or the token itself. @default 'hashed' */
  readonly sessionTokens?: 'hashed' | 'plain'
  /**
   * What the hashes of forms and mails are made with: the first secret of the list, or all of them, joined
   * with commas. The cookie of a form that has another hash then gets this one.
   *
   * @default 'first'
   */
  readonly hashes?: 'first' | 'joined'
}

/** Texts of a plugin: all in English, and as many as there are in other languages. */
export type PluginTexts = Readonly<Record<string, TextTable>> & { readonly en: TextTable }

/** What a configuration knows of a plugin. Plugins are made with `definePlugin` of `latchkey/plugin`. */
export interface PluginOption<Name extends string = string, Api extends object = object> {
  /** By which `latchkey.api` and other plugins call it: letters and digits. */
  readonly name: Name
  /** A configuration that lacks one of these is refused at the start. */
  readonly needs?: readonly PluginNeed[] | undefined
  /** Ways to sign in that the plugin brings along. */
  readonly providers?: readonly Provider[] | undefined
  /** How the core writes while the plugin is in the list. */
  readonly writes?: WrittenForms | undefined
  /** What it says, by language and key. A key is the name of the plugin, a colon, and whatever tells it from the others. */
  readonly texts?: PluginTexts | undefined
  // The configuration is in a lower row than what a plugin is given.
  setUp(host: never): { readonly api?: Api | undefined }
  /** What runs plugins, and what judges their list. `definePlugin` sets both: nobody else carries them. */
  readonly [setUpWith]?: unknown
  readonly [checkWith]?: unknown
  readonly [withoutNeeds]?: boolean
  readonly [uncheckedAtEdge]?: string | undefined
}

/** What the plugins of a configuration offer in code, by their names. */
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
