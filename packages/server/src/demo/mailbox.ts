import { randomUUID } from 'node:crypto'
import { createMailStore } from 'latchkey/plugin/mailbox'

/** A mail that would have been sent. */
export interface Mail {
  readonly id: string
  readonly at: Date
  readonly to: string
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

const LONGEST_BODY = 100_000

/** The mails that were not sent, newest first, and never more than a hundred. */
export interface Mailbox {
  list(): readonly Mail[]
  find(id: string): Mail | undefined
  /** A transport for nodemailer that puts mails here. */
  readonly transport: {
    readonly name: string
    readonly version: string
    send(mail: { data: object }, done: (error: Error | null, info?: unknown) => void): void
  }
}

export function createMailbox(now: () => Date = () => new Date()): Mailbox {
  const { keep, list } = createMailStore<Mail>()
  return {
    list,
    find: (id) => list().find((mail) => mail.id === id),
    transport: {
      name: 'latchkey-mailbox',
      version: '1',
      send({ data }, done) {
        const mail = { id: randomUUID(), at: now(), ...partsOf(data as Record<string, unknown>) }
        keep(mail)
        done(null, { messageId: mail.id, accepted: [mail.to], rejected: [], pending: [] })
      },
    },
  }
}

function partsOf(data: Record<string, unknown>): Omit<Mail, 'id' | 'at'> {
  return {
    to: addressText(data['to']),
    from: addressText(data['from']),
    subject: textOf(data['subject']),
    text: textOf(data['text']),
    html: textOf(data['html']),
  }
}

function addressText(value: unknown): string {
  if (Array.isArray(value)) return value.map(addressText).join(', ')
  if (typeof value === 'object' && value !== null && 'address' in value)
    return textOf(value.address)
  return textOf(value)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, LONGEST_BODY) : ''
}
