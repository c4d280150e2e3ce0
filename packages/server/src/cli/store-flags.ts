import type { Command } from 'commander'
import type { Sources } from '../settings.ts'
import { CONFIG_FLAG } from './config-flag.ts'

/** The flags that say where the data is. */
export interface StoreFlags {
  readonly database?: string
  readonly naming?: string
  readonly config?: string
}

/** Adds the flags of a command that changes stored data, after its own. */
export function withStoreFlags(command: Command): Command {
  return command
    .option(
      '--database <url>',
      'URL of the database, such as postgres://… or file:./data.db (DATABASE_URL)',
    )
    .option('--naming <layout>', 'names of tables and columns (DATABASE_NAMING)')
    .option(...CONFIG_FLAG)
    .helpOption('-h, --help', 'print this help')
    .allowExcessArguments(false)
}

/** Returns where the settings of such a command come from. */
export function sourcesOf({ database, naming, config }: StoreFlags): Sources {
  const flags = { database, databaseNaming: naming }
  return { flags, env: process.env, directory: process.cwd(), config }
}
