import { definedOnly } from '../encoding/defined-only.ts'
import type { Message, TextKey, TextTables, TextValues } from './catalogue.ts'
import { en } from './en.ts'

/** The texts for one request. */
export interface Texts<Key extends string = TextKey> {
  /** The language, as the value of `lang`. */
  readonly lang: string
  /** The languages that pages offer to the visitor, if there is a choice. */
  readonly choices?: readonly string[] | undefined
  /** The languages of the configuration; `undefined` if they are not known. */
  readonly all?: readonly string[] | undefined
  /** Returns a text with its placeholders replaced. It is not markup: escape it for HTML. */
  text(key: Key, values?: TextValues): string
  /** Returns the same texts and further ones, which include English. */
  with<More extends TextTables & { readonly en: object }>(
    more: More,
  ): Texts<Key | (keyof More['en'] & string)>
}

/**
 * Returns texts in one language; missing ones are in English.
 *
 * @param own texts of the application, which replace others.
 * @param tables built-in texts and those of plugins. A later table replaces an earlier one.
 */
export function createTexts<Key extends string>(
  lang: string,
  own: TextTables,
  ...tables: readonly TextTables[]
): Texts<Key> {
  return textsIn({ lang }, own, tables)
}

/** The same, with the languages of the configuration. */
export function textsIn<Key extends string>(
  language: Pick<Texts, 'lang' | 'choices' | 'all'>,
  own: TextTables,
  tables: readonly TextTables[],
): Texts<Key> {
  const { lang } = language
  let messages: Readonly<Record<string, Message>> | undefined
  return {
    ...language,
    text(key, values = {}) {
      // Computed at the first use, since reading sessions needs no text.
      messages ??= merged(lang, [...tables, own])
      const message = messages[key] ?? key
      return fillIn(typeof message === 'string' ? message : formOf(message, lang, values), values)
    },
    with: (more) => textsIn(language, own, [...tables, more]),
  }
}

/** Merges tables: a later table replaces an earlier one, and the language replaces English. */
function merged(lang: string, tables: readonly TextTables[]): Record<string, Message> {
  const layers = ['en', lang].flatMap((language) => tables.map((each) => each[language] ?? {}))
  return Object.assign({}, ...layers.map(definedOnly))
}

/** The texts for code that has no request. */
export const ENGLISH: Texts = createTexts('en', {}, { en })

/** Replaces the placeholders of a text. A placeholder without a value stays. */
export function fillIn(message: string, values: TextValues): string {
  return message.replace(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : place,
  )
}

function formOf(forms: Exclude<Message, string>, lang: string, { count }: TextValues): string {
  return forms[new Intl.PluralRules(lang).select(Number(count))] ?? forms.other
}
