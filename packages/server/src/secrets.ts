import { secretsIn } from './observe/redact.ts'
import { freshSecret } from './secret-rules.ts'
import type { Settings } from './settings.ts'
import { keptValue } from './store/data-dir.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the secret for sealing, and all secrets that must not appear in the log. In development without a configured
 * secret, it is generated once and kept in the data directory.
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

/** Returns all secrets in the settings and in the environment. */
export function knownSecrets(settings: Settings, env: Environment): Set<string> {
  return new Set([...settings.secret, ...secretsIn(settings.auth), ...secretsOf(settings, env)])
}

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

/** The password as it is written in the URL, and decoded. */
function passwordsIn({ password }: URL): string[] {
  try {
    return [password, decodeURIComponent(password)]
  } catch {
    return [password]
  }
}
