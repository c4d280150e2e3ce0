import { describeFigure, figure } from './figure.ts'
import type { Edge, Machine } from './flows.ts'

const TITLES: Readonly<Record<Machine, string>> = {
  provider: 'A sign-in with an OAuth or OpenID provider',
  mail: 'A sign-in mail',
  passkey: 'A passkey',
  password: 'Credentials',
  decision: 'After a proof',
  session: 'A session',
}

const machines = Object.keys(TITLES) as Machine[]

/** Returns the figures of the page: the name of each file, and the SVG in it. */
export function flowsFigures(edges: readonly Edge[]): [file: string, svg: string][] {
  return machines.map((machine) => [
    `flows-${machine}.svg`,
    figure(TITLES[machine], edgesOf(machine, edges)),
  ])
}

/** The page of the docs: a figure and a table for each machine. */
export function flowsPage(edges: readonly Edge[]): string {
  const sections = machines.map((machine) => {
    const own = edgesOf(machine, edges)
    return `## ${TITLES[machine]}

![${describeFigure(own)}](flows-${machine}.svg)

| from | what happens | | to | the visitor sees | events |
| --- | --- | --- | --- | --- | --- |
${own.map(row).join('\n')}`
  })
  return `# Flows

Every state of a sign-in and of a session, and what leads from one to another. Of several lines with the same beginning the first
counts whose condition holds. This page is made from the model in \`packages/latchkey/tests/model/flows.ts\`; a test walks along it
at random, with several browsers and a clock that moves, and compares answers, cookies, events and store with it at each step.

\`\`\`sh
npm run flows                # makes this page and its figures anew
WALK_SEED=7 npm run flows    # walks another way
\`\`\`

"Proven" goes on at [after a proof](#after-a-proof). "The target" is where the visitor wanted to go.

${sections.join('\n\n')}
`
}

function edgesOf(machine: Machine, edges: readonly Edge[]): Edge[] {
  return edges.filter((edge) => edge.machine === machine)
}

function row({ from, on, when, to, answer, events = [] }: Edge): string {
  return `| ${[from, on, when ?? '', to, answer ?? '', events.join(', ')].join(' | ')} |`
}
