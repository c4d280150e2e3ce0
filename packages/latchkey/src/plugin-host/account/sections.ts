import type { Texts } from '../../base/texts/texts.ts'
import type { AccountSectionLink } from '../../pages/account.ts'
import type { SessionPlan } from '../../plan/plan.ts'

/** Returns the sections of the account page, with their texts. */
export function accountSections(
  { plugins }: SessionPlan,
  texts: Texts,
  base: string,
): readonly AccountSectionLink[] {
  return (plugins?.sections ?? []).map(({ path, label, about, icon, texts: own }) => {
    const { text } = texts.with(own)
    return { href: `${base}/${path}`, label: text(label), about: text(about), icon }
  })
}
