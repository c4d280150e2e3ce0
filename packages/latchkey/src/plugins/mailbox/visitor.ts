import type { SiteRequest } from '../../entries/plugin.ts'

/**
 * Returns whether a request comes from this machine. Whoever may read the mails of a site can sign in as anybody.
 *
 * Every host that the request names must be this machine, since another site can point its own name at it. So must the
 * client, as far as the connection and proxies say who it is.
 */
export function isFromHere({ origin, original: { headers } }: SiteRequest, from?: string): boolean {
  const hosts = [
    new URL(origin).hostname,
    ...['host', 'x-forwarded-host'].flatMap((name) => hostsIn(headers.get(name))),
  ]
  if (!hosts.every(isThisMachine)) return false
  const forwardedFor = headers.get('x-forwarded-for')?.split(',') ?? []
  const clients = [
    ...(from === undefined ? [] : [from]),
    ...forwardedFor,
    ...one(headers.get('x-real-ip')),
  ]
  if (!clients.every(isOwnAddress)) return false
  return headers.get('forwarded') === null
}

const one = (value: string | null): string[] => (value === null ? [] : [value])

function hostsIn(value: string | null): string[] {
  return (value?.split(',') ?? []).map((host) => {
    const url = `http://${host.trim()}`
    return URL.canParse(url) ? new URL(url).hostname : ''
  })
}

function isThisMachine(hostname: string): boolean {
  return /^(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(hostname)
}

function isOwnAddress(address: string): boolean {
  return /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1|\[::1\])$/i.test(address.trim())
}
