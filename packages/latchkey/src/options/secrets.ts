/** A secret or a list of secrets, as a list without what is absent: of a variable that is not set, say. */
export function secretsOf(secret: string | readonly string[] | undefined): readonly string[] {
  return [secret].flat().filter((text): text is string => typeof text === 'string' && text !== '')
}
