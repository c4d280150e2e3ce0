import { trusted, withParams } from '../http/safe-url.ts'
import { type Outcome, redirect } from '../outcome.ts'
import { type AuthRequest, isAuthAction } from '../request.ts'

/**
 * To the application's page instead of ours. Not where that is ours, too: pages would lead to each other,
 * or to themselves. The sign-in page alone may stand for others.
 */
export function toOwnPage(
  page: string | undefined,
  { action, base, origin }: AuthRequest,
  params: Readonly<Record<string, string>> | URLSearchParams = {},
): Outcome | undefined {
  if (!page) return undefined
  // From the root of the site, wherever this is.
  const target = page.replace(/^(?!\/|\w+:)/, '/')
  const url = new URL(target, origin)
  const address = url.origin + url.pathname
  const name = (address.endsWith('/') ? address.slice(0, -1) : address).replace(`${base}/`, '')
  const isOurs = isAuthAction(name) && (name !== 'signin' || action === name)
  return isOurs ? undefined : redirect(trusted(withParams(target, params)))
}
