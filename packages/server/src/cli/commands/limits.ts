import { Command } from 'commander'
import { CONFIG_FLAG } from '../config-flag.ts'

interface Flags {
  identifier?: string
  user?: string
  address?: string
  database?: string
  naming?: string
  config?: string
}

/** Returns the command for `latchkey limits reset`. */
export function limitsCommand(): Command {
  return new Command('limits')
    .description('Show or change what the limits of attempts have counted.')
    .helpCommand(false)
    .addCommand(
      new Command('reset')
        .description(
          'Forget the attempts at an action, so that somebody who was refused can go on.',
        )
        .argument('<action>', 'name of the action, for example password.sign-in')
        .option('--identifier <name>', 'address or name that was typed')
        .option('--user <id>', 'id of a user')
        .option('--address <ip>', 'address of a client')
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
Without --identifier, --user and --address, it forgets the limit of the whole site. Instances that
run may refuse attempts for up to a minute longer. It does not enable a password again that was
disabled after too many wrong ones: a reset of the password does.

Examples:
  latchkey limits reset password.sign-in --identifier ada@example.com
  latchkey limits reset password.sign-in --address 203.0.113.7`,
        )
        .action(
          async (
            action: string,
            { identifier, user, address, database, naming, config }: Flags,
          ) => {
            const { resetLimit } = await import('../reset-limit.ts')
            const flags = { database, databaseNaming: naming }
            const sources = { flags, env: process.env, directory: process.cwd(), config }
            await resetLimit(action, { identifier, userId: user, address }, sources)
          },
        ),
    )
}
