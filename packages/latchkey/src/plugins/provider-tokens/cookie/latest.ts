import type { Host } from '../../../entries/plugin.ts'
import type { CookieMemory } from '../memory.ts'
import type { Content } from './content.ts'

/** Milliseconds for which a renewal is waited for that another request began. */
const PATIENCE = 1000

/**
 * Returns tokens as this process knows them by now. Of two answers to one browser the later one replaces the cookie of the
 * other: so each has to bring what was renewed for either.
 */
export async function latestOf(
  p: Content['p'],
  { keys, ports }: Host,
  { known }: Pick<CookieMemory, 'known'>,
): Promise<Content['p']> {
  if (known.size === 0) return p
  const now = ports.now()
  const entries = Object.entries(p).map(async ([provider, entry]) => {
    const found = entry.r === undefined ? undefined : known.get(await keys.hash('grace', entry.r))
    // The account may have been connected anew since.
    const isNewer = found && found.until > now && found.entry.o > entry.o
    return [provider, isNewer ? found.entry : entry] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** Waits for renewals of these tokens that are under way, a second at most. */
export async function renewalsOf(
  p: Content['p'],
  { keys }: Host,
  { running }: Pick<CookieMemory, 'running'>,
): Promise<void> {
  if (running.size === 0) return
  const tokens = Object.values(p).flatMap(({ r }) => r ?? [])
  const hashes = await Promise.all(tokens.map((token) => keys.hash('grace', token)))
  const works = hashes.flatMap((key) => running.get(key) ?? [])
  if (works.length === 0) return
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, PATIENCE)
  })
  await Promise.race([Promise.allSettled(works), late])
  clearTimeout(timer)
}
