import { oncePer } from '../../base/once.ts'
import type { Theme } from '../../options/pages.ts'
import { cssOf } from '../../options/theme/theme-values.ts'
import type { Part } from '../hash-source.ts'
import { ACCOUNT } from './account.ts'
import { BASE, BUTTONS, CARD, FIELDS, NEEDS, NOTICES, SPLIT } from './base.ts'
import { tokensOf } from './tokens.ts'

/** The style sheets of built-in pages: `card` for one step, `account` for pages with a navigation and lists. */
export type SheetName = 'card' | 'account'

/** Returns the style sheets of a page: the built-in one, and the rules of the application. */
export function sheetsOf(theme: Theme, name: SheetName): readonly Part[] {
  return compiled(theme)(name)
}

const compiled = oncePer(
  (theme: Theme) =>
    oncePer((name: SheetName): readonly Part[] => {
      const css = cssOf(theme)
      const split = theme.background === 'split' ? SPLIT : ''
      const more = name === 'account' ? ACCOUNT : ''
      const rules = BASE + CARD + split + FIELDS + BUTTONS + NOTICES + more + NEEDS
      // Without the lines between the rules.
      const texts = [tokensOf(theme) + rules.replaceAll('\n', ''), ...(css ? [css] : [])]
      return texts.map((text) => ({ text }))
    }),
  new WeakMap(),
)
