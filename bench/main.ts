/**
 * How fast it is beside its peer and beside what any implementation must do. See README.md.
 *
 *     npm run bench [-- --quick] [-- --write] [-- --only text]
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Case, Row } from './measure.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
})

if (process.env['BENCH_PINNED']) await main()
else process.exitCode = pinned()

/** Runs this file again on one processor, with the collector at hand. */
function pinned(): number {
  const build = fileURLToPath(new URL('../tools/build.ts', import.meta.url))
  if (spawnSync(process.execPath, [build], { stdio: 'inherit' }).status !== 0) return 1
  const node = [process.execPath, '--expose-gc', '--disable-warning=ExperimentalWarning']
  const self = [...node, fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const taskset = existsSync('/usr/bin/taskset')
    ? ['/usr/bin/taskset', '--cpu-list', String(availableParallelism() - 1)]
    : []
  const [command = '', ...args] = [...taskset, ...self]
  if (taskset.length === 0) console.log('Not pinned to one processor: there is no taskset here.')
  const env = { ...process.env, BENCH_PINNED: '1', NODE_ENV: 'production' }
  return spawnSync(command, args, { stdio: 'inherit', env }).status ?? 1
}

async function main(): Promise<void> {
  const { measure } = await import('./measure.ts')
  const { met, table, writeReadme } = await import('./report.ts')
  const { coldStart, edgeStart, firstSignIns, pluginsColdStart } = await import('./cold-start.ts')
  const { typesCost } = await import('./types-cost.ts')
  const { actions } = await import('./cases/actions.ts')
  const { byHand } = await import('./cases/by-hand.ts')
  const { oidc } = await import('./cases/oidc.ts')
  const { plugins } = await import('./cases/plugins.ts')
  const { revocations } = await import('./cases/revocations.ts')
  const { sessionJwt } = await import('./cases/session-jwt.ts')
  const { sessionPostgres } = await import('./cases/session-postgres.ts')
  const { sessionSqlite } = await import('./cases/session-sqlite.ts')
  const { tokenCases } = await import('./cases/tokens.ts')

  const effort = values.quick
    ? { rounds: 9, slice: 5, warmUp: 150 }
    : { rounds: 41, slice: 12, warmUp: 3000 }
  const measured = async (name: string, each: Case): Promise<Row> => {
    try {
      return await measure(name, each, effort)
    } finally {
      await each.close?.()
    }
  }
  const rows: Row[] = []
  const planned = [
    ...sessionJwt,
    ...plugins,
    ...revocations,
    ...tokenCases,
    ...sessionSqlite,
    ...sessionPostgres,
    ...actions,
    ...oidc,
    ...byHand,
  ]
  for (const [name, prepare] of planned) {
    if (!name.includes(values.only)) continue
    const each = await prepare()
    const row = await measured(name, each)
    rows.push(row)
    const times = row.timesAsFast ? `${row.timesAsFast.median.toFixed(1)} times as fast` : ''
    console.log(`${met(row) ? '      ' : 'missed'} ${row.name}: ${times}`)
  }
  if ('by hand: cold start'.includes(values.only))
    rows.push(...(await coldStart(values.quick ? 5 : 21)))
  if ('cold start: the edge bundle evaluated'.includes(values.only))
    rows.push(await edgeStart(values.quick ? 9 : 41))
  if ('OpenID Connect sign-in, the first 100 of a process'.includes(values.only))
    rows.push(...firstSignIns(values.quick ? 3 : 9))
  if ('cold start: three plugins'.includes(values.only))
    rows.push(await pluginsColdStart(values.quick ? 9 : 41))
  if ('types: all'.includes(values.only)) rows.push(...typesCost(values.quick ? 3 : 9))
  console.log(`\n${table(rows)}`)
  if (values.write) writeReadme(rows)
}
