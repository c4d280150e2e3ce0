import { sql } from 'kysely'
import type { AnyDatabase, SqlDialect } from './dialect.ts'

let count = 0

/**
 * Runs `work` as a part of a transaction. If it fails, only this part is undone, and the caller may catch the error and
 * commit.
 *
 * @throws the error of `work`.
 */
export async function inSavepoint<Result>(
  transaction: AnyDatabase,
  { family }: SqlDialect,
  work: () => Promise<Result>,
): Promise<Result> {
  // In MySQL, a second savepoint with the same name would replace the first.
  const name = `latchkey_${++count}`
  const [set, undo, release] =
    family === 'mssql'
      ? [`SAVE TRANSACTION ${name}`, `ROLLBACK TRANSACTION ${name}`]
      : [`SAVEPOINT ${name}`, `ROLLBACK TO SAVEPOINT ${name}`, `RELEASE SAVEPOINT ${name}`]
  const run = (text: string) => sql.raw(text).execute(transaction)
  await run(set)
  let result: Result
  try {
    result = await work()
  } catch (error) {
    // If the savepoint is gone, the transaction is, too, for example after a deadlock.
    await run(undo).catch(() => undefined)
    throw error
  }
  if (release) await run(release)
  return result
}
