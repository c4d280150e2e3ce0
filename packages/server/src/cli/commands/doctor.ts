import { Command } from 'commander'
import { CONFIG_FLAG } from '../config-flag.ts'

interface Flags {
  json?: boolean
  url?: string
  database?: string
  naming?: string
  redis?: string
  config?: string
}

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Check the configuration, the stores and the providers, and change nothing.')
    .option('--json', 'print one JSON object')
    .option('--url <url>', 'public URL of the service (AUTH_URL)')
    .option('--database <url>', 'URL of the database (DATABASE_URL)')
    .option('--naming <layout>', 'names of its tables and columns (DATABASE_NAMING)')
    .option('--redis <url>', 'URL of a Redis server for the sessions (REDIS_URL)')
    .option(...CONFIG_FLAG)
    .addHelpText(
      'after',
      `
Each line says what is wrong, what was compared, and what to do. Run the command on the machine of
the service, with the same environment; the service may be stopped. Exit code 1 if anything is wrong.

Examples:
  latchkey doctor
  latchkey doctor --json
  NODE_ENV=production latchkey doctor && latchkey serve`,
    )
    .action(async ({ json = false, config, naming: databaseNaming, ...others }: Flags) => {
      const { printFindings } = await import('../doctor/print.ts')
      const flags = { ...others, databaseNaming }
      const sources = { flags, env: process.env, directory: process.cwd(), config }
      if (!(await printFindings(sources, json))) process.exitCode = 1
    })
}
