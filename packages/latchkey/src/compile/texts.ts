import { oncePer } from '../once.ts'
import type { SessionPlan } from '../plan.ts'
import type { TextTables } from '../texts/catalogue.ts'
import { en } from '../texts/en.ts'
import { chooseLanguage } from '../texts/language.ts'
import { createTexts, type Texts } from '../texts/texts.ts'

/** Returns the texts in English and in the languages of the application. */
export function compileTexts(own: TextTables = {}): SessionPlan['texts'] {
  const others = Object.keys(own).filter((language) => language !== 'en' && own[language])
  const textsIn = oncePer((language: string): Texts => createTexts(language, own, { en }))
  return ({ headers }) => textsIn(chooseLanguage(headers.get('accept-language'), ['en', ...others]))
}
