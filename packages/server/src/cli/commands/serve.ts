import { Command } from 'commander'
import type { RunningService } from '../../serve.ts'
import { CONFIG_FLAG } from '../config-flag.ts'

interface Flags {
  port?: string
  host?: string
  url?: string
  database?: string
  naming?: string
  records?: true
  redis?: string
  config?: string
}

export function serveCommand(): Command {
  return new Command('serve')
    .description('Start the service, in development unless NODE_ENV is production.')
    .option('-p, --port <number>', 'port to listen on; 0 selects a free port (PORT, default 3000)')
    .option(
      '--host <name>',
      'network interface to listen on (HOST, default localhost in development)',
    )
    .option('--url <url>', 'public URL of the service (AUTH_URL)')
    .option(
      '--database <url>',
      'URL of the database, such as postgres://… or file:./data.db (DATABASE_URL)',
    )
    .option('--naming <layout>', 'names of its tables and columns (DATABASE_NAMING)')
    .option('--records', 'include the table in which plugins store records (DATABASE_RECORDS)')
    .option('--redis <url>', 'URL of a Redis server for the sessions (REDIS_URL)')
    .option(...CONFIG_FLAG)
    .addHelpText(
      'after',
      `
A flag takes precedence over the environment, and the environment over the configuration file.

Examples:
  latchkey serve
  latchkey serve --port 8080 --database file:./data/auth.db
  latchkey serve --database postgres://user@host/name --redis redis://host:6379
  NODE_ENV=production AUTH_SECRET=… latchkey serve --url https://login.example.com`,
    )
    .action(async ({ config, naming: databaseNaming, records, ...others }: Flags) => {
      const flags = { ...others, databaseNaming, databaseRecords: records && 'true' }
      // Imported here, so that the other commands and `--help` do not load the server.
      const { serve } = await import('../../serve.ts')
      const { loadSettings } = await import('../../settings.ts')
      const { greeting } = await import('../greeting.ts')
      const { env } = process
      const directory = process.cwd()
      const settings = await loadSettings({ flags, env, directory, config })
      const service = await serve(settings, { env, directory })
      if (process.stdout.isTTY || !settings.production)
        process.stdout.write(greeting(service, settings))
      service.log.info({ address: service.address, port: service.port }, 'listening')
      await untilAsked(service)
    })
}

const SIGNALS = { SIGTERM: 15, SIGINT: 2 } as const

/** Waits for the first signal, then drains the service; a second signal ends the process immediately. */
function untilAsked(service: RunningService): Promise<void> {
  const { log } = service
  process.on('exit', () => log.flush())
  process.on('unhandledRejection', (error) => log.error({ error }, 'unhandled rejection'))
  process.on('uncaughtException', (error) => {
    log.fatal({ error }, 'uncaught exception')
    process.exit(1)
  })
  return new Promise((resolve) => {
    let asked = false
    const end = async (signal: keyof typeof SIGNALS): Promise<void> => {
      if (asked) process.exit(128 + SIGNALS[signal])
      asked = true
      log.info({ signal }, 'draining')
      const drained = await service.drain().catch((error: unknown) => {
        log.error({ error }, 'drain failed')
        return false
      })
      if (drained) log.info('stopped')
      else log.warn('stopped with requests cut off')
      process.exitCode = drained ? 0 : 1
      resolve()
      // Something that the configuration of an application left open must not keep the process alive.
      setTimeout(() => process.exit(), 500).unref()
    }
    for (const signal of Object.keys(SIGNALS) as (keyof typeof SIGNALS)[])
      process.on(signal, () => void end(signal))
  })
}
