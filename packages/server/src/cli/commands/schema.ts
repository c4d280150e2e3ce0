import { Command, Option } from 'commander'
import { CONFIG_FLAG } from '../config-flag.ts'

interface Flags {
  dialect: 'postgres' | 'mysql' | 'mariadb' | 'sqlite' | 'mssql'
  naming?: string
  records?: true
  config?: string
}

export function schemaCommand(): Command {
  return new Command('schema')
    .description('Print the tables as SQL, to read or to run. No database is opened.')
    .addOption(
      new Option('--dialect <name>', 'which database')
        .choices(['postgres', 'mysql', 'mariadb', 'sqlite', 'mssql'])
        .default('sqlite'),
    )
    .option('--naming <layout>', 'names of tables and columns (DATABASE_NAMING)')
    .option('--records', 'include the table in which plugins store records (DATABASE_RECORDS)')
    .option(...CONFIG_FLAG)
    .addHelpText(
      'after',
      `
Examples:
  latchkey schema --dialect postgres > schema.sql
  latchkey schema --dialect mariadb --naming prisma`,
    )
    .action(async ({ dialect, naming, records, config }: Flags) => {
      const { printTables } = await import('../migrate-tables.ts')
      const flags = { databaseNaming: naming, databaseRecords: records && 'true' }
      await printTables(dialect, { flags, env: process.env, directory: process.cwd(), config })
    })
}
