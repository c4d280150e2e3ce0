import type { Catalogue, Message } from '../base/texts/catalogue.ts'

/**
 * Texts of the application that replace the built-in ones, by language (BCP 47). Each language here is available to
 * visitors; missing texts are English.
 */
export type TextsOption = Readonly<Record<string, TextsOfLanguage | undefined>> & {
  readonly en?: TextsOfLanguage | undefined
}

/** Texts by key. Keys of plugins begin with the name of the plugin and a colon. */
export type TextsOfLanguage = {
  readonly [Key in keyof Catalogue]?: Message | undefined
} & { readonly [key: `${string}:${string}`]: Message | undefined }
