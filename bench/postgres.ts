import pg from 'pg'

/** The server in which a benchmark creates its database. */
export const SERVER: string =
  process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** Runs one statement on the server, such as `CREATE DATABASE`, on a connection of its own. */
export async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
