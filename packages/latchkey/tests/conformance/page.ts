import type { ConformanceCase, Plan } from './cases.ts'

const PLANS: readonly Plan[] = ['Basic', 'Config', 'Form-post']

/** Returns the page of the docs with every case and its result. */
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

This page shows how Latchkey responds to OpenID providers that follow the specification and to providers that break it. The cases
follow the relying-party test plans of the OpenID Foundation. The tests of this repository run every case against a simulated provider
and generate this page. It is not a certification: nobody has run the foundation's own suite yet. To update this page:

\`\`\`sh
npm run conformance
\`\`\`

RP-initiated and back-channel logout, refresh tokens and FAPI 2.0 have other tests, which this page does not list.

${sections.join('\n\n')}
`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
