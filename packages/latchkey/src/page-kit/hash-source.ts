import { primitives } from '#crypto'
import { oncePer } from '../base/once.ts'

/** A style sheet or a script of a page. */
export interface Part {
  readonly text: string
}

/** Returns the hash of a style sheet or a script as a source of a policy. */
export async function hashSource(text: string): Promise<string> {
  const digest = primitives
    .toBase64url(await primitives.sha256(text))
    .replaceAll('-', '+')
    .replaceAll('_', '/')
  return `'sha256-${digest}='`
}

/** The same, computed once for each object: style sheets and scripts are those of many pages. */
export const sourceOf: (part: Part) => Promise<string> = oncePer(
  ({ text }: Part) => hashSource(text),
  new WeakMap(),
)
