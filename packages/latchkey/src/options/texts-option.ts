import type { Catalogue, Message } from '../texts/catalogue.ts'

/**
 * Texts of the application in place of the built-in ones, by language (BCP 47). A language is offered to visitors when it
 * is here, and what it lacks is English.
 */
export type TextsOption = Readonly<Record<string, TextsOfLanguage | undefined>> & {
  readonly en?: TextsOfLanguage | undefined
}

/** Texts by their keys. Those of plugins have the plugin's name and a colon in front. */
export type TextsOfLanguage = {
  readonly [Key in keyof Catalogue]?: Message | undefined
} & { readonly [key: `${string}:${string}`]: Message | undefined }
