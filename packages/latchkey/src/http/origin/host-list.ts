import { oncePer } from '../../base/once.ts'
import { compileOrigins } from './origin-list.ts'

/** A host with an optional port; `*` may replace its left-most label. */
const ENTRY = /^(?:\*\.)?(?:[^\s/?#@*:\\%[\]]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/** Returns whether an entry is valid for {@link compileHosts}. */
export function isHostEntry(entry: unknown): entry is string {
  return typeof entry === 'string' && ENTRY.test(entry) && URL.canParse(`https://${entry}`)
}

/**
 * Returns a function that tells whether the host of an origin is in the list. The scheme does not matter.
 *
 * @param entries `app.example`, `app.example:8443`, or `*.app.example` for hosts one label below. Without a port, the
 *   default port of the scheme is meant.
 */
export const compileHosts: (entries: readonly string[]) => (origin: string) => boolean = oncePer(
  (entries: readonly string[]) => {
    const usable = entries.filter(isHostEntry)
    return compileOrigins(usable.flatMap((host) => [`https://${host}`, `http://${host}`]))
  },
  new WeakMap<readonly string[], (origin: string) => boolean>(),
)
