import { checkOptions, isJsonObject, optionError, type TextTable } from '../../entries/plugin.ts'
import { loaders } from './loaders.ts'

/** Options of the plugin. */
export interface I18nOptions {
  /**
   * The languages, by their tags (BCP 47), or all built-in ones: `en`, `de`, `fr`, `es`, `pt`, `ja`, `zh-Hans` and `ar`. A language
   * that is not built in needs `messages`.
   *
   * @default 'all'
   */
  readonly locales?: readonly string[] | 'all' | undefined
  /**
   * The language of visitors if no other language fits.
   *
   * @default 'en'
   */
  readonly fallback?: string | undefined
  /** Texts of further languages, and texts that replace built-in ones, by language and key. Missing texts are English. */
  readonly messages?: Readonly<Record<string, TextTable>> | undefined
  /**
   * Chooses the language of a request by its headers, before the choice of the visitor and of the browser. Another value
   * than one of the languages is ignored.
   */
  readonly choose?: ((headers: Pick<Headers, 'get'>) => string | undefined) | undefined
  /**
   * Whether pages offer the languages.
   *
   * @default true
   */
  readonly picker?: boolean | undefined
}

/** The options with their defaults. */
export interface Settings extends Pick<I18nOptions, 'choose'> {
  /** The first one is the fallback. */
  readonly locales: readonly [string, ...string[]]
  readonly messages: Readonly<Record<string, TextTable>>
  readonly picker: boolean
}

const BUILT_IN: readonly string[] = ['en', 'de', 'fr', 'es', 'pt', 'ja', 'zh-Hans', 'ar']

/** @throws {TypeError} for an invalid option. */
export function settingsOf(options: I18nOptions): Settings {
  checkOptions('i18n', options, {
    locales: true,
    fallback: 'string',
    messages: true,
    choose: 'function',
    picker: 'boolean',
  })
  const { locales = 'all', fallback = 'en', messages = {}, choose, picker = true } = options
  if (!isJsonObject(messages) || !Object.values(messages).every(isTable))
    throw refused('`messages` must be an object with the texts of each language by key')
  const named = locales === 'all' ? [...BUILT_IN, ...Object.keys(messages)] : locales
  if (!Array.isArray(named) || !named.every((each) => typeof each === 'string'))
    throw refused("`locales` must be a list of language tags, or 'all'")
  for (const tag of named) {
    if (!isTag(tag))
      throw refused(`\`locales\` has ${JSON.stringify(tag)}, which is no language tag`)
    if (tag !== 'en' && !(tag in loaders) && !Object.hasOwn(messages, tag))
      throw refused(
        `\`locales\` has ${JSON.stringify(tag)}, which is not built in; add its texts to \`messages\`, or use one of ${BUILT_IN.join(', ')}`,
      )
  }
  const all = [...new Set(named)]
  if (!all.includes(fallback))
    throw refused(`\`fallback\` must be one of \`locales\`, got ${JSON.stringify(fallback)}`)
  const others = all.filter((each) => each !== fallback)
  return { locales: [fallback, ...others], messages, choose, picker }
}

/** A text, or its forms by plural category. */
function isTable(table: unknown): boolean {
  return (
    isJsonObject(table) &&
    Object.values(table).every(
      (text) => text === undefined || typeof text === 'string' || isJsonObject(text),
    )
  )
}

function isTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text)[0] === text
  } catch {
    return false
  }
}

function refused(message: string): TypeError {
  return optionError(`i18n(): ${message}`, 'i18n')
}
