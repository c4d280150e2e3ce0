import { Command } from 'commander'
import { CONFIG_FLAG } from '../config-flag.ts'

interface Flags {
  database?: string
  naming?: string
  config?: string
}

/** Returns the command for `latchkey tokens seal` and `latchkey tokens restore`. */
export function tokensCommand(): Command {
  return new Command('tokens')
    .description('Move the tokens of providers into sealed records, or back into their columns.')
    .helpCommand(false)
    .addCommand(
      moving('seal', 'Move the tokens in the columns of accounts into sealed records.').addHelpText(
        'after',
        `
Instances may keep running. If the command is interrupted, run it again to continue. Run it with
the secret, the providers and the database of the service.

It prints how many accounts were moved, how many were left because nothing reads their tokens
(their provider is not in the configuration), and how many failed. Exit code 1 if any failed.

Examples:
  latchkey tokens seal
  latchkey tokens seal --database postgres://…`,
      ),
    )
    .addCommand(
      moving(
        'restore',
        'Move sealed tokens back into the columns, for an application that reads them there.',
      ).addHelpText(
        'after',
        `
Stop all instances first: a running instance moves tokens into records again. If the command is
interrupted, run it again to continue. Tokens that are bound to a key stay in the records.

Examples:
  latchkey tokens restore
  latchkey tokens restore --database postgres://…`,
      ),
    )
}

function moving(direction: 'seal' | 'restore', description: string): Command {
  return new Command(direction)
    .description(description)
    .option(
      '--database <url>',
      'URL of the database, such as postgres://… or file:./data.db (DATABASE_URL)',
    )
    .option('--naming <layout>', 'names of tables and columns (DATABASE_NAMING)')
    .option(...CONFIG_FLAG)
    .helpOption('-h, --help', 'print this help')
    .allowExcessArguments(false)
    .action(async ({ database, naming, config }: Flags) => {
      const { moveTokens } = await import('../move-tokens.ts')
      const flags = { database, databaseNaming: naming }
      await moveTokens(direction, { flags, env: process.env, directory: process.cwd(), config })
    })
}
