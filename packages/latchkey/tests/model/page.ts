import type { Edge, Machine } from './flows.ts'

const TITLES: Readonly<Record<Machine, string>> = {
  provider: 'A sign-in with an OAuth or OpenID provider',
  mail: 'A sign-in mail',
  passkey: 'A passkey',
  password: 'Credentials',
  decision: 'After a proof',
  session: 'A session',
}

/** The page of the docs: a diagram and a table for each machine. */
export function flowsPage(edges: readonly Edge[]): string {
  const machines = Object.keys(TITLES) as Machine[]
  const sections = machines.map((machine) => {
    const own = edges.filter((edge) => edge.machine === machine)
    return `## ${TITLES[machine]}

\`\`\`mermaid
stateDiagram-v2
${diagram(own)}
\`\`\`

| from | what happens | | to | the visitor sees | events |
| --- | --- | --- | --- | --- | --- |
${own.map(row).join('\n')}`
  })
  return `# Flows

Every state of a sign-in and of a session, and what leads from one to another. Of several lines with the same beginning the first
counts whose condition holds. This page is made from the model in \`packages/latchkey/tests/model/flows.ts\`; a test walks along it
at random, with several browsers and a clock that moves, and compares answers, cookies, events and store with it at each step.

\`\`\`sh
npm run flows                # makes this page anew
WALK_SEED=7 npm run flows    # walks another way
\`\`\`

"Proven" goes on at [after a proof](#after-a-proof). "The target" is where the visitor wanted to go.

${sections.join('\n\n')}
`
}

function diagram(edges: readonly Edge[]): string {
  const names = [...new Set(edges.flatMap(({ from, to }) => [from, to]))]
  const id = (name: string): string => `s${names.indexOf(name)}`
  const arrows = new Map<string, Set<string>>()
  for (const { from, on, to } of edges) {
    const arrow = `${id(from)} --> ${id(to)}`
    arrows.set(arrow, (arrows.get(arrow) ?? new Set()).add(on))
  }
  return [
    ...names.map((name) => `  state "${name}" as ${id(name)}`),
    ...[...arrows].map(([arrow, on]) => `  ${arrow}: ${[...on].join(', ')}`),
  ].join('\n')
}

function row({ from, on, when, to, answer, events = [] }: Edge): string {
  return `| ${[from, on, when ?? '', to, answer ?? '', events.join(', ')].join(' | ')} |`
}
