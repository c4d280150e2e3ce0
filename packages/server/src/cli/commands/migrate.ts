import { Command, Option } from 'commander'

interface Flags {
  print?: true
  check?: true
  database?: string
  config?: string
}

/** `latchkey migrate` */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Make the tables, or bring them up to date.')
    .addOption(
      new Option('--print', 'print the tables as SQL and change nothing').conflicts('check'),
    )
    .option('--check', 'say what is missing and change nothing; exit code 1 if anything is')
    .option('--database <url>', 'the database, such as file:./data.db (DATABASE_URL)')
    .option(
      '-c, --config <file>',
      'configuration file (default: latchkey.config.ts, .mts, .js, .mjs or .json here)',
    )
    .addHelpText(
      'after',
      `
Examples:
  latchkey migrate                              the embedded database
  latchkey migrate --database file:./data.db
  latchkey migrate --check && latchkey serve
  latchkey migrate --print > schema.sql`,
    )
    .action(async ({ print, check, database, config }: Flags) => {
      const tables = await import('../migrate-tables.ts')
      if (print) return tables.printTables()
      const sources = { flags: { database }, env: process.env, directory: process.cwd(), config }
      await (check ? tables.checkTables(sources) : tables.migrateTables(sources))
    })
}
