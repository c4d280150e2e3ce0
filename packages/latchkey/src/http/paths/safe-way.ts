import { isLoopback } from '../origin/shown-address.ts'

/** Returns whether nobody on the way can change an answer of this address: it is https, or this machine. */
export function isSafeWay(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}
