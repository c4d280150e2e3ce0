/**
 * How fast it is beside its peer and beside what any implementation must do. See README.md.
 *
 *     npm run bench [-- --quick] [-- --write] [-- --only text] [-- --before commit]
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { treeAt } from './before.ts'
import type { Case, Row } from './measure.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    before: { type: 'string' },
  },
})

if (process.env['BENCH_PINNED']) await main()
else process.exitCode = pinned()

/** Runs this file again on one processor, with the collector at hand. */
function pinned(): number {
  const build = fileURLToPath(new URL('../tools/build.ts', import.meta.url))
  if (spawnSync(process.execPath, [build], { stdio: 'inherit' }).status !== 0) return 1
  const before = values.before === undefined ? undefined : treeAt(values.before)
  const hooks = fileURLToPath(new URL('earlier-peer.ts', import.meta.url))
  const node = [
    process.execPath,
    '--expose-gc',
    '--disable-warning=ExperimentalWarning',
    ...(before ? ['--import', hooks] : []),
  ]
  const self = [...node, fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const taskset = existsSync('/usr/bin/taskset')
    ? ['/usr/bin/taskset', '--cpu-list', String(availableParallelism() - 1)]
    : []
  const [command = '', ...args] = [...taskset, ...self]
  if (taskset.length === 0) console.log('Not pinned to one processor: there is no taskset here.')
  const env = {
    ...process.env,
    BENCH_PINNED: '1',
    NODE_ENV: 'production',
    ...(before && { BENCH_BEFORE: before.folder }),
  }
  try {
    return spawnSync(command, args, { stdio: 'inherit', env }).status ?? 1
  } finally {
    before?.close()
  }
}

async function main(): Promise<void> {
  const { measure } = await import('./measure.ts')
  const { met, table, writeReadme } = await import('./report.ts')
  const { actions } = await import('./cases/actions.ts')
  const { byHand } = await import('./cases/by-hand.ts')
  const { oidc } = await import('./cases/oidc.ts')
  const { accountCases } = await import('./cases/accounts.ts')
  const { passwordCases } = await import('./cases/passwords.ts')
  const { plugins } = await import('./cases/plugins.ts')
  const { revocations } = await import('./cases/revocations.ts')
  const { sessionJwt } = await import('./cases/session-jwt.ts')
  const { sessionPostgres } = await import('./cases/session-postgres.ts')
  const { sessionSqlite } = await import('./cases/session-sqlite.ts')
  const { tokenCases } = await import('./cases/tokens.ts')

  const effort = values.quick
    ? { rounds: 9, slice: 5, warmUp: 150 }
    : { rounds: 41, slice: 12, warmUp: 3000 }
  const measured = async (name: string, each: Case): Promise<Row | undefined> => {
    try {
      const compared = values.before === undefined ? each : besideEarlier(each)
      return compared && (await measure(name, compared, effort))
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
    ...accountCases,
    ...passwordCases,
    ...oidc,
    ...byHand,
  ]
  for (const [name, prepare] of planned) {
    if (!name.includes(values.only)) continue
    const each = await prepare()
    const row = await measured(name, each)
    if (!row) continue
    rows.push(row)
    const times = row.timesAsFast ? `${row.timesAsFast.median.toFixed(1)} times as fast` : ''
    console.log(`${met(row) ? '      ' : 'missed'} ${row.name}: ${times}`)
  }
  if (values.before === undefined) await further(rows)
  console.log(`\n${table(rows)}`)
  if (values.write) writeReadme(rows)
}

/** Without what is asked beside the real peer, and without the limit, which reads what that peer wrote. */
function besideEarlier({ ours, peer, clock = 'wall', longer = 1 }: Case): Case | undefined {
  return peer && { ours, peer, clock, longer }
}

/** What is measured in processes of their own. */
async function further(rows: Row[]): Promise<void> {
  const { accountsColdStart, coldStart, edgeStart, firstSignIns, pluginsColdStart } = await import(
    './cold-start.ts'
  )
  const { typesCost } = await import('./types-cost.ts')
  if ('by hand: cold start'.includes(values.only))
    rows.push(...(await coldStart(values.quick ? 5 : 21)))
  if ('cold start: the edge bundle evaluated'.includes(values.only))
    rows.push(await edgeStart(values.quick ? 9 : 41))
  if ('OpenID Connect sign-in, the first 100 of a process'.includes(values.only))
    rows.push(...firstSignIns(values.quick ? 3 : 9))
  if ('cold start: three plugins'.includes(values.only))
    rows.push(await pluginsColdStart(values.quick ? 9 : 41))
  if ('cold start: all plugins of accounts (ACC-20)'.includes(values.only))
    rows.push(await accountsColdStart(values.quick ? 9 : 41))
  if ('types: all'.includes(values.only)) rows.push(...typesCost(values.quick ? 3 : 9))
}
