import {
  isCrossSite,
  type SessionReading,
  type SessionRequest,
  type SessionServices,
  SessionTokenError,
  toError,
} from '../../../entries/plugin.ts'

/** A page of another site, whose script has a token, is refused unless its origin may. */
export function mayCarry(request: SessionRequest, origins: readonly string[]): boolean {
  const headers = headersOf(request)
  const site = headers?.get('sec-fetch-site')
  if (!headers || !site || !isCrossSite(headers, '')) return true
  return origins.includes(headers.get('origin') ?? '')
}

/** All headers of a request. */
export function headersOf(request: SessionRequest): Headers | undefined {
  return request.headers ?? request.original?.headers
}

/** Reads a session; one that cannot be read, since a store fails, is not over. */
export async function readable(
  read: () => Promise<SessionReading>,
  { logger }: Pick<SessionServices, 'logger'>,
): Promise<SessionReading> {
  try {
    return await read()
  } catch (error) {
    logger.error(new SessionTokenError(toError(error)))
    return { session: null, cookies: [], failed: true }
  }
}
