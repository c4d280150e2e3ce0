import { Command } from 'commander'
import { type StoreFlags, sourcesOf, withStoreFlags } from '../store-flags.ts'

interface LinkFlags extends StoreFlags {
  readonly print?: true
}

const PRINT = ['--print', 'print the link instead of mailing it'] as const

/** Returns the commands that begin with `latchkey users`. */
export function usersCommand(): Command {
  return new Command('users')
    .description('Create users, and help those who cannot help themselves.')
    .helpCommand(false)
    .addCommand(
      withStoreFlags(
        new Command('create')
          .description('Create a user, who chooses a password with a link.')
          .argument('<address>', 'email address of the user')
          .option('--name <name>', 'name of the user')
          .option(...PRINT),
      )
        .addHelpText(
          'after',
          `
It mails the link, which works for seven days and proves the address. Use it where people cannot
sign up themselves (LATCHKEY_SIGN_UP=closed). It needs the address of the service (AUTH_URL).

Example:
  latchkey users create ada@example.com --name "Ada Lovelace"`,
        )
        .action(
          async (
            address: string,
            { name, print, ...store }: LinkFlags & { readonly name?: string },
          ) => {
            const { createUser } = await import('../password-links.ts')
            await createUser(address, { print, name }, sourcesOf(store))
          },
        ),
    )
    .addCommand(
      withStoreFlags(
        new Command('send-reset')
          .description('Mail a user a link to choose a new password.')
          .argument('<user>', 'id of the user, or the address')
          .option(...PRINT),
      )
        .addHelpText(
          'after',
          `
The link works for 30 minutes. The password of now stays until the link is used; then all sessions
end. Second factors stay. It needs the address of the service (AUTH_URL).

Example:
  latchkey users send-reset ada@example.com`,
        )
        .action(async (user: string, { print, ...store }: LinkFlags) => {
          const { sendReset } = await import('../password-links.ts')
          await sendReset(user, { print }, sourcesOf(store))
        }),
    )
    .addCommand(
      withStoreFlags(
        new Command('unlock')
          .description('Let a user in again who is refused after wrong attempts.')
          .argument('<user>', 'id of the user, or the address'),
      )
        .addHelpText(
          'after',
          `
It forgets the attempts of the user, the address and the user name at all actions, from all networks
and browsers, and the wrong ones in a row that disabled a password or a second factor. Limits of
networks stay. Running instances may refuse attempts for up to a minute longer.

Example:
  latchkey users unlock ada@example.com`,
        )
        .action(async (user: string, store: StoreFlags) => {
          const { unlockUser } = await import('../unlock-user.ts')
          await unlockUser(user, sourcesOf(store))
        }),
    )
    .addCommand(
      withStoreFlags(
        new Command('reset-two-factor')
          .description('Remove the second factors of a user who lost them.')
          .argument('<user>', 'id of the user, or the address'),
      )
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
        .action(async (user: string, store: StoreFlags) => {
          const { resetTwoFactor } = await import('../reset-two-factor.ts')
          await resetTwoFactor(user, sourcesOf(store))
        }),
    )
}
