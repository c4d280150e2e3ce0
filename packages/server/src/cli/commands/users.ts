import { Command } from 'commander'
import { CONFIG_FLAG } from '../config-flag.ts'

interface Flags {
  database?: string
  naming?: string
  config?: string
}

/** Returns the command for `latchkey users reset-two-factor`. */
export function usersCommand(): Command {
  return new Command('users')
    .description('Help users who cannot help themselves.')
    .helpCommand(false)
    .addCommand(
      new Command('reset-two-factor')
        .description('Remove the second factors of a user who lost them.')
        .argument('<user>', 'id of the user, or the address')
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
Make sure first that it is the owner of the account who asks, for example in a call to a number
that you know. It removes authenticator apps, recovery codes and trusted browsers, and ends all
sessions. Passkeys stay. The next sign-in leads to the page that sets up a new second factor.

Examples:
  latchkey users reset-two-factor 5f0c1b1e-6f0e-4a1c-9d3e-0c8f4b2f7a11
  latchkey users reset-two-factor ada@example.com`,
        )
        .action(async (user: string, { database, naming, config }: Flags) => {
          const { resetTwoFactor } = await import('../reset-two-factor.ts')
          const flags = { database, databaseNaming: naming }
          await resetTwoFactor(user, {
            flags,
            env: process.env,
            directory: process.cwd(),
            config,
          })
        }),
    )
}
