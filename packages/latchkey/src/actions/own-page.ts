import { trusted, withParams } from '../http/safe-url.ts'
import { type Outcome, redirect } from '../outcome.ts'
import type { AuthRequest } from '../request.ts'

/**
 * To the application's page instead of ours. Not where that is what was asked for: it would lead to
 * itself.
 */
export function toOwnPage(
  page: string | undefined,
  { action, base, origin }: AuthRequest,
  params: Readonly<Record<string, string>> = {},
): Outcome | undefined {
  const path = page?.replace(/\/?([?#].*)?$/, '')
  // From the root of the site, wherever this is.
  return page && ![path, origin + path].includes(`${base}/${action}`)
    ? redirect(trusted(withParams(page.replace(/^(?!\/|\w+:)/, '/'), params)))
    : undefined
}
