import { primitives } from '#crypto'

/** Returns the hash of a style sheet or a script as a source of a policy. */
export async function hashSource(text: string): Promise<string> {
  const digest = primitives
    .toBase64url(await primitives.sha256(text))
    .replaceAll('-', '+')
    .replaceAll('_', '/')
  return `'sha256-${digest}='`
}
