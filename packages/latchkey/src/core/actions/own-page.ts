import { withoutEndSlashes } from '../../base/encoding/end-slashes.ts'
import { type RedirectOutcome, redirect } from '../../http/outcome.ts'
import { type AuthRequest, isAuthAction } from '../../http/request.ts'
import { trusted, withParams } from '../../http/safe-url.ts'

/**
 * Redirects to the application's page in place of the built-in one. If its address is that of a built-in page, there is
 * no redirect, since pages would redirect to each other or to themselves. Only the sign-in page may replace others.
 */
export function toOwnPage(
  page: string | undefined,
  { action, base, origin }: AuthRequest,
  params: Readonly<Record<string, string>> | URLSearchParams = {},
): RedirectOutcome | undefined {
  if (!page) return undefined
  // Relative paths begin at the root of the site.
  const target = page.replace(/^(?!\/|\w+:)/, '/')
  const address = new URL(target, origin)
  const name = withoutEndSlashes(address.origin + address.pathname).replace(`${base}/`, '')
  const isOurs = isAuthAction(name) && (name !== 'signin' || action === name)
  return isOurs ? undefined : redirect(trusted(withParams(target, params)))
}
