import type { ConformanceCase, Plan } from './cases.ts'

const PLANS: readonly Plan[] = ['Basic', 'Config', 'Form-post']

/** The page of the docs that says what was tried, and what came of it. */
export function conformancePage(
  cases: readonly ConformanceCase[],
  outcomeOf: (plan: Plan, each: ConformanceCase) => string | undefined,
): string {
  const groups = [...new Set(cases.map(({ group }) => group))]
  const sections = groups.map((group) => {
    const rows = cases
      .filter((each) => each.group === group)
      .map((each) => {
        const cells = PLANS.map((plan) =>
          each.plans.includes(plan) ? (outcomeOf(plan, each) ?? 'not run') : '–',
        )
        return `| ${each.name} | ${cells.join(' | ')} |`
      })
    return [
      `## ${capital(group)}`,
      '',
      `| the provider sends | ${PLANS.join(' | ')} |`,
      '| --- | --- | --- | --- |',
      ...rows,
    ].join('\n')
  })
  return `# Conformance as a relying party

What Latchkey does with OpenID providers that behave, and with such that do not: the cases follow the relying-party plans of the
OpenID Foundation. This page is made by the tests, which run every case in this repository against a simulated provider; it is
no certificate, and the foundation's own suite has not been run yet. To make it anew after a change:

\`\`\`sh
npm run conformance
\`\`\`

Not part of it, since they have tests of their own: RP-initiated and back-channel logout, refresh tokens, FAPI 2.0.

${sections.join('\n\n')}
`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
