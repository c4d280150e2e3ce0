import { type Cookie, type Host, type SiteRequest, setCookie } from '../../../entries/plugin.ts'
import type { Own } from '../own.ts'

const DAY: number = 24 * 60 * 60

/** Seconds for which a browser remembers an offer, and what came of it. It is only a preference, and proves nothing. */
const KEPT = { offered: 30 * DAY, refused: 180 * DAY } as const

type Offer = keyof typeof KEPT

/** Returns the cookie that notes an offer after a sign-in; `undefined` if nothing is offered. */
export async function offerPasskey(
  userId: string,
  request: SiteRequest,
  own: Own,
): Promise<readonly Cookie[] | undefined> {
  const { host } = own
  if (offerOf(request) !== undefined || !(await lacksPasskey(userId, host))) return undefined
  return [offerCookie('offered', request, host)]
}

/** Returns whether the account page offers a passkey: to somebody with a password who did not refuse. */
export async function isOffered(
  userId: string,
  request: SiteRequest,
  { host }: Own,
): Promise<boolean> {
  if (offerOf(request) === 'refused' || !(await lacksPasskey(userId, host))) return false
  return (await host.plugins.passwords()?.setAt(userId)) !== undefined
}

/** Returns the cookie that notes that somebody wants no passkey. */
export function refusedCookie(request: SiteRequest, host: Host): Cookie {
  return offerCookie('refused', request, host)
}

async function lacksPasskey(userId: string, { providers, store }: Host): Promise<boolean> {
  if (!store || !providers.newPasskeys()) return false
  return (await store.listAuthenticatorsByUserId(userId)).length === 0
}

function offerOf(request: SiteRequest): Offer | undefined {
  const kept = request.cookies.get(nameFor(request))
  return kept === 'offered' || kept === 'refused' ? kept : undefined
}

function offerCookie(offer: Offer, request: SiteRequest, { ports }: Host): Cookie {
  const { secure } = request
  const options = { httpOnly: true, sameSite: 'lax', path: '/', secure } as const
  const expires = new Date(ports.now() + KEPT[offer] * 1000)
  return setCookie({ name: nameFor(request), options }, offer, expires)
}

function nameFor({ secure }: SiteRequest): string {
  return `${secure ? '__Host-' : ''}latchkey.passkey-offer`
}
