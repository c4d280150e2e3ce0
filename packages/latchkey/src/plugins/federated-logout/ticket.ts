import { encodeBase64url, type JsonObject } from '../../entries/plugin.ts'
import type { Own } from './own.ts'

/** In seconds. */
const MAX_AGE = 60

/** The tolerated difference between clocks of processes, in milliseconds. */
const TOLERANCE = 15_000

const KIND = 'logout-ticket'
const SEALED_FOR = { key: 'ticket' }

/** The largest number of used tickets that a process keeps. */
const MOST = 10_000

/** The state of a sign-out on its way to the page that redirects to the provider. */
export interface Ticket {
  /** A ticket is accepted once. */
  readonly id: string
  readonly state: string
  /** The checked target of the visitor. */
  readonly target: string
  /** The id of the session that ended. */
  readonly sid: string
  readonly userId?: string
  /** The id of the provider. Without it, the cookie of the ID token has the provider. */
  readonly provider?: string
}

/** Returns the ticket of a sign-out. */
export async function writeTicket(
  ticket: Omit<Ticket, 'id' | 'state'>,
  { host }: Own,
): Promise<string> {
  const draw = (): string => encodeBase64url(host.ports.random(16))
  const data = { ...ticket, id: draw(), state: draw() } as unknown as JsonObject
  return host.keys.sealer(KIND).seal(data, { ...SEALED_FOR, maxAge: MAX_AGE })
}

/** Opens a ticket, once. @returns `undefined` if it is invalid, too old, or was used before. */
export async function takeTicket(text: string, own: Own): Promise<Ticket | undefined> {
  if (text.length > LONGEST) return undefined
  const data = await own.host.keys.sealer(KIND).open(text, SEALED_FOR)
  if (!data) return undefined
  const ticket = data as unknown as Ticket
  return (await isFirst(ticket.id, own)) ? ticket : undefined
}

/** In characters. A target has at most 2,048. */
const LONGEST = 8_000

async function isFirst(id: string, { host, memory: { used } }: Own): Promise<boolean> {
  const now = host.ports.now()
  const until = now + MAX_AGE * 1000 + TOLERANCE
  if (host.hasRecords) {
    return host.records.create({ kind: KIND, key: id, data: {}, expires: new Date(until) })
  }
  if (used.has(id)) return false
  for (const [each, end] of used) if (end <= now || used.size >= MOST) used.delete(each)
  used.set(id, until)
  return true
}
