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

You can use adapters of Auth.js unchanged: Latchkey calls the same methods with the same arguments. The tests of this repository try each
flow with each adapter, as published, over a real store, and generate this page. To update it:

\`\`\`sh
npm run interop
\`\`\`

Latchkey writes session tokens of 47 characters, so the column of the token must hold texts of that length: not \`uuid\`, for example.

_Refused_ means that the first request fails with an error that names the missing methods.

| package | version | tried over |
| --- | --- | --- |
${stores.map(({ packageName, version, over }) => `| \`${packageName}\` | ${version} | ${over} |`).join('\n')}

The tests do not try the adapter for SurrealDB, whose published version needs a driver of 2023 that does not work with the current
engine, nor those whose stores cannot run in the tests (MongoDB, Neo4j, Firestore, Hasura, Dgraph, EdgeDB, Supabase, Xata, Fauna).

## Flows

Each flow is tried with stored sessions and with JWTs, if it can use both.

| | ${stores.map(({ packageName }) => short(packageName)).join(' | ')} |
| --- | ${stores.map(() => '---').join(' | ')} |
${flows.map((flow) => `| ${flow.name} | ${stores.map((store) => cell(store, flow)).join(' | ')} |`).join('\n')}

## What does not work, and why

${reasons
  .filter(({ lines }) => lines.length > 0)
  .map(({ packageName, lines }) => `### ${packageName}\n\n${lines.join('\n')}`)
  .join('\n\n')}

With every adapter, one process handles the uses of one link, and the first sign-ins of one person, one after the other. The adapters of
Latchkey do each in one step of the store, so the same is true for several processes.

## What makes no difference

These adapters behave in an unusual way in the version above, but the flow works.

| package | what is unusual | flow |
| --- | --- | --- |
${harmless.map(({ packageName, fault, flow }) => `| \`${packageName}\` | ${fault} | ${flow} |`).join('\n')}
`
}
