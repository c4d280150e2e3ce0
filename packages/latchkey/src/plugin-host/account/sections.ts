import type { Texts } from '../../base/texts/texts.ts'
import type { AccountSectionLink } from '../../pages/account.ts'
import type { SessionPlan } from '../../plan/plan.ts'
import type { AccountSection } from '../../plugin/hooks.ts'

/** Returns the sections of the account page, with their texts. */
export function accountSections(
  { plugins, providerConfigs }: SessionPlan,
  texts: Texts,
  base: string,
): readonly AccountSectionLink[] {
  const isShown = ({ needsProvider }: AccountSection): boolean =>
    !needsProvider || providerConfigs.some(({ type }) => needsProvider.includes(type))
  return (plugins?.sections ?? [])
    .filter(isShown)
    .map(({ path, label, about, icon, texts: own }) => {
      const { text } = texts.with(own)
      return { href: `${base}/${path}`, label: text(label), about: text(about), icon }
    })
}
