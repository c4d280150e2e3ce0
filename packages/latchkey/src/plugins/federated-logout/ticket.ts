import { encodeBase64url, type JsonObject } from '../../entries/plugin.ts'
import type { Own } from './own.ts'

/** Seconds. */
const MAX_AGE = 60

/** Clocks of processes may differ by this, milliseconds. */
const TOLERANCE = 15_000

const KIND = 'logout-ticket'
const SEALED_FOR = { key: 'ticket' }

/** How many used tickets a process remembers. */
const MOST = 10_000

/** What a sign-out takes along to the page that leads to the provider. */
export interface Ticket {
  /** Used once. */
  readonly id: string
  readonly state: string
  /** Where the visitor wanted to go, judged already. */
  readonly target: string
  /** Of the session that ended. */
  readonly sid: string
  readonly userId?: string
  /** Its id; without one, the cookie with the ID token knows it. */
  readonly provider?: string
}

/** Makes a ticket for one sign-out. */
export async function writeTicket(
  ticket: Omit<Ticket, 'id' | 'state'>,
  { host }: Own,
): Promise<string> {
  const draw = (): string => encodeBase64url(host.ports.random(16))
  const data = { ...ticket, id: draw(), state: draw() } as unknown as JsonObject
  return host.keys.sealer(KIND).seal(data, { ...SEALED_FOR, maxAge: MAX_AGE })
}

/** Opens a ticket, once. @returns `undefined` when it is not ours, too old, or was used before. */
export async function takeTicket(text: string, own: Own): Promise<Ticket | undefined> {
  if (text.length > LONGEST) return undefined
  const data = await own.host.keys.sealer(KIND).open(text, SEALED_FOR)
  if (!data) return undefined
  const ticket = data as unknown as Ticket
  return (await isFirst(ticket.id, own)) ? ticket : undefined
}

/** Characters: a target has at most 2,048. */
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
