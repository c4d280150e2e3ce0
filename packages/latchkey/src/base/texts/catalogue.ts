import type { en, mails, passkeys, problemTexts } from './en.ts'

/** A text with `{name}` places, or one for each plural category of its place `{count}`. */
export type Message = string | PluralForms

/** By category of `Intl.PluralRules`; a category that is missing is `other`. */
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

/** Keys of the texts that every application has: those of pages. */
export type TextKey = keyof typeof en

/** What is put into places, by name. */
export type TextValues = Readonly<Record<string, string | number>>
