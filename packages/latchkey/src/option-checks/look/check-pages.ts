import type { AuthError } from '../../base/errors.ts'
import type { AuthConfig } from '../../options/auth-config.ts'
import { judge } from '../judge.ts'

/** Checks that each page is a URL, since an invalid one would fail only at the redirect of a visitor. */
export function checkPages({ pages }: AuthConfig): AuthError | undefined {
  const given = Object.values(pages ?? {}).filter((page) => page !== undefined && page !== null)
  const isAddress = (page: unknown): boolean =>
    typeof page === 'string' && URL.canParse(page, 'http://localhost')
  return judge(given, isAddress, 'each of `pages` must be a path or a URL')
}
