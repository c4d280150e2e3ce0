import { isIP } from 'node:net'

/** Whether a host name or address always refers to this machine. An IPv6 address may be in brackets. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '')
  if (isIP(name) !== 0) return name === '::1' || name.startsWith('127.')
  return name === 'localhost' || name.endsWith('.localhost')
}
