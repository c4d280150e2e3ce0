import { secretsIn } from './observe/redact.ts'
import { freshSecret } from './secret-rules.ts'
import type { Settings } from './settings.ts'
import { keptValue } from './store/data-dir.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the secret that everything is sealed with, and all secrets that must not appear in the log.
 *
 * In development without one, the secret is made once and kept in the data directory.
 */
export function secretsFor(
  settings: Settings,
  env: Environment,
): { readonly secret: readonly string[]; readonly secrets: Set<string> } {
  const secret =
    settings.secret.length > 0
      ? settings.secret
      : [keptValue(settings.dataDir, 'secret', freshSecret)]
  return { secret, secrets: new Set([...secret, ...knownSecrets(settings, env)]) }
}

/** All secrets of the settings and the environment. */
export function knownSecrets(settings: Settings, env: Environment): Set<string> {
  return new Set([...settings.secret, ...secretsIn(settings.auth), ...secretsOf(settings, env)])
}

/** Secrets that are in a setting or in the environment. */
function secretsOf(settings: Settings, env: Environment): string[] {
  const urls = [settings.smtp, settings.database, settings.redis]
  const passwords = urls.flatMap((url) =>
    url !== undefined && URL.canParse(url) ? passwordsIn(new URL(url)) : [],
  )
  const variables = Object.entries(env).filter(([name]) => /^AUTH_.*(?:SECRET|KEY)$/.test(name))
  return [...passwords, ...variables.map(([, value]) => value ?? '')].filter(
    (value) => value !== '',
  )
}

/** As it stands there, and as it is sent. */
function passwordsIn({ password }: URL): string[] {
  try {
    return [password, decodeURIComponent(password)]
  } catch {
    return [password]
  }
}
