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
  const layers = ['en', lang].flatMap((language) => [...tables, own].map((each) => each[language]))
  const messages: Readonly<Record<string, Message>> = Object.assign(
    {},
    ...layers.map((layer) => definedOnly(layer ?? {})),
  )
  return {
    lang,
    text(key, values = {}) {
      const message = messages[key] ?? key
      return fillIn(typeof message === 'string' ? message : formOf(message, lang, values), values)
    },
    with: (more) => createTexts(lang, own, ...tables, more),
  }
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
