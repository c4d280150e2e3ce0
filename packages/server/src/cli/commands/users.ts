import { Command } from 'commander'
import { type StoreFlags, sourcesOf, withStoreFlags } from '../store-flags.ts'

/** Returns the command for `latchkey users reset-two-factor`. */
export function usersCommand(): Command {
  return new Command('users')
    .description('Help users who cannot help themselves.')
    .helpCommand(false)
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
