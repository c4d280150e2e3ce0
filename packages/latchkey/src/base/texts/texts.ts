import { definedOnly } from '../encoding/defined-only.ts'
import type { Message, TextKey, TextTables, TextValues } from './catalogue.ts'
import { en } from './en.ts'

/** The texts that one request gets. */
export interface Texts<Key extends string = TextKey> {
  /** Their language, as it stands in `lang`. */
  readonly lang: string
  /** A text with its places filled in. It is no markup: escape it where it becomes HTML. */
  text(key: Key, values?: TextValues): string
  /** The same with further texts, English among them. */
  with<More extends TextTables & { readonly en: object }>(
    more: More,
  ): Texts<Key | (keyof More['en'] & string)>
}

/**
 * Returns texts in one language; what it lacks is English.
 *
 * @param own what the application says instead.
 * @param tables what is built in or comes with plugins. A later table counts more.
 */
export function createTexts<Key extends string>(
  lang: string,
  own: TextTables,
  ...tables: readonly TextTables[]
): Texts<Key> {
  let messages: Readonly<Record<string, Message>> | undefined
  return {
    lang,
    text(key, values = {}) {
      // Only now: a process that only reads sessions shows no text.
      messages ??= merged(lang, [...tables, own])
      const message = messages[key] ?? key
      return fillIn(typeof message === 'string' ? message : formOf(message, lang, values), values)
    },
    with: (more) => createTexts(lang, own, ...tables, more),
  }
}

/** Later tables count more, and the language more than English. */
function merged(lang: string, tables: readonly TextTables[]): Record<string, Message> {
  const layers = ['en', lang].flatMap((language) => tables.map((each) => each[language] ?? {}))
  return Object.assign({}, ...layers.map(definedOnly))
}

/** For who is told nothing of a request. */
export const ENGLISH: Texts = createTexts('en', {}, { en })

/** Fills the places of a text. One without a value stays as it is. */
export function fillIn(message: string, values: TextValues): string {
  return message.replace(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : place,
  )
}

function formOf(forms: Exclude<Message, string>, lang: string, { count }: TextValues): string {
  return forms[new Intl.PluralRules(lang).select(Number(count))] ?? forms.other
}
