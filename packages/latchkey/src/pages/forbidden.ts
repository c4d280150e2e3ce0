import { toResponse } from '../http/outcome.ts'
import { siteOf } from '../page-kit/site.ts'
import type { SessionPlan } from '../plan/plan.ts'
import { errorPage } from './error.ts'

/** Returns the page for a user who is signed in, but may not see the requested page. */
export async function forbiddenPage(
  { request, url }: { readonly request: Request; readonly url: URL },
  plan: SessionPlan,
): Promise<Response> {
  const { texts, pages, basePath } = plan
  const outcome = await errorPage(siteOf(url, plan), texts(request), {
    error: 'Forbidden',
    signInUrl: pages.signIn || `${basePath}/signin`,
    signOutUrl: pages.signOut || `${basePath}/signout`,
  })
  return toResponse(outcome)
}
