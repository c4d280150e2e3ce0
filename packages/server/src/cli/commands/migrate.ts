import { Command } from 'commander'
import { CONFIG_FLAG } from '../config-flag.ts'

interface Flags {
  check?: true
  database?: string
  naming?: string
  records?: true
  config?: string
}

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Create the tables, or update them.')
    .option(
      '--check',
      'list what does not fit, with the statement that fixes it, and change nothing; exit code 1 if there is anything',
    )
    .option(
      '--database <url>',
      'URL of the database, such as postgres://… or file:./data.db (DATABASE_URL)',
    )
    .option('--naming <layout>', 'names of tables and columns (DATABASE_NAMING)')
    .option('--records', 'include the table in which plugins store records (DATABASE_RECORDS)')
    .option(...CONFIG_FLAG)
    .addHelpText(
      'after',
      `
Examples:
  latchkey migrate                              the embedded database
  latchkey migrate --database file:./data.db
  latchkey migrate --check && latchkey serve
  latchkey migrate --check --database postgres://… --naming pg`,
    )
    .action(async ({ check, database, naming, records, config }: Flags) => {
      const tables = await import('../migrate-tables.ts')
      const flags = { database, databaseNaming: naming, databaseRecords: records && 'true' }
      const sources = { flags, env: process.env, directory: process.cwd(), config }
      await (check ? tables.checkTables(sources) : tables.migrateTables(sources))
    })
}
