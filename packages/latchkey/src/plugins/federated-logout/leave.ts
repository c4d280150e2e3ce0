import { formText } from '../../http/form.ts'
import { type SafeUrl, trusted, withParams } from '../../http/safe-url.ts'
import type {
  AuthRequest,
  ProviderClient,
  SignedOut,
  SignOutAddition,
  SiteRequest,
} from '../../plugin-kit.ts'
import { clearIdToken, forgetBegun, providerOf } from './begun.ts'
import { markSignedOut } from './cookies.ts'
import { findEndSession } from './end-session.ts'
import { CONTINUE, type Own } from './own.ts'
import type { LogoutKey } from './texts.ts'
import { writeTicket } from './ticket.ts'

/** Milliseconds that a sign-out waits for the metadata of the provider. */
const PATIENCE = 3000

/** Where a sign-out leads, and the cookies of its answer. */
export async function leave(
  { request, facts, callbackUrl }: SignedOut,
  own: Own,
): Promise<{ to?: SafeUrl; cookies: ReturnType<typeof clearIdToken> }> {
  const { host } = own
  const mark = markSignedOut(request, 'here')
  if (!facts) return { cookies: [mark] }
  const sid = await facts.sid()
  const provider = await providerOf(facts, host)
  // A stored session without records: the cookie with the ID token knows, which is not sent here.
  const isUnknown = provider === undefined && !host.hasRecords && facts.strategy === 'database'
  const leaves = wantsToLeave(request, own) && (isUnknown || (await canLeave(provider, own)))
  if (!leaves) {
    await forgetBegun(sid, host)
    return { cookies: [mark, ...(host.hasRecords ? [] : clearIdToken(request, host))] }
  }
  const ticket = await writeTicket(
    {
      target: callbackUrl,
      sid,
      ...(facts.userId !== undefined && { userId: facts.userId }),
      ...(provider !== undefined && { provider }),
    },
    own,
  )
  return { to: trusted(withParams(`${request.base}/${CONTINUE}`, { t: ticket })), cookies: [mark] }
}

function wantsToLeave({ form }: AuthRequest, { settings }: Own): boolean {
  const asked = formText(form, 'federated')
  if (asked === '1' || asked === '0') return asked === '1'
  return settings.federated === 'always'
}

/** Can somebody be signed out there? */
async function canLeave(provider: string | undefined, own: Own): Promise<boolean> {
  const client = provider === undefined ? undefined : await own.host.provider(provider)
  return client !== undefined && (await hasEndSession(client, own)) === true
}

/** @returns `undefined` if it could not be found out in time; the log says why. */
async function hasEndSession(client: ProviderClient, { host }: Own): Promise<boolean | undefined> {
  try {
    return (await inTime(findEndSession(client))) !== undefined
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    host.logger.warn(
      'federated-logout-unavailable',
      `provider ${client.id}: nobody can be signed out there now: ${why}`,
    )
    return undefined
  }
}

function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`its metadata did not come within ${PATIENCE} ms`)),
      PATIENCE,
    )
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** What the sign-out page shows. */
export async function signOutAddition(
  request: SiteRequest,
  own: Own,
): Promise<SignOutAddition | undefined> {
  const { host, settings } = own
  if (settings.federated === 'never') return undefined
  const current = await host.current(request)
  const provider = current && (await providerOf(current.facts, host))
  const client = provider ? await host.provider(provider) : undefined
  if (!client) return undefined
  const { text } = await host.text<LogoutKey>(request)
  const { name } = client
  const isThere = await hasEndSession(client, own)
  if (isThere === undefined) return undefined
  if (!isThere) return { note: text('federatedLogout:stays', { name }) }
  return settings.federated === 'always'
    ? { note: text('federatedLogout:always', { name }) }
    : { field: { name: 'federated', label: text('federatedLogout:also', { name }) } }
}
