import { oncePer } from '../../base/once.ts'
import type { TextTables } from '../../base/texts/catalogue.ts'
import { en } from '../../base/texts/en.ts'
import { chooseLanguage } from '../../base/texts/language.ts'
import { type Texts, textsIn } from '../../base/texts/texts.ts'
import type { SessionPlan } from '../../plan/plan.ts'
import type { Languages } from '../../plugin/languages.ts'

/** Returns the texts in English and in the languages of the application. */
export function compileTexts(own: TextTables = {}, languages?: Languages): SessionPlan['texts'] {
  if (languages) {
    const { choices, all = choices, tables } = languages
    const spoken = oncePer(
      (lang: string): Texts => textsIn({ lang, choices, all }, own, [{ en }, tables]),
    )
    return ({ headers }) => spoken(languages.loaded(headers))
  }
  const others = Object.keys(own).filter((language) => language !== 'en' && own[language])
  const all = ['en', ...others] as const
  const spoken = oncePer((lang: string): Texts => textsIn({ lang, all }, own, [{ en }]))
  return ({ headers }) => spoken(chooseLanguage(headers.get('accept-language'), all))
}
