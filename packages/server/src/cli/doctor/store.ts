import { existsSync } from 'node:fs'
import { type Adapter, atomic } from 'latchkey/adapters'
import { splitAdapter } from 'latchkey/adapters/split'
import { type Finding as SchemaFinding, sqlAdapter } from 'latchkey/adapters/sql'
import { openNodeSqlite } from 'latchkey/adapters/sql/node-sqlite'
import type { Push } from 'latchkey/plugins/sessions'
import type { Log } from '../../observe/log.ts'
import type { Settings } from '../../settings.ts'
import { databaseAddress, openDatabase } from '../../store/database.ts'
import { inTime } from '../../store/in-time.ts'
import type { Examination, Found } from './report.ts'

/** The store, and what is known about it. */
export interface ExaminedStore {
  /** Has the methods of the store, even if the store cannot be used. */
  readonly adapter: Adapter
  readonly isUsable: boolean
  readonly push: Push | undefined
  close(): Promise<void>
}

/** Opens the configured stores without changing them. */
export async function checkStore(
  settings: Settings,
  directory: string,
  log: Log,
  examination: Examination,
): Promise<ExaminedStore> {
  const { adapter } = settings.auth
  if (adapter) {
    examination.skip('auth.adapter is set', 'database', 'tables', 'redis', 'redis-eviction')
    return { adapter, isUsable: true, push: undefined, close: async () => {} }
  }
  const database = await openedDatabase(settings, directory, log, examination)
  const redis = await openedRedis(settings, log, examination)
  const { databaseNaming: naming, databaseRecords: records } = settings
  const standIn = database ? undefined : openNodeSqlite(':memory:')
  const sql = database?.sql ?? standIn
  const users = sql ? sqlAdapter(sql, { naming, records }) : {}
  return {
    adapter: redis ? splitAdapter({ users, sessions: redis.adapter }) : users,
    isUsable: database !== undefined && (redis !== undefined || settings.redis === undefined),
    push: redis?.push ?? database?.push,
    async close() {
      await redis?.close()
      await database?.close()
      await standIn?.close()
    },
  }
}

async function openedDatabase(
  settings: Settings,
  directory: string,
  log: Log,
  examination: Examination,
) {
  const address = databaseAddress(settings, directory)
  if (settings.database === undefined && address.engine === 'sqlite' && !existsSync(address.path)) {
    examination.skip('the embedded database is created at the first start', 'database', 'tables')
    return undefined
  }
  const database = await examination.check('database', () =>
    openDatabase(settings, directory, { make: false, log }),
  )
  if (!database) {
    examination.skip('the database cannot be used', 'tables')
    return undefined
  }
  const isComplete = await examination.check('tables', async (found) => {
    const findings = await database.findings()
    for (const finding of findings)
      found({
        level: finding.rows ? 'warning' : 'error',
        seen: finding.problem,
        fix: fixOf(finding),
      })
    return findings.every(({ rows }) => rows)
  })
  if (isComplete) return database
  await database.close()
  return undefined
}

function fixOf({ statement, rows }: SchemaFinding): string {
  if (!statement) return 'create the table again, or name its layout with --naming'
  const inOneLine = statement.replaceAll(/\s+/g, ' ')
  return rows
    ? `run: ${inOneLine}`
    : `run "latchkey migrate", or if that does not help: ${inOneLine}`
}

async function openedRedis(
  { redis: url, redisPrefix: prefix, databaseTimeout: timeout }: Settings,
  log: Log,
  examination: Examination,
) {
  if (url === undefined) {
    examination.skip('no Redis is configured', 'redis', 'redis-eviction')
    return undefined
  }
  const redis = await examination.check('redis', async () => {
    const { openRedis } = await import('../../store/engines/redis.ts')
    return openRedis({ url, prefix, timeout }, log)
  })
  if (!redis) {
    examination.skip('Redis cannot be used', 'redis-eviction')
    return undefined
  }
  await examination.check('redis-eviction', async (found) => {
    const policy = await redis.evictionPolicy()
    if (policy !== 'noeviction')
      found({
        seen: `maxmemory-policy of ${redis.where} must be noeviction, got ${policy}`,
        fix: 'set "maxmemory-policy noeviction" in redis.conf, or run CONFIG SET maxmemory-policy noeviction',
      })
  })
  return redis
}

/** Maximum time in milliseconds until a notification arrives. */
const NOTIFIED = 2000

/** Sends a notification to this process. Other instances receive it too, and check whether a session was ended. */
export async function checkPush(
  push: Push,
  { databaseTimeout: timeout }: Settings,
  found: (finding: Found) => void,
): Promise<void> {
  const lost = (seen: string): void =>
    found({
      seen,
      fix: 'allow this user to listen (PostgreSQL without a pooler that changes connections, Redis with the permission for the channel)',
    })
  const got = Promise.withResolvers<void>()
  let isListening = false
  try {
    const listening = push.listen(() => {
      if (isListening) got.resolve()
    })
    await inTime(listening, timeout)
  } catch (error) {
    return lost(
      `the service cannot listen to notifications (${error instanceof Error ? error.message : 'error'})`,
    )
  }
  isListening = true
  try {
    await push.notify(0)
    await inTime(got.promise, NOTIFIED / 1000)
  } catch {
    lost(`a notification of the service to itself did not arrive within ${NOTIFIED} ms`)
  }
}

/** Number of queries that are measured. */
const TIMES = 5
/** Number of queries that must be answered within the bound. */
const WITHIN_BOUND = 4

/** Compares `revocationBound` with the time in which the store answers. */
export async function checkBound(
  adapter: Adapter,
  { revocationBound: bound }: Settings,
  found: (finding: Found) => void,
): Promise<void> {
  const { getRecord } = adapter[atomic] ?? {}
  const ask = async (): Promise<number> => {
    const before = performance.now()
    await getRecord?.({ kind: 'revocation-log', key: 'doctor' })
    return performance.now() - before
  }
  await ask()
  const times: number[] = []
  for (let time = 0; time < TIMES; time++) times.push(await ask())
  const median = Math.ceil(times.toSorted((one, other) => one - other)[TIMES >> 1] ?? 0)
  const least = median * WITHIN_BOUND
  if (bound >= least) return
  found({
    seen: `revocationBound is ${bound} ms, but ${WITHIN_BOUND} responses of the store take ${least} ms (${median} ms each, median of ${TIMES})`,
    fix: `set LATCHKEY_REVOCATION_BOUND to ${least} or more, or move the store closer to the service`,
  })
}
