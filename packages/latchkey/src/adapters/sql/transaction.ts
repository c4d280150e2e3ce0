import type { AnyDatabase } from './dialect.ts'

/**
 * Runs `work` in a transaction.
 *
 * @throws the error of `work`, also if the rollback fails: a database without free space has already rolled back, and
 *   reports only that there is no transaction.
 */
export async function inTransaction<Result>(
  db: AnyDatabase,
  work: (transaction: AnyDatabase) => Promise<Result>,
): Promise<Result> {
  let failure: { readonly error: unknown } | undefined
  try {
    return await db.transaction().execute(async (transaction) => {
      try {
        return await work(transaction)
      } catch (error) {
        failure = { error }
        throw error
      }
    })
  } catch (error) {
    throw failure ? failure.error : error
  }
}
