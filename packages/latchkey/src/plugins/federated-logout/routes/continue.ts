import {
  type Answer,
  type Call,
  clearChunked,
  trusted,
  withParams,
} from '../../../entries/plugin.ts'
import { type InCookie, readIdToken, takeIdToken } from '../begun.ts'
import { type Away, idTokenCookie, LOGOUT_MAX_AGE, readAway, writeAway } from '../cookies.ts'
import { endSessionRequest, findEndSession, localesOf } from '../end-session.ts'
import { type Own, RETURN } from '../own.ts'
import { continuePage } from '../pages/continue.ts'
import type { LogoutKey } from '../texts.ts'
import { type Ticket, takeTicket } from '../ticket.ts'

/** The longest URL for a redirect, in characters. A longer request is sent as a form. */
const LONGEST = 4000

/** `GET logout/continue`: redirects to the provider. It changes only cookies of the plugin. */
export async function goOn({ request }: Call, own: Own): Promise<Answer> {
  const { host, settings } = own
  const ticket = await takeTicket(request.query.get('t') ?? '', own)
  if (!ticket) return { to: trusted(settings.returnTo) }
  const inCookie = await readIdToken(request, host)
  // The cookie of an active session stays, since any page can make a browser open a ticket of another user.
  const isOther = inCookie !== undefined && inCookie.sid !== ticket.sid
  const cleared = isOther ? [] : clearChunked(request.cookies, idTokenCookie(request, host))
  const { provider, idToken } = await begunWith(ticket, inCookie, own)
  const client = provider === undefined ? undefined : await host.providers.client(provider)
  const place = client && (await findEndSession(client).catch(() => undefined))
  if (!client || !place) return { to: trusted(ticket.target), cookies: cleared }

  const { url, params, keepsState } = endSessionRequest(place, client, {
    idToken,
    state: ticket.state,
    returnUrl: `${request.base}/${RETURN}`,
    locales: localesOf(request.original.headers.get('accept-language')),
  })
  const { state, target } = ticket
  const now = host.ports.now()
  const away: Away = { state, target, at: now, keepsState }
  const earlier = (await readAway(request, host)).filter(
    ({ at }) => now - at < LOGOUT_MAX_AGE * 1000,
  )
  const cookies = [...cleared, await writeAway(request, [away, ...earlier], host)]
  const address = withParams(url.href, params)
  if (address.length <= LONGEST) return { to: trusted(address), cookies }
  const texts = await host.site.text<LogoutKey>(request)
  return { page: continuePage(url, params, client.name, texts), cookies }
}

/** Returns the provider of the session that ended, and its ID token. */
async function begunWith(
  { sid, userId, provider }: Ticket,
  inCookie: InCookie | undefined,
  { host }: Own,
): Promise<{ provider: string | undefined; idToken: string | undefined }> {
  if (host.hasRecords) return { provider, idToken: await takeIdToken(sid, userId, host) }
  // The cookie may belong to another session.
  const own = inCookie?.sid === sid ? inCookie : undefined
  return { provider: provider ?? own?.provider, idToken: own?.token }
}
