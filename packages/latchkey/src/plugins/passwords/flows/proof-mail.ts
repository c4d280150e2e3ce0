import { encodeBase64url, type SiteRequest } from '../../../entries/plugin.ts'
import { drawCode } from '../../../entries/plugin-accounts.ts'
import { mailAlreadyRegistered, mailLetIn, mailVerification } from '../mails.ts'
import type { Own } from '../own.ts'
import type { PendingSignUp } from '../records/sign-ups.ts'

/** Milliseconds within which nothing new is sent to an address. */
export const PAUSE = 60_000

/** Whether mails are sent after the response. */
export const isLater = ({ settings, host }: Own): boolean =>
  settings.mailInBackground ?? host.work.continues

/** What is mailed: the proof of a sign-up, that of a user who may sign in already, or that there is an account. */
export type ProofMail = 'sign-up' | 'let-in' | 'registered'

interface Delivery {
  readonly key: string
  readonly email: string
  readonly kind: ProofMail
  readonly drawn: Drawn
}

/** Sends the mail, now or after the response. @throws {Problem} `mail_unavailable`, if it is sent now. */
export async function deliver(delivery: Delivery, request: SiteRequest, own: Own): Promise<void> {
  const { email, kind, drawn } = delivery
  const mail = (): Promise<void> => mailProof(email, kind, drawn, request, own)
  if (!isLater(own)) {
    await mail()
    await noteSent(delivery, own.host.ports.now(), own)
    return
  }
  await own.host.work.afterResponse('sign-up', async () => {
    try {
      await mail()
    } catch (error) {
      await noteSent(delivery, 0, own)
      throw error
    }
  })
}

/** Notes when the mail was sent. If it was not sent, the visitor need not wait before asking for another one. */
async function noteSent(
  { key, drawn: { stored } }: Delivery,
  sentAt: number,
  { signUps }: Own,
): Promise<void> {
  await signUps.update(key, (data) =>
    data.token === stored.token ? { data: { ...data, sentAt } } : undefined,
  )
}

/** A code and a token for a mail, and what is stored of them. */
export interface Drawn {
  readonly code: string
  readonly token: string
  readonly stored: Pick<PendingSignUp, 'code' | 'token'>
}

export async function drawProof(email: string, flow: string, { host }: Own): Promise<Drawn> {
  const code = drawCode(host.ports.random)
  const token = encodeBase64url(host.ports.random(32))
  const stored = {
    code: await host.keys.hash('sign-up-code', email, flow, code),
    token: await host.keys.hash('sign-up-token', email, token),
  }
  return { code, token, stored }
}

export async function mailProof(
  email: string,
  kind: ProofMail,
  { code, token }: Drawn,
  request: SiteRequest,
  own: Own,
): Promise<void> {
  const { host } = own
  // One limit for all mails that strangers can cause. The answer is the same.
  if (!(await host.attempts.mayMail(email, request))) return
  if (kind === 'registered') return mailAlreadyRegistered(email, request, own)
  const url = `${request.origin}${host.site.path('password/verify', { token, email })}`
  const mail = kind === 'let-in' ? mailLetIn : mailVerification
  return mail(email, { code, url }, request, own)
}
