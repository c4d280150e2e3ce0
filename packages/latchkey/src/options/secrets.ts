import type { WrittenForms } from './plugin-option.ts'

/** Returns secrets as a list, without absent ones, for example from a variable that is not set. */
export function secretsOf(secret: string | readonly string[] | undefined): readonly string[] {
  return [secret].flat().filter((text): text is string => typeof text === 'string' && text !== '')
}

/**
 * Returns the secrets for the hashes of forms and mails: each secret, and the list joined with commas, as Auth.js does.
 * The first one hashes new values.
 */
export function hashSecretsOf(
  secrets: readonly string[],
  first: WrittenForms['hashes'],
): readonly string[] {
  if (secrets.length < 2) return secrets
  const joined = secrets.join(',')
  return first === 'joined' ? [joined, ...secrets] : [...secrets, joined]
}
