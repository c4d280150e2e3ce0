import type { Host } from '../../../entries/plugin.ts'
import type { CookieMemory } from '../renewal/memory.ts'
import type { Content } from './content.ts'

/** Milliseconds to wait for a renewal of another request. */
const PATIENCE = 1000

/**
 * Returns the latest tokens that this process knows. If two responses set the cookie of one browser, the later one
 * replaces the other, so each must contain the renewed tokens of both.
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
    // The account may have been reconnected since.
    const isNewer = found && found.until > now && found.entry.o > entry.o
    return [provider, isNewer ? found.entry : entry] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** Waits for pending renewals of these tokens, for at most a second. */
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
