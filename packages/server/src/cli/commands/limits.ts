import { Command } from 'commander'
import { type StoreFlags, sourcesOf, withStoreFlags } from '../store-flags.ts'

interface Flags extends StoreFlags {
  readonly identifier?: string
  readonly user?: string
  readonly address?: string
}

/** Returns the command for `latchkey limits reset`. */
export function limitsCommand(): Command {
  return new Command('limits')
    .description('Show or change what the limits of attempts have counted.')
    .helpCommand(false)
    .addCommand(
      withStoreFlags(
        new Command('reset')
          .description(
            'Forget the attempts at an action, so that somebody who was refused can go on.',
          )
          .argument('<action>', 'name of the action, for example password.sign-in')
          .option('--identifier <name>', 'address or name that was typed')
          .option('--user <id>', 'id of a user')
          .option('--address <ip>', 'address of a client'),
      )
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
        .action(async (action: string, { identifier, user, address, ...store }: Flags) => {
          const { resetLimit } = await import('../reset-limit.ts')
          await resetLimit(action, { identifier, userId: user, address }, sourcesOf(store))
        }),
    )
}
