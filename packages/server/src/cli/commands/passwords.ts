import { Command, InvalidArgumentError } from 'commander'

interface Flags {
  target: number
  memory: number
}

/** Returns the command for `latchkey passwords calibrate`. */
export function passwordsCommand(): Command {
  return new Command('passwords')
    .description('Measure how strong password hashes can be on this machine.')
    .helpCommand(false)
    .addCommand(calibrateCommand())
}

function calibrateCommand(): Command {
  return new Command('calibrate')
    .description('Print the strongest options for password hashes that are fast enough here.')
    .option('--target <milliseconds>', 'time that one hash may take', whole, 250)
    .option('--memory <MiB>', 'the most memory of one hash', whole, 64)
    .helpOption('-h, --help', 'print this help')
    .allowExcessArguments(false)
    .addHelpText(
      'after',
      `
Run it on the machine of the service while it is idle. All instances must have the same options:
with others, they would hash each password again in turn.

Examples:
  latchkey passwords calibrate
  latchkey passwords calibrate --target 100 --memory 32`,
    )
    .action(async (flags: Flags) => {
      const { printCalibration } = await import('../calibrate-passwords.ts')
      await printCalibration(flags)
    })
}

function whole(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}
