import { withoutEndSlashes } from '../encoding/end-slashes.ts'
import { trusted, withParams } from '../http/safe-url.ts'
import { type RedirectOutcome, redirect } from '../outcome.ts'
import { type AuthRequest, isAuthAction } from '../request.ts'

/**
 * To the application's page instead of ours. Not where that is ours, too: pages would lead to each other,
 * or to themselves. The sign-in page alone may stand for others.
 */
export function toOwnPage(
  page: string | undefined,
  { action, base, origin }: AuthRequest,
  params: Readonly<Record<string, string>> | URLSearchParams = {},
): RedirectOutcome | undefined {
  if (!page) return undefined
  // From the root of the site, wherever this is.
  const target = page.replace(/^(?!\/|\w+:)/, '/')
  const address = new URL(target, origin)
  const name = withoutEndSlashes(address.origin + address.pathname).replace(`${base}/`, '')
  const isOurs = isAuthAction(name) && (name !== 'signin' || action === name)
  return isOurs ? undefined : redirect(trusted(withParams(target, params)))
}
