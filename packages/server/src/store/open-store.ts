import { splitAdapter } from 'latchkey/adapters/split'
import { sqlAdapter } from 'latchkey/adapters/sql'
import type { Log } from '../observe/log.ts'
import type { Settings } from '../settings.ts'
import { UserError } from '../user-error.ts'
import { openDatabase } from './database.ts'
import { askedLately, tryWriting } from './probe.ts'
import type { Database, Store } from './store.ts'

/**
 * Opens the database and ensures that its tables exist. It creates and updates the tables of the embedded database, and
 * in development those of every database. In production it does not change a configured database: its operator decides
 * when the tables change.
 *
 * @throws {UserError} if the database cannot be used.
 */
export async function openStore(settings: Settings, directory: string, log: Log): Promise<Store> {
  const embedded = settings.database === undefined
  const mayChange = embedded || !settings.production
  const database = await openDatabase(settings, directory, { make: mayChange, log })
  try {
    if (mayChange) await database.migrate()
    else await needCurrent(database)
    const stored = withAdapter(database, settings)
    return settings.redis === undefined
      ? stored
      : await besides(stored, settings.redis, settings, log)
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Returns a database with its adapter, and with a check whether it can be written. */
function withAdapter(database: Database, settings: Settings): Store {
  const { databaseNaming: naming, databaseRecords: records, databaseTimeout: timeout } = settings
  const adapter = sqlAdapter(database.sql, { naming, records })
  const { where, wordFor } = database
  const unwritable = askedLately({ ask: () => tryWriting(adapter), wordFor, timeout })
  return {
    adapter,
    push: database.push,
    where,
    problem: async () => (await database.problem()) ?? unwritable(),
    gone: () => database.gone(),
    close: () => database.close(),
  }
}

/** Adds Redis for data that expires. */
async function besides(
  database: Store,
  url: string,
  { redisPrefix: prefix, databaseTimeout: timeout }: Settings,
  log: Log,
): Promise<Store> {
  const { openRedis } = await import('./engines/redis.ts')
  const redis = await openRedis({ url, prefix, timeout }, log)
  return {
    adapter: splitAdapter({ users: database.adapter, sessions: redis.adapter }),
    push: redis.push,
    where: `${database.where}, sessions in ${redis.where}`,
    async problem() {
      const [first, second] = await Promise.all([database.problem(), redis.problem()])
      return first ?? second
    },
    gone: database.gone,
    async close() {
      await redis.close()
      await database.close()
    },
  }
}

async function needCurrent(database: Database): Promise<void> {
  const [first] = await database.findings({ rows: false })
  if (first !== undefined)
    throw new UserError(
      `database: its tables are out of date (${first.problem}); run "latchkey migrate" with the same --database, or, if that does not help, the statements that "latchkey migrate --check" prints`,
    )
}
