import { randomUUID } from 'node:crypto'

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

const MOST_MAILS = 50
const LONGEST_BODY = 100_000

/** The mails that were not sent, newest first, and never more than fifty. */
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
  let mails: readonly Mail[] = []
  return {
    list: () => mails,
    find: (id) => mails.find((mail) => mail.id === id),
    transport: {
      name: 'latchkey-mailbox',
      version: '1',
      send({ data }, done) {
        const mail = { id: randomUUID(), at: now(), ...partsOf(data as Record<string, unknown>) }
        mails = [mail, ...mails].slice(0, MOST_MAILS)
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

/** The first link of a mail that leads to our own site. */
export function linkOf({ text }: Pick<Mail, 'text'>, origin: string): string | undefined {
  const links = text.match(/https?:\/\/[^\s<>"']+/g) ?? []
  return links.find((link) => URL.canParse(link) && new URL(link).origin === origin)
}

/** The code of a sign-in mail: it stands on a line of its own. */
export function codeOf({ text }: Pick<Mail, 'text'>): string | undefined {
  return /^\d{6}$/m.exec(text)?.[0]
}
