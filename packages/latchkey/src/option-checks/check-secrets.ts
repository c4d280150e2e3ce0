import { type AuthError, MissingSecret } from '../base/errors.ts'
import type { AuthConfig } from '../options/auth-config.ts'
import { isInProduction } from '../options/markers.ts'
import { secretsOf } from '../options/secrets.ts'
import { type SecretRules, secretWeakness } from './secret-rules.ts'

/** The rules in production. They are mild, because applications that move to Latchkey may have short secrets. */
const RULES: SecretRules = { shortest: 16, different: 8 }

/** Finds a secret that is not a string, or one that can be guessed in production. */
export function checkSecrets(config: AuthConfig): AuthError | undefined {
  const { secret, jwt } = config
  const isText = [secret, jwt?.secret].flat().every((text) => typeof (text ?? '') === 'string')
  if (secretsOf(secret).length === 0 || !isText) {
    return new MissingSecret(
      'set `secret` (or AUTH_SECRET) to a string of at least 32 random characters; create one with: openssl rand -base64 33',
    )
  }
  if (!isInProduction(config)) return undefined
  return weakestOf('`secret` (or AUTH_SECRET)', secret) ?? weakestOf('`jwt.secret`', jwt?.secret)
}

function weakestOf(name: string, given: AuthConfig['secret']): AuthError | undefined {
  const secrets = secretsOf(given)
  for (const [at, secret] of secrets.entries()) {
    const weakness = secretWeakness(secret, RULES)
    if (weakness === undefined) continue
    const place = secrets.length > 1 ? `, number ${at + 1} of ${secrets.length},` : ''
    return new MissingSecret(
      `${name}${place} ${weakness}; production needs a random secret, create one with: openssl rand -base64 33`,
    )
  }
  return undefined
}
