import { Command } from 'commander'
import { type StoreFlags, sourcesOf, withStoreFlags } from '../store-flags.ts'

/** Returns the command for `latchkey secrets reseal`. */
export function secretsCommand(): Command {
  return new Command('secrets')
    .description('Move what is stored to another secret.')
    .helpCommand(false)
    .addCommand(
      withStoreFlags(
        new Command('reseal').description(
          'Seal stored passwords, tokens and keys with the first secret.',
        ),
      )
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
        .action(async (store: StoreFlags) => {
          const { resealRecords } = await import('../reseal-records.ts')
          await resealRecords(sourcesOf(store))
        }),
    )
}
