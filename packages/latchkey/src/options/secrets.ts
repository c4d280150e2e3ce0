import type { WrittenForms } from './plugin-option.ts'

/** A secret or a list of secrets, as a list without what is absent: of a variable that is not set, say. */
export function secretsOf(secret: string | readonly string[] | undefined): readonly string[] {
  return [secret].flat().filter((text): text is string => typeof text === 'string' && text !== '')
}

/**
 * What the hashes of forms and mails may be made with: each secret, and the list joined with commas, as Auth.js joins
 * it. The first makes new ones.
 */
export function hashSecretsOf(
  secrets: readonly string[],
  first: WrittenForms['hashes'],
): readonly string[] {
  if (secrets.length < 2) return secrets
  const joined = secrets.join(',')
  return first === 'joined' ? [joined, ...secrets] : [...secrets, joined]
}
