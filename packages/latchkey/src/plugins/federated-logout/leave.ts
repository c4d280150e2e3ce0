import {
  type AuthRequest,
  formText,
  type ProviderClient,
  type SafeUrl,
  type SessionFacts,
  type SignedOut,
  type SignOutAddition,
  type SiteRequest,
  trusted,
  withParams,
} from '../../entries/plugin.ts'
import { clearIdToken, forgetBegun, providerOf } from './begun.ts'
import { markSignedOut } from './cookies.ts'
import { findEndSession } from './end-session.ts'
import { CONTINUE, type Own } from './own.ts'
import type { LogoutKey } from './texts.ts'
import { writeTicket } from './ticket.ts'

/** Milliseconds that a sign-out waits for the metadata of the provider. */
const PATIENCE = 3000

/** Returns where a sign-out leads, and the cookies of its response. */
export async function leave(
  { request, facts, callbackUrl }: SignedOut,
  own: Own,
): Promise<{ to?: SafeUrl; cookies: ReturnType<typeof clearIdToken> }> {
  const { host } = own
  const mark = markSignedOut(request, 'here')
  if (!facts) return { cookies: [mark] }
  const sid = await facts.sid()
  const provider = await providerOf(facts, host)
  const isInCookie = provider === undefined && isKnownToCookie(facts, own)
  const leaves = wantsToLeave(request, own) && (isInCookie || (await canLeave(provider, own)))
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

/**
 * For a stored session without records, only the cookie of the ID token has the provider, and it is not sent to this
 * path.
 */
function isKnownToCookie({ strategy }: SessionFacts, { host }: Own): boolean {
  return strategy === 'database' && !host.hasRecords
}

function wantsToLeave({ form }: AuthRequest, { settings }: Own): boolean {
  const asked = formText(form, 'federated')
  if (asked === '1' || asked === '0') return asked === '1'
  return settings.federated === 'always'
}

/** Returns whether the provider supports a logout. */
async function canLeave(provider: string | undefined, own: Own): Promise<boolean> {
  const client = provider === undefined ? undefined : await own.host.providers.client(provider)
  return client !== undefined && (await hasEndSession(client, own)) === true
}

/** @returns `undefined` if it could not be read in time, which is logged. */
async function hasEndSession(client: ProviderClient, { host }: Own): Promise<boolean | undefined> {
  try {
    return (await inTime(findEndSession(client))) !== undefined
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    host.logger.warn(
      'federated-logout-unavailable',
      `provider ${client.id}: visitors cannot be signed out there at the moment: ${why}`,
    )
    return undefined
  }
}

function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`its metadata did not arrive within ${PATIENCE} ms`)),
      PATIENCE,
    )
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Returns the addition to the sign-out page. */
export async function signOutAddition(
  request: SiteRequest,
  own: Own,
): Promise<SignOutAddition | undefined> {
  const { host, settings } = own
  if (settings.federated === 'never') return undefined
  const current = await host.sessions.current(request)
  if (!current) return undefined
  const { text } = await host.site.text<LogoutKey>(request)
  const offer = (name: string | undefined): SignOutAddition => {
    const there = name ?? text('federatedLogout:there')
    return settings.federated === 'always'
      ? { note: text('federatedLogout:always', { name: there }) }
      : { field: { name: 'federated', label: text('federatedLogout:also', { name: there }) } }
  }
  const provider = await providerOf(current.facts, host)
  if (provider === undefined) {
    const clients = await candidates(current.facts, own)
    if (!clients) return undefined
    return offer(clients.length === 1 ? clients[0]?.name : undefined)
  }
  const client = await host.providers.client(provider)
  const isThere = client && (await hasEndSession(client, own))
  if (!client || isThere === undefined) return undefined
  return isThere
    ? offer(client.name)
    : { note: text('federatedLogout:stays', { name: client.name }) }
}

/**
 * Returns the possible providers of a stored session, by the accounts of its user.
 *
 * @returns an empty list if the accounts are unknown; `undefined` if no provider of an account supports a logout.
 */
async function candidates(
  facts: SessionFacts,
  own: Own,
): Promise<readonly ProviderClient[] | undefined> {
  if (!isKnownToCookie(facts, own)) return undefined
  const { host } = own
  const accounts = await host.store?.atomic.listAccountsByUserId?.(facts.userId ?? '')
  if (!accounts) return []
  const found: ProviderClient[] = []
  for (const id of new Set(accounts.map(({ provider }) => provider))) {
    const client = await host.providers.client(id)
    if (client && (await hasEndSession(client, own))) found.push(client)
  }
  return found.length > 0 ? found : undefined
}
