import { Problem, type SiteRequest } from '../../../entries/plugin.ts'
import { tellSecurity } from '../../../entries/plugin-accounts.ts'
import type { Own } from '../own.ts'
import { type PendingSignUp, SIGN_UP_AGE } from '../records/sign-ups.ts'
import type { SignUpInput } from '../settings.ts'
import { deliver, drawProof, isLater, PAUSE } from './proof-mail.ts'
import { renewProof } from './unproved-users.ts'

/** A checked sign-up. */
export interface NewSignUp extends SignUpInput {
  /** The hash of the password. */
  readonly phc: string
  /** The id of the sign-up in this browser. */
  readonly flow: string
}

/**
 * Stores a sign-up and mails the code. An address that has a user gets another mail, and is otherwise treated alike: nobody
 * learns whether it has one.
 *
 * @throws {Problem} `mail_unavailable`
 */
export async function beginSignUp(
  { email, name, username, fields, phc, flow }: NewSignUp,
  request: SiteRequest,
  own: Own,
): Promise<void> {
  const { host, signUps, passwords } = own
  const now = host.ports.now()
  const user = await host.store?.getUserByEmail(email)
  const existing = Boolean(user)
  const key = await host.keys.hash('sign-up', email)
  const drawn = await drawProof(email, flow, own)
  const hash = await passwords.seal(phc, key)
  const isNew = await signUps.upsert(key, (before) => {
    if (before && now - before.sentAt < PAUSE) return undefined
    return {
      data: {
        flow,
        asked: askedBy(request, now),
        // What is sent after the response counts as sent: a second sign-up at once sends nothing.
        sentAt: isLater(own) ? now : 0,
        // Nothing is kept of a password that nobody can use.
        hash: existing ? '' : hash,
        ...(name !== undefined && { name }),
        ...(username !== undefined && { username }),
        ...(Object.keys(fields).length > 0 && { extra: fields }),
        ...drawn.stored,
        tries: 0,
        existing,
      },
      expires: new Date(now + SIGN_UP_AGE * 1000),
    }
  })
  if (!isNew) return
  await tellSecurity(host, {
    type: 'signup.begun',
    outcome: 'success',
    ...(user ? { userId: user.id } : { typed: email }),
  })
  await deliver({ key, email, kind: existing ? 'registered' : 'sign-up', drawn }, request, own)
}

/**
 * Sends the mail of a sign-up of this browser again, with another code. The earlier code and link end.
 *
 * @throws {Problem} `mail_unavailable`
 */
export async function sendAgain(
  { flow, email }: { readonly flow: string; readonly email: string },
  request: SiteRequest,
  own: Own,
): Promise<void> {
  const { host, signUps } = own
  const now = host.ports.now()
  const drawn = await drawProof(email, flow, own)
  const key = await host.keys.hash('sign-up', email)
  const sent = await signUps.update(key, (data) =>
    data.flow !== flow || now - data.sentAt < PAUSE
      ? undefined
      : {
          data: {
            ...data,
            ...drawn.stored,
            tries: 0,
            sentAt: isLater(own) ? now : data.sentAt,
          },
        },
  )
  if (!sent?.isChanged) return
  const { existing } = sent.record.data
  const isLetIn = own.settings.verify === 'after' && (await renewProof(email, flow, drawn, own))
  const kind = isLetIn ? 'let-in' : existing ? 'registered' : 'sign-up'
  await deliver({ key, email, kind, drawn }, request, own)
}

/** Returns who asked for something, for the page that is opened in another browser. */
export function askedBy(
  { original }: Pick<SiteRequest, 'original'>,
  at: number,
): PendingSignUp['asked'] {
  return { at, agent: (original.headers.get('user-agent') ?? '').slice(0, 300) }
}

/** @throws {Problem} `sign_up_refused` or the code of the application, if nobody or not this person may sign up. */
export async function needSignUp(input: SignUpInput, request: Request, own: Own): Promise<void> {
  const { signUp } = own.settings
  const allowed = typeof signUp === 'function' ? await signUp(input, request) : signUp
  if (allowed === true) return
  const code = typeof allowed === 'object' ? String(allowed.code) : undefined
  await tellRefused('sign_up_refused', input.email, own)
  throw new Problem('sign_up_refused', 'the option `signUp` refuses this sign-up', {
    ...(code !== undefined && { members: { reason: code } }),
  })
}

/** Tells that a sign-up was refused, known address or not. */
export async function tellRefused(
  reason: string,
  typed: string | undefined,
  { host }: Own,
): Promise<void> {
  await tellSecurity(host, { type: 'signup.refused', outcome: 'refused', reason, typed })
}
