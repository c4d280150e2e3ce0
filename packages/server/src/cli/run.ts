import { Command, CommanderError } from 'commander'
import { COMMAND_LINE, firstLine, UserError, withDocs } from '../user-error.ts'
import { doctorCommand } from './commands/doctor.ts'
import { limitsCommand } from './commands/limits.ts'
import { migrateCommand } from './commands/migrate.ts'
import { passwordsCommand } from './commands/passwords.ts'
import { providersCommand } from './commands/providers.ts'
import { schemaCommand } from './commands/schema.ts'
import { secretCommand } from './commands/secret.ts'
import { secretsCommand } from './commands/secrets.ts'
import { serveCommand } from './commands/serve.ts'
import { tokensCommand } from './commands/tokens.ts'
import { usersCommand } from './commands/users.ts'
import { version } from './version.ts'

/** Exit codes of the process. */
const exitCodes = {
  done: 0,
  /** A setting is wrong, or the command failed; standard error says why. */
  failed: 1,
  /** The arguments of the command line are wrong. */
  usage: 2,
} as const

/** Runs a command line and returns its exit code. Errors are printed without a stack trace. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await program().parseAsync(args, { from: 'user' })
    return Number(process.exitCode ?? exitCodes.done)
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
    if (!(error instanceof UserError) && process.env['LOG_LEVEL'] === 'debug') console.error(error)
    else
      for (const line of error instanceof UserError ? error.mistakes.map(withDocs) : [error])
        console.error(`latchkey: ${firstLine(line)}`)
    return exitCodes.failed
  }
}

function program(): Command {
  const root = new Command('latchkey')
    .description('Sign-in and sessions as a service.')
    .version(version(), '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      `
Examples:
  latchkey serve                 start in development on http://localhost:3000
  latchkey secret                print a new secret
  latchkey providers github      print what a provider needs
  latchkey migrate --check       check whether the tables are up to date
  latchkey schema                print the tables as SQL
  latchkey tokens seal           move tokens of providers from columns into sealed records
  latchkey limits reset <action> forget attempts of somebody who was refused
  latchkey secrets reseal        seal stored passwords and tokens with the new secret
  latchkey passwords calibrate   print the strongest options for password hashes
  latchkey users create <address>
                                 create a user, who gets a link to choose a password
  latchkey users send-reset <user>
                                 mail a link to choose a new password
  latchkey users unlock <user>   let a user in again after wrong attempts
  latchkey users reset-two-factor <user>
                                 remove second factors that somebody lost
  latchkey doctor                check the configuration and the stores

If the package is not installed, use npx latchkey-server instead of latchkey.

Exit codes: 0 done, 1 failed, 2 invalid command line.`,
    )
  const commands = [
    serveCommand(),
    secretCommand(),
    providersCommand(),
    migrateCommand(),
    schemaCommand(),
    tokensCommand(),
    limitsCommand(),
    secretsCommand(),
    passwordsCommand(),
    usersCommand(),
    doctorCommand(),
  ]
  for (const command of commands)
    root.addCommand(
      command
        .helpOption('-h, --help', 'print this help')
        .configureOutput(root.configureOutput())
        .allowExcessArguments(false),
    )
  return exitByError(root)
}

/**
 * Makes commander throw for wrong arguments instead of ending the process. The message names the section of the docs.
 */
function exitByError(command: Command): Command {
  command.exitOverride().configureOutput({
    // The suggestion for a misspelled name is on a second line.
    outputError: (text, write) => write(`${inOneLine(text)} (${COMMAND_LINE})\n`),
  })
  for (const child of command.commands) exitByError(child)
  return command
}

/** Joins the lines of a message. */
function inOneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').join(' ')
}
