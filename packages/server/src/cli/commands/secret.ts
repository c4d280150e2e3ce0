import { Command } from 'commander'
import { freshSecret } from '../../secret-rules.ts'

export function secretCommand(): Command {
  return new Command('secret')
    .description('Print a new secret: 32 random bytes, base64url.')
    .addHelpText(
      'after',
      `
Examples:
  latchkey secret
  AUTH_SECRET=$(latchkey secret) latchkey serve`,
    )
    .action(() => {
      process.stdout.write(`${freshSecret()}\n`)
    })
}
