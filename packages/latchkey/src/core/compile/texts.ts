import { oncePer } from '../../base/once.ts'
import type { TextTables } from '../../base/texts/catalogue.ts'
import { en } from '../../base/texts/en.ts'
import { chooseLanguage } from '../../base/texts/language.ts'
import { createTexts, type Texts } from '../../base/texts/texts.ts'
import type { SessionPlan } from '../../plan/plan.ts'

/** Returns the texts in English and in the languages of the application. */
export function compileTexts(own: TextTables = {}): SessionPlan['texts'] {
  const others = Object.keys(own).filter((language) => language !== 'en' && own[language])
  const textsIn = oncePer((language: string): Texts => createTexts(language, own, { en }))
  return ({ headers }) => textsIn(chooseLanguage(headers.get('accept-language'), ['en', ...others]))
}
