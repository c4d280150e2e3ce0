import {
  dateText,
  type MailPart,
  type SiteRequest,
  type TextKey,
  type UnwantedChange,
} from '../../entries/plugin.ts'
import {
  foreignText,
  inLanguageOf,
  type MailAbout,
  type MailParts,
  notMeButton,
  sendMail,
} from '../../entries/plugin-accounts.ts'
import type { Own } from './own.ts'
import type { AccountKey } from './texts.ts'

type Parts = MailParts<AccountKey | TextKey>

const DAY: number = 24 * 60 * 60_000

/** An address of a user. */
interface Receiver {
  readonly to: string
  readonly userId: string
}

/** The code and the link that prove a new address. */
export function mailConfirm(
  { to, userId }: Receiver,
  { code, url }: { readonly code: string; readonly url: string },
  request: SiteRequest,
  { host }: Own,
): Promise<void> {
  const about = { to, userId, kind: 'address-confirm', values: { code, url } } as const
  return sendMail<AccountKey>(about, request, host, ({ text, name, requested }) => ({
    subject: text('account:mail.confirm.subject', { code, name }),
    title: text('account:mail.confirm.title'),
    body: [
      text('account:mail.confirm.body'),
      { code },
      text('account:mail.confirm.link'),
      { button: text('account:mail.confirm.button'), url },
      text('account:mail.confirm.once'),
    ],
    notes: [`${requested} ${text('account:mail.ignore')}`],
  }))
}

/** Returns an address that somebody else may have typed. One with a path or `www.` would be a link to another site. */
function shownAddress(address: string): string {
  const isPlain = address.length <= 100 && !/[/?#]|^www\./.test(address)
  return isPlain ? address : foreignText(address)
}

/** Says that an address cannot be used, because it has an account. */
export function mailTaken(to: string, request: SiteRequest, { host }: Own): Promise<void> {
  const about = { to, kind: 'already-registered', values: {} } as const
  return sendMail<AccountKey>(about, request, host, ({ text, name, requested }) => ({
    subject: text('account:mail.taken.subject', { name }),
    title: text('account:mail.taken.title'),
    body: [text('account:mail.taken.body')],
    notes: [requested],
  }))
}

/** Tells the owner of an address that it is about to be replaced. */
export async function mailChanging(
  user: { readonly id: string; readonly email: string },
  to: string,
  request: SiteRequest,
  own: Own,
): Promise<void> {
  const theirs = await inLanguageOf(user.id, request, own.host)
  const { text } = await own.host.site.text<AccountKey>(theirs)
  const happened = text('account:mail.changing.what')
  const newAddress = shownAddress(to)
  const about = { kind: 'address-changing', values: { newAddress } } as const
  await notice({ ...user, happened, about }, theirs, own, (parts, button) => ({
    subject: parts.text('account:mail.changing.subject', { name: parts.name }),
    title: parts.text('account:mail.changing.title'),
    body: [parts.text('account:mail.changing.body', { to: newAddress }), ...button],
  }))
}

/** Tells the owner of the former address that it was replaced, with a link that undoes it. */
export function mailChanged(
  { to: from, userId }: Receiver,
  { to, url }: { readonly to: string; readonly url: string },
  request: SiteRequest,
  { host, settings }: Own,
): Promise<void> {
  const undoDays = Math.floor(settings.undo / DAY)
  const newAddress = shownAddress(to)
  const values = { receiver: 'former', newAddress, undo: url, undoDays } as const
  const about = { to: from, userId, kind: 'address-changed', values } as const
  return sendMail<AccountKey>(about, request, host, ({ text, name, requested }) => ({
    subject: text('account:mail.changed.subject', { name }),
    title: text('account:mail.changed.title'),
    body: [
      text('account:mail.changed.body', { to: newAddress }),
      text('account:mail.changed.undo', { count: undoDays }),
      { button: text('account:mail.changed.button'), url },
    ],
    notes: [requested, text('account:mail.always')],
  }))
}

/** Tells the owner of the new address that it is used. */
export function mailWelcome(
  { to, userId }: Receiver,
  request: SiteRequest,
  { host }: Own,
): Promise<void> {
  const values = { receiver: 'new', newAddress: shownAddress(to) } as const
  const about = { to, userId, kind: 'address-changed', values } as const
  return sendMail<AccountKey>(about, request, host, ({ text, name, requested }) => ({
    subject: text('account:mail.changed.subject', { name }),
    title: text('account:mail.changed.title'),
    body: [text('account:mail.welcome.body')],
    notes: [requested],
  }))
}

/** What was added to an account or removed from it. */
export type Changed =
  | { readonly kind: 'passkey-added' | 'passkey-removed'; readonly passkey: string }
  | { readonly kind: 'connection-added' | 'connection-removed'; readonly provider: string }

/**
 * Tells the owner of an account what was added or removed, if they have a proven address. Errors are logged.
 *
 * @param change what the link in the mail undoes.
 */
export async function tellChange(
  user: {
    readonly id: string
    readonly email?: string | null
    readonly emailVerified?: Date | null
  },
  changed: Changed,
  request: SiteRequest,
  own: Own,
  change?: UnwantedChange,
): Promise<void> {
  const { id, email, emailVerified } = user
  if (!email || !emailVerified) return
  const { kind } = changed
  await own.host.work.background(kind, async () => {
    const theirs = await inLanguageOf(id, request, own.host)
    const { text } = await own.host.site.text<AccountKey>(theirs)
    const about =
      'passkey' in changed
        ? { kind: changed.kind, values: { passkey: foreignText(changed.passkey) } }
        : { kind: changed.kind, values: { provider: foreignText(changed.provider) } }
    const names: Readonly<Record<string, string>> = about.values
    const body = text(`account:mail.${kind}.body`, names)
    const write: Writer = (parts, button) => {
      const subject = parts.text(`account:mail.${kind}.subject`, { ...names, name: parts.name })
      return { subject, title: subject, body: [body, ...button] }
    }
    await notice({ id, email, happened: body, about, change }, theirs, own, write)
  })
}

/** The link that confirms a deletion. */
export async function mailDeletionLink(
  user: { readonly id: string; readonly email: string },
  url: string,
  request: SiteRequest,
  own: Own,
): Promise<void> {
  const theirs = await inLanguageOf(user.id, request, own.host)
  const { text } = await own.host.site.text<AccountKey>(theirs)
  const happened = text('account:mail.delete.what')
  const about = { kind: 'deletion-confirm', values: { url } } as const
  await notice({ ...user, happened, about }, theirs, own, (parts, button) => ({
    subject: parts.text('account:mail.delete.subject', { name: parts.name }),
    title: parts.text('account:mail.delete.title'),
    body: [
      parts.text('account:mail.delete.body'),
      { button: parts.text('account:mail.delete.button'), url },
      ...button,
    ],
  }))
}

/** Says when an account is deleted, and how to keep it. */
export async function mailPlanned(
  user: { readonly id: string; readonly email: string },
  at: number,
  request: SiteRequest,
  own: Own,
): Promise<void> {
  const theirs = await inLanguageOf(user.id, request, own.host)
  const date = new Date(at)
  const url = `${request.origin}${own.host.site.path('account/keep')}`
  const about = {
    to: user.email,
    userId: user.id,
    kind: 'deletion-planned',
    values: { date, url },
  } as const
  await sendMail<AccountKey>(about, theirs, own.host, ({ text, lang, name, requested }) => ({
    subject: text('account:mail.planned.subject', { name }),
    title: text('account:mail.planned.title'),
    body: [
      text('account:mail.planned.body', { date: dateText(date.toISOString(), lang) }),
      { button: text('account:mail.planned.button'), url },
    ],
    notes: [requested, text('account:mail.always')],
  }))
}

type Writer = (
  parts: Parts,
  button: readonly MailPart[],
) => { readonly subject: string; readonly title: string; readonly body: readonly MailPart[] }

interface Notice {
  readonly id: string
  readonly email: string
  /** What happened, for the page of the link. */
  readonly happened: string
  readonly about: Pick<MailAbout, 'kind' | 'values'>
  readonly change?: UnwantedChange | undefined
}

/** Sends a notice with the link "this was not me". */
async function notice(
  { id, email, happened, about, change }: Notice,
  request: SiteRequest,
  { host }: Own,
  write: Writer,
): Promise<void> {
  const { text } = await host.site.text<AccountKey>(request)
  const button = await notMeButton(id, happened, request, host, change)
  const further = button.length > 0 ? [text('account:mail.not-you'), ...button] : []
  const notMe = Object.fromEntries(button.map(({ url }) => ['notMe', url]))
  const values = { ...about.values, ...notMe }
  const whole = { to: email, userId: id, kind: about.kind, values } as MailAbout
  await sendMail<AccountKey>(whole, request, host, (parts) => ({
    ...write(parts, further),
    notes: [parts.requested, parts.text('account:mail.always')],
  }))
}
