import { type Call, Problem, type SafeUrl } from '../../../entries/plugin.ts'
import type { Caller } from '../lister.ts'
import { type Own, PAGE } from '../own.ts'

/** @throws {Problem} `unauthenticated` if the session has ended in the store. */
export async function needCaller(
  { current, request }: Pick<Call<unknown>, 'current' | 'request'>,
  { host, lister }: Pick<Own, 'host' | 'lister'>,
): Promise<Caller> {
  const caller = await (await lister()).caller(current, request)
  if (!caller)
    throw new Problem('unauthenticated', 'the session was ended', { next: signInAgain(host) })
  return caller
}

/** Returns the sign-in page that leads back to the page of the sessions. */
function signInAgain(host: Own['host']): SafeUrl {
  return host.site.path('signin', { callbackUrl: host.site.path(PAGE) })
}
