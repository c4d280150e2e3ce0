import type { ClientOptions } from '../client.ts'

/**
 * Returns the address of the service for a server that renders pages. In a browser it returns nothing, since a relative
 * URL works there.
 *
 * The path of `AUTH_URL` is the base path, as for the service.
 */
export function serverAddress(scope: object = globalThis): ClientOptions {
  if ('document' in scope) return {}
  const { process } = scope as { process?: { env?: Record<string, string | undefined> } }
  const { AUTH_URL, NEXTAUTH_URL, VERCEL_URL } = process?.env ?? {}
  const address = AUTH_URL || NEXTAUTH_URL || (VERCEL_URL ? `https://${VERCEL_URL}` : '')
  if (!URL.canParse(address)) return {}
  const { origin, pathname } = new URL(address)
  const basePath = pathname.replace(/\/$/, '')
  return basePath ? { baseUrl: origin, basePath } : { baseUrl: origin }
}
