import type {
  EmailConfig,
  EmailProviderSendVerificationRequestParams,
  EmailUserConfig,
  SendMailParams,
} from '../options/provider-options.ts'
import { defaultSender } from './default-sender.ts'
import type { WrittenMail } from './mail-frame.ts'
import { MAX_AGE, signInMail } from './sign-in-mail.ts'

/** A mail to send. */
export interface OutgoingMail extends WrittenMail {
  readonly to: string
  readonly from: Sender
  /** The link of a sign-in mail. */
  readonly url: string | undefined
  readonly code: string | undefined
}

/** `Name <address>`, and its parts. */
export interface Sender {
  readonly full: string
  readonly name: string | undefined
  readonly address: string
}

/** The request to a mail service. */
export interface MailServiceRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON, or as a form. */
  readonly body: object | FormData
}

/** A mail service with an HTTP API. */
export interface MailServiceDescription<Options extends EmailUserConfig> {
  readonly id: string
  readonly name: string
  /** Required members in addition to `apiKey`. */
  readonly requires?: readonly string[]
  request(mail: OutgoingMail, provider: Options & { readonly apiKey: string }): MailServiceRequest
  /** Whether the service uses a template of the application, and can only send sign-in mails. */
  readonly isTemplate?: boolean
}

/** Creates a provider from the description of a service. It can be listed directly, or called with options. */
export function mailService<Options extends EmailUserConfig = EmailUserConfig>(
  description: MailServiceDescription<Options>,
): (options?: Options) => EmailConfig {
  const { id, name, requires = [], isTemplate = false } = description
  return (options) => ({
    id,
    name,
    type: 'email',
    maxAge: MAX_AGE,
    requires: ['apiKey', ...requires],
    sendVerificationRequest: (params) => sendSignIn(description, params),
    ...(!isTemplate && { sendMail: (params) => sendAny(description, params) }),
    ...(options ? { options } : {}),
  })
}

async function sendSignIn<Options extends EmailUserConfig>(
  description: MailServiceDescription<Options>,
  params: EmailProviderSendVerificationRequestParams,
): Promise<void> {
  const { identifier: to, url, code, token, provider, fetch } = params
  const from = senderFrom(provider, url)
  await send(description, { ...signInMail(params), to, from, url, code }, { provider, fetch }, [
    token,
    code,
  ])
}

async function sendAny<Options extends EmailUserConfig>(
  description: MailServiceDescription<Options>,
  { mail, provider, origin, fetch }: SendMailParams,
): Promise<void> {
  const outgoing = { ...mail, from: senderFrom(provider, origin), url: undefined, code: undefined }
  await send(description, outgoing, { provider, fetch }, wordsOf(mail.text))
}

/** Minimum length of a word that may be a code, or part of a link. */
const SECRET_LENGTH = 6

/** Returns the words of a text that the log must not contain, since only the plugin knows which word is a code. */
function wordsOf(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => word.length >= SECRET_LENGTH)
  return [text.replaceAll(/\s+/g, ' ').trim(), ...new Set(words)]
}

/** @param secrets values that the log must not contain. */
async function send<Options extends EmailUserConfig>(
  { name, request }: MailServiceDescription<Options>,
  mail: OutgoingMail,
  { provider, fetch }: Pick<SendMailParams, 'provider' | 'fetch'>,
  secrets: readonly (string | undefined)[],
): Promise<void> {
  const asked = request(mail, provider as unknown as Options & { apiKey: string })
  const isForm = asked.body instanceof FormData
  const response = await fetch(asked.url, {
    method: 'POST',
    headers: isForm ? asked.headers : { ...asked.headers, 'content-type': 'application/json' },
    body: isForm ? asked.body : JSON.stringify(asked.body),
  })
  if (response.ok) return
  const reason = reasonIn(await response.text(), [...secrets, provider.apiKey, mail.to])
  throw new Error(`${name} returned status ${response.status}${reason && `: ${reason}`}`)
}

function senderFrom({ from }: EmailConfig, url: string): Sender {
  return senderOf(from ?? defaultSender(url))
}

/** Parses `Name <address>`, or an address. */
function senderOf(full: string): Sender {
  const sender = full.trim()
  const bracket = sender.endsWith('>') ? sender.lastIndexOf('<') : -1
  if (bracket < 0) return { full, name: undefined, address: sender }
  const name = sender.slice(0, bracket).trim()
  return { full, name: name || undefined, address: sender.slice(bracket + 1, -1) }
}

/** Maximum length of a logged reason. */
const REASON_LENGTH = 200

/** Maximum length of a response that is searched for secrets. */
const READ_LENGTH = 10_000

/** Returns the beginning of a body up to the end of a word, since a cut secret would not be found. */
function beginningOf(body: string): string {
  if (body.length <= READ_LENGTH) return body
  const read = body.slice(0, READ_LENGTH)
  const spaces = [' ', '\t', '\n', '\r'].map((space) => read.lastIndexOf(space))
  return read.slice(0, Math.max(...spaces) + 1)
}

/** Returns the reason of the mail service, without secrets. */
function reasonIn(body: string, secrets: readonly (string | undefined)[]): string {
  let reason = beginningOf(body).replaceAll(/\s+/g, ' ').trim()
  for (const secret of secrets) {
    if (!secret) continue
    for (const text of [secret, encodeURIComponent(secret)]) {
      reason = reason.replaceAll(text, '[…]')
    }
  }
  return reason.slice(0, REASON_LENGTH)
}

/** Returns the credentials of HTTP Basic (RFC 7617). */
export function basic(user: string, password: string): string {
  return `Basic ${btoa(`${user}:${password}`)}`
}
