import { customFetch } from 'latchkey'
import type { ProviderClient } from 'latchkey/plugin'
import type { Examination } from './report.ts'

/** Maximum time in milliseconds for the answer of a provider. */
const PATIENCE = 5000

/**
 * Tests whether OpenID providers redirect back to this site after a sign-out. The request has no session, so nobody is
 * signed out.
 *
 * @param returnUrl where visitors return to
 */
export async function checkReturnAddress(
  clients: readonly ProviderClient[],
  returnUrl: string,
  examination: Examination,
): Promise<void> {
  for (const client of clients) {
    await examination.check('return-address', async (found) => {
      if (await isRefused(client, returnUrl))
        found({
          seen: `${client.id} rejects a sign-out that returns to ${returnUrl}, but accepts a sign-out without a return address`,
          fix: `register ${returnUrl} at ${client.id} as a post-logout redirect URI`,
        })
    })
  }
}

/**
 * Whether the provider says that it does not know the address. Many providers say nothing, or only if the user is
 * signed in.
 */
async function isRefused(client: ProviderClient, returnUrl: string): Promise<boolean> {
  const { clientId, endSession, members } = client
  // If the application configures the sign-out address, its parameters differ.
  if (endSession !== undefined) return false
  const metadata = await client.metadata().catch(() => undefined)
  const endpoint = metadata?.['end_session_endpoint']
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) return false
  const send = (members as { [customFetch]?: typeof fetch })[customFetch] ?? fetch
  const ask = async (params: Record<string, string>): Promise<number> => {
    const url = new URL(endpoint)
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
    const signal = AbortSignal.timeout(PATIENCE)
    const answer = await send(url, { signal, redirect: 'manual' })
    await answer.body?.cancel()
    return answer.status
  }
  try {
    const withReturn = await ask({
      client_id: clientId,
      post_logout_redirect_uri: returnUrl,
    })
    return withReturn === 400 && (await ask({ client_id: clientId })) < 400
  } catch {
    // Another check reports that the provider cannot be reached.
    return false
  }
}
