import { describeFigure, figure } from './figure.ts'
import type { Edge, Machine } from './flows.ts'

const TITLES: Readonly<Record<Machine, string>> = {
  provider: 'A sign-in with an OAuth or OpenID provider',
  mail: 'A sign-in by mail',
  passkey: 'A sign-in with a passkey',
  password: 'A sign-in with credentials',
  decision: 'The decision after a proof',
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

| state | trigger | condition | next state | the visitor sees | events |
| --- | --- | --- | --- | --- | --- |
${own.map(row).join('\n')}`
  })
  return `# Flows

The tables list every state of a sign-in and of a session, and every transition. If several rows have the same state and the same
trigger, the first row whose condition is true applies. A row without a condition always applies. This page is generated from the model in
\`packages/latchkey/tests/model/flows.ts\`. A test walks through the model at random, with several browsers and a simulated clock, and
compares responses, cookies, events and the store with the model at each step.

\`\`\`sh
npm run flows                # generates this page and its figures
WALK_SEED=7 npm run flows    # takes another random walk
\`\`\`

After the state "proven", [the decision about the sign-in](#the-decision-after-a-proof) follows. "The target" is the callback URL.

${sections.join('\n\n')}
`
}

function edgesOf(machine: Machine, edges: readonly Edge[]): Edge[] {
  return edges.filter((edge) => edge.machine === machine)
}

function row({ from, on, when, to, answer, events = [] }: Edge): string {
  return `| ${[from, on, when ?? '', to, answer ?? '', events.join(', ')].join(' | ')} |`
}
