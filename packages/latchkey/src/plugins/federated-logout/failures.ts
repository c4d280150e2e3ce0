import { Problem, type SiteRequest } from '../../entries/plugin.ts'
import type { Own } from './own.ts'

/** Forged requests, by provider and network, that are processed in full. */
const MOST = 60
/** The factor for clients without a known network. They share one limit, also with the provider. */
const UNKNOWN = 10
/** In milliseconds. */
const WINDOW = 60_000
/** The largest number of networks that a process keeps. */
const MOST_NETWORKS = 10_000

/**
 * Counts forged logout tokens. Above the limit, a request must first pass the cheap checks. It is never refused without
 * these checks, so forged requests cannot prevent the provider from ending a stolen session.
 */
export interface Failures {
  areTooMany(): boolean
  /** Counts one, and returns the problem for the response if the limit was reached before. */
  note(): Promise<Problem | undefined>
}

export async function failuresOf(
  provider: string,
  { original }: SiteRequest,
  { host, memory }: Own,
): Promise<Failures> {
  const { ports, store, logger } = host
  const { failures } = memory
  const address = await host.site.clientAddress(original)
  const key = `${provider} ${networkOf(address)}`
  const most = address === undefined ? MOST * UNKNOWN : MOST
  const reached = (now: number): number | undefined => {
    const known = failures.get(key)
    return known && known.until > now && known.count >= most ? known.until : undefined
  }
  return {
    areTooMany: () => reached(ports.now()) !== undefined,
    async note() {
      const now = ports.now()
      const until = reached(now)
      if (until !== undefined) {
        const wait = String(Math.ceil((until - now) / 1000))
        return new Problem('too_many_attempts', `forged logout requests for ${provider}`, {
          headers: { 'retry-after': wait },
        })
      }
      if (address === undefined && !memory.warnedOfUnknown) {
        memory.warnedOfUnknown = true
        logger.warn(
          'limits-unknown-client',
          'failed logout requests of all clients share one limit; set `client` of the plugin `limits`',
        )
      }
      const known = failures.get(key)
      const current = known && known.until > now ? known : { count: 0, until: now + WINDOW }
      failures.delete(key)
      if (failures.size >= MOST_NETWORKS) failures.delete(failures.keys().next().value as string)
      failures.set(key, { ...current, count: current.count + 1 })
      if (!store?.countAttempt) return undefined
      const attempt = { limit: most, now: new Date(now), expires: new Date(now + WINDOW) }
      const isCounted = await store.countAttempt({
        key: `latchkey.logout:${await host.keys.hash('logout-failures', key)}`,
        ...attempt,
      })
      if (!isCounted) failures.set(key, { count: most, until: now + WINDOW })
      return undefined
    },
  }
}

/** Returns the network of an address: 24 bits of IPv4, 48 bits of IPv6. */
function networkOf(address: string | undefined): string {
  if (address === undefined) return 'unknown'
  const [, v4] = /^(?:::ffff:)?(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/i.exec(address) ?? []
  return v4 ?? address.toLowerCase().split(':').slice(0, 3).join(':')
}
