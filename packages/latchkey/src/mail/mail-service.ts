import type {
  EmailConfig,
  EmailProviderSendVerificationRequestParams,
  EmailUserConfig,
} from '../options/provider-options.ts'
import { type SignInMail, signInMail } from './sign-in-mail.ts'

/** A mail that is to be sent. */
export interface OutgoingMail extends SignInMail {
  readonly to: string
  readonly from: Sender
  /** The link in it. */
  readonly url: string
  readonly code: string | undefined
}

/** `Name <address>`, and its parts. */
export interface Sender {
  readonly full: string
  readonly name: string | undefined
  readonly address: string
}

/** How a mail service is asked to send a mail. */
export interface MailServiceRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON, or as the form that it is. */
  readonly body: object | FormData
}

/** A mail service that is asked over HTTP. */
export interface MailServiceDescription<Options extends EmailUserConfig> {
  readonly id: string
  readonly name: string
  /** Members beside `apiKey` without which it cannot be asked. */
  readonly requires?: readonly string[]
  request(mail: OutgoingMail, provider: Options & { readonly apiKey: string }): MailServiceRequest
}

/** Seconds that a link works. */
const MAX_AGE = 600

/** Makes a provider of the description of a service: listed as it is, or called with options. */
export function mailService<Options extends EmailUserConfig = EmailUserConfig>(
  description: MailServiceDescription<Options>,
): (options?: Options) => EmailConfig {
  const { id, name, requires = [] } = description
  return (options) => ({
    id,
    name,
    type: 'email',
    maxAge: MAX_AGE,
    requires: ['apiKey', ...requires],
    sendVerificationRequest: (params) => send(description, params),
    ...(options ? { options } : {}),
  })
}

async function send<Options extends EmailUserConfig>(
  { name, request }: MailServiceDescription<Options>,
  params: EmailProviderSendVerificationRequestParams,
): Promise<void> {
  const { identifier: to, url, code, token, theme, texts, provider, fetch } = params
  const content = signInMail(url, provider.maxAge ?? MAX_AGE, theme, code, texts)
  const from = senderOf(provider.from ?? `no-reply@${new URL(url).hostname}`)
  const asked = request(
    { ...content, to, from, url, code },
    provider as unknown as Options & { apiKey: string },
  )
  const isForm = asked.body instanceof FormData
  const response = await fetch(asked.url, {
    method: 'POST',
    headers: isForm ? asked.headers : { ...asked.headers, 'content-type': 'application/json' },
    body: isForm ? asked.body : JSON.stringify(asked.body),
  })
  if (response.ok) return
  const reason = reasonIn(await response.text(), [token, code, provider.apiKey, to])
  throw new Error(`${name} answered ${response.status}${reason && `: ${reason}`}`)
}

/** `Name <address>`, or an address alone. */
function senderOf(full: string): Sender {
  const sender = full.trim()
  const bracket = sender.endsWith('>') ? sender.lastIndexOf('<') : -1
  if (bracket < 0) return { full, name: undefined, address: sender }
  const name = sender.slice(0, bracket).trim()
  return { full, name: name || undefined, address: sender.slice(bracket + 1, -1) }
}

/** Characters of a reason that are logged. */
const REASON_LENGTH = 200

/** What a service says of its refusal, without what nobody's log should hold. */
function reasonIn(body: string, secrets: readonly (string | undefined)[]): string {
  let reason = body.replaceAll(/\s+/g, ' ').trim()
  for (const secret of secrets) {
    if (!secret) continue
    for (const text of [secret, encodeURIComponent(secret)]) {
      reason = reason.replaceAll(text, '[…]')
    }
  }
  return reason.slice(0, REASON_LENGTH)
}

/** Credentials of HTTP Basic (RFC 7617). */
export function basic(user: string, password: string): string {
  return `Basic ${btoa(`${user}:${password}`)}`
}
