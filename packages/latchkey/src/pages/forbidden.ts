import { toResponse } from '../http/outcome.ts'
import type { SessionPlan } from '../plan/plan.ts'
import { errorPage } from './error.ts'

/** Returns the page for a user who is signed in, but may not see the requested page. */
export async function forbiddenPage(
  { request, url }: { readonly request: Request; readonly url: URL },
  { theme, texts, pages, basePath }: SessionPlan,
): Promise<Response> {
  const outcome = await errorPage(theme, texts(request), {
    error: 'Forbidden',
    origin: url.origin,
    host: url.host,
    signInUrl: pages.signIn || `${basePath}/signin`,
    signOutUrl: pages.signOut || `${basePath}/signout`,
  })
  return toResponse(outcome)
}
