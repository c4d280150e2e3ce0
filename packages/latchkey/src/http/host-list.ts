import { oncePer } from '../once.ts'
import { compileOrigins } from './origin-list.ts'

/** A host with or without a port; `*` may stand for its whole left-most label. */
const ENTRY = /^(?:\*\.)?(?:[^\s/?#@*:\\%[\]]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/** Is this an entry that {@link compileHosts} understands? */
export function isHostEntry(entry: unknown): entry is string {
  return typeof entry === 'string' && ENTRY.test(entry) && URL.canParse(`https://${entry}`)
}

/**
 * Hosts that were agreed on, as a question about an origin; http or https does not matter.
 *
 * @param entries `app.example`, `app.example:8443`, or `*.app.example` for what is one label below
 *   it. Without a port, the scheme's own one is meant.
 */
export const compileHosts: (entries: readonly string[]) => (origin: string) => boolean = oncePer(
  (entries: readonly string[]) => {
    const usable = entries.filter(isHostEntry)
    return compileOrigins(usable.flatMap((host) => [`https://${host}`, `http://${host}`]))
  },
  new WeakMap<readonly string[], (origin: string) => boolean>(),
)
