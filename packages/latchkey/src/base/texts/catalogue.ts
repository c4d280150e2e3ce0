import type { en, mails, passkeys, problemTexts } from './en.ts'

/** A text with `{name}` placeholders, or one text for each plural category of its placeholder `{count}`. */
export type Message = string | PluralForms

/** Texts by category of `Intl.PluralRules`; a missing category is `other`. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & {
  readonly other: string
}

export type TextTable = Readonly<Record<string, Message>>

/** Tables by language tag (BCP 47). */
export type TextTables = Readonly<Record<string, Readonly<Record<string, Message | undefined>>>>

/** All built-in texts by their keys. */
export type Catalogue = {
  readonly [Key in keyof (typeof en &
    typeof mails &
    typeof passkeys &
    typeof problemTexts)]: Message
}

/** The keys of the texts of pages, which every application has. */
export type TextKey = keyof typeof en

/** The values of placeholders, by name. */
export type TextValues = Readonly<Record<string, string | number>>
