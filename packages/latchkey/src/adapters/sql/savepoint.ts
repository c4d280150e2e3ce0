import { sql } from 'kysely'
import type { AnyDatabase, SqlDialect } from './dialect.ts'

let count = 0

/**
 * Runs `work` as a part of a transaction that happens as a whole or not at all, whatever becomes of the
 * rest: who catches the failure may go on and commit.
 *
 * @throws what `work` throws.
 */
export async function inSavepoint<Result>(
  transaction: AnyDatabase,
  { family }: SqlDialect,
  work: () => Promise<Result>,
): Promise<Result> {
  // In MySQL a second one of the same name would replace the first.
  const name = `latchkey_${++count}`
  const [set, undo, release] =
    family === 'mssql'
      ? [`SAVE TRANSACTION ${name}`, `ROLLBACK TRANSACTION ${name}`]
      : [`SAVEPOINT ${name}`, `ROLLBACK TO SAVEPOINT ${name}`, `RELEASE SAVEPOINT ${name}`]
  const say = (text: string) => sql.raw(text).execute(transaction)
  await say(set)
  let result: Result
  try {
    result = await work()
  } catch (error) {
    // Where it is gone, so is the transaction: after a deadlock, say.
    await say(undo).catch(() => undefined)
    throw error
  }
  if (release) await say(release)
  return result
}
