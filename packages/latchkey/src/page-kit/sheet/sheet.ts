import { oncePer } from '../../base/once.ts'
import type { Theme } from '../../options/pages.ts'
import { cssOf } from '../../options/theme/theme-values.ts'
import { hashSource } from '../hash-source.ts'
import { ACCOUNT } from './account.ts'
import { BASE, BUTTONS, CARD, FIELDS, NEEDS, NOTICES, SPLIT } from './base.ts'
import { tokensOf } from './tokens.ts'

/** The style sheets of built-in pages: `card` for one step, `account` for pages with a navigation and lists. */
export type SheetName = 'card' | 'account'

/** A style sheet, with its hash as a source of a policy. */
export interface Sheet {
  readonly text: string
  readonly source: string
}

/** Returns the style sheets of a page: the built-in one, and the rules of the application. */
export function sheetsOf(theme: Theme, name: SheetName): Promise<readonly Sheet[]> {
  return compiled(theme)(name)
}

const compiled = oncePer(
  (theme: Theme) =>
    oncePer(async (name: SheetName): Promise<readonly Sheet[]> => {
      const { background } = theme
      const css = cssOf(theme)
      const split = background === 'split' ? SPLIT : ''
      const more = name === 'account' ? ACCOUNT : ''
      const rules = BASE + CARD + split + FIELDS + BUTTONS + NOTICES + more + NEEDS
      // Without the lines between the rules.
      const texts = [tokensOf(theme) + rules.replaceAll('\n', ''), ...(css ? [css] : [])]
      return Promise.all(texts.map(hashed))
    }),
  new WeakMap(),
)

/** Returns a style sheet with its hash. */
export async function hashed(text: string): Promise<Sheet> {
  return { text, source: await hashSource(text) }
}
