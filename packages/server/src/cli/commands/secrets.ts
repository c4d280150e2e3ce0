import { Command } from 'commander'
import { CONFIG_FLAG } from '../config-flag.ts'

interface Flags {
  database?: string
  naming?: string
  config?: string
}

/** Returns the command for `latchkey secrets reseal`. */
export function secretsCommand(): Command {
  return new Command('secrets')
    .description('Move what is stored to another secret.')
    .helpCommand(false)
    .addCommand(
      new Command('reseal')
        .description('Seal stored passwords, tokens and keys with the first secret.')
        .option(
          '--database <url>',
          'URL of the database, such as postgres://… or file:./data.db (DATABASE_URL)',
        )
        .option('--naming <layout>', 'names of tables and columns (DATABASE_NAMING)')
        .option(...CONFIG_FLAG)
        .helpOption('-h, --help', 'print this help')
        .allowExcessArguments(false)
        .addHelpText(
          'after',
          `
Run it with the secrets and the database of the service, after all instances have the new secret,
and before the old one is removed. Instances may keep running. If the command is interrupted, run
it again to continue.

It prints how many values were sealed anew, how many had the first secret already, and how many no
configured secret opens. Exit code 1 if there are any of the last kind.

Examples:
  latchkey secrets reseal
  AUTH_SECRET_1=$NEW AUTH_SECRET=$OLD latchkey secrets reseal --database postgres://…`,
        )
        .action(async ({ database, naming, config }: Flags) => {
          const { resealRecords } = await import('../reseal-records.ts')
          const flags = { database, databaseNaming: naming }
          await resealRecords({ flags, env: process.env, directory: process.cwd(), config })
        }),
    )
}
