import {
  duration,
  type MailContent,
  type MailPart,
  type SiteRequest,
} from '../../entries/plugin.ts'
import {
  type Cleared,
  inLanguageOf,
  type MailAbout,
  type MailParts,
  notMeButton,
  sendMail,
} from '../../entries/plugin-accounts.ts'
import type { Own } from './own.ts'
import type { PasswordsKey } from './texts.ts'

type Parts = MailParts<PasswordsKey>

/** Sends one mail. @throws {Problem} `mail_unavailable` */
const send = (
  about: MailAbout,
  request: SiteRequest,
  { host }: Own,
  content: (parts: Parts) => MailContent,
): Promise<void> => sendMail<PasswordsKey>(about, request, host, content)

/** The owner of an account, at their address. */
interface Receiver {
  readonly to: string
  readonly userId: string
}

/** The code and the link that prove an address. */
export function mailVerification(
  to: string,
  { code, url }: { readonly code: string; readonly url: string },
  request: SiteRequest,
  own: Own,
): Promise<void> {
  const values = { code, url, isSignedIn: false }
  return send(
    { to, kind: 'verify-address', values },
    request,
    own,
    ({ text, name, requested }) => ({
      subject: text('passwords:mail.verify.subject', { code, name }),
      title: text('passwords:mail.verify.title'),
      body: [
        text('passwords:mail.verify.body', { name }),
        { code },
        text('passwords:mail.verify.link'),
        { button: text('passwords:mail.verify.button'), url },
        text('passwords:mail.verify.expires'),
      ],
      notes: [`${requested} ${text('passwords:mail.verify.ignore')}`],
    }),
  )
}

/** The link and the code for somebody who may sign in before the address is proved. */
export function mailLetIn(
  to: string,
  { code, url }: { readonly code: string; readonly url: string },
  request: SiteRequest,
  own: Own,
): Promise<void> {
  const days = daysOf(own.settings)
  const values = {
    code,
    url,
    isSignedIn: true,
    ...(days !== undefined && { deletedAfter: days }),
  }
  return send(
    { to, kind: 'verify-address', values },
    request,
    own,
    ({ text, name, requested }) => ({
      subject: text('passwords:mail.verify.subject', { code, name }),
      title: text('passwords:mail.verify.title'),
      body: [
        text('passwords:mail.let-in.body', { name }),
        { button: text('passwords:mail.verify.button'), url },
        text('passwords:mail.let-in.code'),
        { code },
        text('passwords:mail.verify.expires'),
      ],
      notes: [
        [
          requested,
          text('passwords:mail.let-in.ignore'),
          ...(days === undefined ? [] : [text('passwords:unproved.deleted', { count: days })]),
        ].join(' '),
      ],
    }),
  )
}

/** Returns after how many days users without a proven address are deleted. */
export function daysOf({ unprovedLifetime }: Own['settings']): number | undefined {
  return unprovedLifetime === false ? undefined : Math.ceil(unprovedLifetime / (24 * 60 * 60))
}

/** Says to somebody who signs up again that there is an account. */
export function mailAlreadyRegistered(to: string, request: SiteRequest, own: Own): Promise<void> {
  const signIn = `${request.origin}${own.host.site.path('signin')}`
  const reset = forgotUrl(request, own)
  const about = { to, kind: 'already-registered', values: { signIn, reset } } as const
  return send(about, request, own, ({ text, name, requested }) => ({
    subject: text('passwords:mail.registered.subject', { name }),
    title: text('passwords:mail.registered.title'),
    body: [
      text('passwords:mail.registered.body'),
      { button: text('passwords:mail.registered.sign-in'), url: signIn },
      text('passwords:mail.registered.forgot'),
      { button: text('passwords:mail.registered.reset'), url: reset },
    ],
    notes: [`${requested} ${text('passwords:mail.registered.ignore')}`],
  }))
}

/** A link to choose a password. */
export interface ResetLink {
  readonly url: string
  /** Whether there is a password already. */
  readonly hasPassword: boolean
  /** How many passkeys the user signs in with; only without a password. */
  readonly passkeys?: number
  /** The names of the providers that the user signs in with; only without a password. */
  readonly providers?: readonly string[]
  /** Seconds for which it works. */
  readonly expiresIn: number
  /** Whether the account has no way in yet, since somebody else created it. */
  readonly isFirst?: boolean
}

export function mailReset(
  receiver: Receiver,
  { url, hasPassword, passkeys = 0, providers = [], expiresIn, isFirst = false }: ResetLink,
  request: SiteRequest,
  own: Own,
): Promise<void> {
  const values = { url, hasPassword, passkeys, providers, expiresIn, isFirst }
  const about = { ...receiver, kind: 'password-reset', values } as const
  return send(about, request, own, ({ text, name, requested }) => {
    const once = text('passwords:mail.reset.once', { duration: duration(expiresIn, { text }) })
    if (isFirst)
      return {
        subject: text('passwords:mail.first.subject', { name }),
        title: text('passwords:mail.first.title'),
        body: [
          text('passwords:mail.first.body', { name }),
          { button: text('passwords:mail.first.title'), url },
          once,
        ],
        notes: [text('passwords:mail.first.ignore', { name })],
      }
    const ways = [
      ...(passkeys > 0 ? [text('passwords:mail.cleared.passkeys', { count: passkeys })] : []),
      ...providers,
    ]
    return {
      subject: text('passwords:mail.reset.subject', { name }),
      title: text('passwords:mail.reset.title'),
      body: [
        text(hasPassword ? 'passwords:mail.reset.body' : 'passwords:mail.reset.set'),
        ...(ways.length > 0 ? [{ facts: ways }] : []),
        { button: text('passwords:mail.reset.button'), url },
        once,
      ],
      notes: [`${requested} ${text('passwords:mail.reset.ignore')}`],
    }
  })
}

/** Says that no account has the address. */
export function mailNoAccount(to: string, request: SiteRequest, own: Own): Promise<void> {
  const about = { to, kind: 'no-account', values: {} } as const
  return send(about, request, own, ({ text, name, requested }) => ({
    subject: text('passwords:mail.unknown.subject', { name }),
    title: text('passwords:mail.unknown.title'),
    body: [text('passwords:mail.unknown.body')],
    notes: [`${requested} ${text('passwords:mail.reset.ignore')}`],
  }))
}

/** Tells the owner of an account about a new password. */
export async function mailChanged(
  { userId, to }: Receiver,
  request: SiteRequest,
  own: Own,
): Promise<void> {
  const theirs = await inLanguageOf(userId, request, own.host)
  const { text: texts } = await own.host.site.text<PasswordsKey>(theirs)
  const [notMe] = await notMeButton(userId, texts('passwords:change.done'), theirs, own.host)
  const url = notMe?.url ?? forgotUrl(request, own)
  const about = { to, userId, kind: 'password-changed', values: { url } } as const
  await send(about, theirs, own, ({ text, name, requested }) => ({
    subject: text('passwords:mail.changed.subject', { name }),
    title: text('passwords:mail.changed.title'),
    body: [
      requested,
      text('passwords:mail.changed.body'),
      text('passwords:mail.changed.not-you'),
      notMe ?? resetButton(text, request, own),
    ],
    notes: [text('passwords:mail.changed.always')],
  }))
}

/** Tells the owner of an account that its password was disabled for new browsers. */
export function mailDisabled(receiver: Receiver, request: SiteRequest, own: Own): Promise<void> {
  const values = { url: forgotUrl(request, own) }
  const about = { ...receiver, kind: 'password-disabled', values } as const
  return send(about, request, own, ({ text, name }) => ({
    subject: text('passwords:mail.locked.subject', { name }),
    title: text('passwords:mail.locked.title'),
    body: [
      text('passwords:mail.locked.body'),
      text('passwords:mail.locked.reset'),
      resetButton(text, request, own),
    ],
    notes: [text('passwords:mail.changed.always')],
  }))
}

/** Tells the owner of an account that its password is on a list of breaches, and has to be changed. */
export function mailBreached(receiver: Receiver, request: SiteRequest, own: Own): Promise<void> {
  const values = { url: forgotUrl(request, own) }
  const about = { ...receiver, kind: 'breached-password', values } as const
  return send(about, request, own, ({ text, name }) => ({
    subject: text('passwords:mail.breached.subject', { name }),
    title: text('passwords:mail.breached.title'),
    body: [
      text('passwords:mail.breached.body'),
      resetButton(text, request, own),
      text('passwords:mail.breached.others'),
    ],
    notes: [text('passwords:mail.changed.always')],
  }))
}

/** Says what the proof of an address removed. */
export function mailCleared(
  receiver: Receiver,
  values: Cleared,
  request: SiteRequest,
  own: Own,
): Promise<void> {
  const { hadPassword, passkeys, accounts, hadFactors, apiKeys } = values
  const about = { ...receiver, kind: 'account-reset', values } as const
  return send(about, request, own, ({ text, name, requested }) => {
    const lines = [
      ...(hadPassword ? [text('passwords:mail.cleared.password')] : []),
      ...(passkeys > 0 ? [text('passwords:mail.cleared.passkeys', { count: passkeys })] : []),
      ...(hadFactors ? [text('passwords:mail.cleared.factors')] : []),
      ...(apiKeys > 0 ? [text('passwords:mail.cleared.api-keys', { count: apiKeys })] : []),
      ...accounts,
    ]
    return {
      subject: text('passwords:mail.cleared.subject', { name }),
      title: text('passwords:mail.cleared.title'),
      body: [
        text('passwords:mail.cleared.body'),
        lines.length > 0 ? { facts: lines } : text('passwords:mail.cleared.none'),
      ],
      notes: [requested],
    }
  })
}

const forgotUrl = ({ origin }: SiteRequest, { host }: Own): string =>
  `${origin}${host.site.path('password/forgot')}`

function resetButton(text: Parts['text'], request: SiteRequest, own: Own): MailPart {
  return { button: text('passwords:mail.registered.reset'), url: forgotUrl(request, own) }
}
