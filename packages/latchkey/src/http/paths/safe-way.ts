import { isLoopback } from '../origin/shown-address.ts'

/** Returns whether nobody can change a response of this URL in transit: it is https, or on this machine. */
export function isSafeWay(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}
