import { Command } from 'commander'
import { type StoreFlags, sourcesOf, withStoreFlags } from '../store-flags.ts'

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
  return withStoreFlags(new Command(direction).description(description)).action(
    async (store: StoreFlags) => {
      const { moveTokens } = await import('../move-tokens.ts')
      await moveTokens(direction, sourcesOf(store))
    },
  )
}
