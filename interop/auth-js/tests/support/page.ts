import type { Departure, Harmless } from './expectations.ts'
import type { Flow } from './flows.ts'
import type { StoreKind } from './stores.ts'

export interface Page {
  readonly stores: readonly StoreKind[]
  readonly flows: readonly Flow[]
  readonly harmless: readonly Harmless[]
  /** What came of a flow. */
  readonly outcomeOf: (packageName: string, strategy: string, flow: Flow) => string
  readonly departureOf: (packageName: string, name: string) => Departure | undefined
}

/** The page of the docs that says which flow works with which adapter. */
export function adaptersPage({ stores, flows, harmless, outcomeOf, departureOf }: Page): string {
  const short = (name: string) => name.replace(/^@auth\/(.+)-adapter$/, '$1')
  const cell = ({ packageName }: StoreKind, flow: Flow): string => {
    const outcomes = flow.strategies.map((strategy) => outcomeOf(packageName, strategy, flow))
    if (outcomes.every((outcome) => outcome === 'works')) return 'works'
    if (outcomes.every((outcome) => outcome === 'refused at start')) return 'refused'
    if (outcomes.every((outcome) => outcome !== 'works')) return '**no**'
    const failing = flow.strategies.filter((_, at) => outcomes[at] !== 'works')
    return `**not with ${failing.join()}**`
  }
  const reasons = stores.map(({ packageName }) => {
    const lines = flows.flatMap((flow) =>
      flow.strategies.flatMap((strategy) => {
        const outcome = outcomeOf(packageName, strategy, flow)
        const because = departureOf(packageName, `${strategy}: ${flow.name}`)?.because
        return outcome === 'works' ? [] : [`- ${flow.name}: ${outcome}. ${because ?? ''}`]
      }),
    )
    return { packageName, lines: [...new Set(lines)] }
  })

  return `# Adapters of Auth.js

Adapters that were written for Auth.js go on to work, unchanged: Latchkey calls the same methods with the same arguments. What
each of them can do with each flow is tried in this repository, with the package as it is published, over a real store; this page
is made by those tests. To make it anew after a change:

\`\`\`sh
npm run interop
\`\`\`

Latchkey writes session tokens of 47 characters, so the column of the token must hold texts of that length: not \`uuid\`, for example.

_Refused_ means that the configuration is refused when the first request comes, with an error that names the missing methods.

| package | version | tried over |
| --- | --- | --- |
${stores.map(({ packageName, version, over }) => `| \`${packageName}\` | ${version} | ${over} |`).join('\n')}

Not tried: the adapter for SurrealDB, whose published version speaks to a server through a driver of 2023, while only today's
engine can be had here; and those whose stores cannot run here (MongoDB, Neo4j, Firestore, Hasura, Dgraph, EdgeDB, Supabase, Xata,
Fauna).

## Flows

With stored sessions and with JWTs, where both make sense.

| | ${stores.map(({ packageName }) => short(packageName)).join(' | ')} |
| --- | ${stores.map(() => '---').join(' | ')} |
${flows.map((flow) => `| ${flow.name} | ${stores.map((store) => cell(store, flow)).join(' | ')} |`).join('\n')}

## What does not work, and why

${reasons
  .filter(({ lines }) => lines.length > 0)
  .map(({ packageName, lines }) => `### ${packageName}\n\n${lines.join('\n')}`)
  .join('\n\n')}

What belongs together is done in turn within one process, whatever the adapter: the uses of a link, the first sign-ins of a person.
Our own adapters do each in one step of the store, which holds among several processes, too.

## What makes no difference

Each is as it says in the version above, and the flow works all the same.

| package | what is unusual | flow |
| --- | --- | --- |
${harmless.map(({ packageName, fault, flow }) => `| \`${packageName}\` | ${fault} | ${flow} |`).join('\n')}
`
}
