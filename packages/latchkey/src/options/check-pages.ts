import type { AuthError } from '../errors.ts'
import type { AuthConfig } from './auth-config.ts'
import { judge } from './judge.ts'

/** Pages may be anywhere; but what is no address would first be met by the visitor who is sent there. */
export function checkPages({ pages }: AuthConfig): AuthError | undefined {
  const given = Object.values(pages ?? {}).filter((page) => page !== undefined && page !== null)
  const isAddress = (page: unknown): boolean =>
    typeof page === 'string' && URL.canParse(page, 'http://localhost')
  return judge(given, isAddress, 'each of `pages` is a path or an address')
}
