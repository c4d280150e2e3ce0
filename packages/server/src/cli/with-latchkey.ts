import { type AuthConfig, createLatchkey, type Latchkey } from 'latchkey'
import type { Adapter } from 'latchkey/adapters'
import { authConfig } from '../auth-config.ts'
import { namedProviders } from '../named-providers.ts'
import { createLog } from '../observe/log.ts'
import { secretsFor } from '../secrets.ts'
import { loadSettings, type Settings, type Sources } from '../settings.ts'
import { openStore } from '../store/open-store.ts'
import { UserError } from '../user-error.ts'

/** The library with the configuration of the service; no server runs. */
export interface Configured {
  readonly settings: Settings
  readonly config: AuthConfig
  readonly latchkey: Latchkey
  readonly adapter: Adapter | undefined
}

/**
 * Returns the functions of a plugin.
 *
 * @param off says how to turn the plugin on.
 * @throws {UserError} if the plugin is off.
 */
export function apiOf<Api>(name: string, off: string, { config, latchkey }: Configured): Api {
  if (!config.plugins?.some((plugin) => plugin.name === name)) throw new UserError(off)
  // The configuration decides which plugins there are, so no type names them.
  return (latchkey.api as unknown as Readonly<Record<string, Api>>)[name] as Api
}

/**
 * Calls a function with the library, configured as in the service. Warnings and errors go to standard error.
 *
 * @throws {UserError} if a setting is wrong.
 */
export async function withLatchkey<Result>(
  sources: Sources,
  work: (configured: Configured) => Promise<Result>,
): Promise<Result> {
  const settings = await loadSettings(sources)
  const { secret, secrets } = secretsFor(settings, sources.env)
  const stream = { write: (line: string) => void process.stderr.write(line) }
  const log = createLog({ level: 'warn', format: settings.logFormat, secrets, stream })
  const named = await namedProviders(settings.providers, sources.env, settings.mailFrom)
  const store = settings.auth.adapter
    ? undefined
    : await openStore(settings, sources.directory, log)
  try {
    const adapter = settings.auth.adapter ?? store?.adapter
    const { origin } = settings
    const parts = { secret, named, adapter, demo: undefined, origin, log, push: undefined }
    const config = authConfig(settings, parts)
    return await work({ settings, config, latchkey: createLatchkey(config), adapter })
  } finally {
    await store?.close()
  }
}
