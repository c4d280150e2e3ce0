import {
  type ActionHooks,
  type AskedProvider,
  type AuthRequest,
  formText,
  type LimitVerdict,
  type PendingSignIn,
  type SiteRequest,
  TooManyAttempts,
} from '../../entries/plugin.ts'
import type { Counter } from './counting/counter.ts'
import { foldCase } from './fold-case.ts'

/** Returns the hooks that count built-in actions. */
export function actionsOf(
  counter: () => Promise<Counter>,
  noteFailure: () => Promise<void> | undefined,
): ActionHooks {
  return {
    async before(request, provider, { isProven }) {
      const { count, refused } = await counter()
      const name = nameOf(request, provider)
      const identifier = await identifiersOf(request, provider)
      if (request.method === 'POST') refuse('post', await count('post', { request, isProven }))
      if (name !== undefined) refuse(name, await count(name, { request, identifier, isProven }))
      if (request.action !== 'callback') return
      refuse('callback.failed', await refused('callback.failed', { request }))
    },
    async failed(request, provider, { isOwnCallback }) {
      const isGuess = request.method === 'POST' && provider?.type === 'credentials'
      if (isGuess && !provider.isCounted) await noteFailure()
      // A request for an image of another site also fails, but names no sign-in of this browser.
      if (request.action === 'callback' && (await isOwnCallback()))
        await (await counter()).count('callback.failed', { request })
    },
  }
}

function refuse(name: string, verdict: LimitVerdict): void {
  if (verdict.allowed) return
  const { retryAfter, headers } = verdict
  throw new TooManyAttempts(`the limit of ${name} is reached`, { retryAfter, headers })
}

function nameOf(
  { action, method, form }: AuthRequest,
  provider: AskedProvider | undefined,
): string | undefined {
  if (action === 'webauthn-options') return 'passkey.options'
  if (method !== 'POST') return undefined
  if (provider?.isCounted) return undefined
  if (provider?.type === 'credentials') return 'credentials.sign-in'
  if (provider?.type !== 'email') return undefined
  if (action === 'signin') return 'mail.send'
  return action === 'callback' && formText(form, 'code') !== undefined
    ? 'mail-code.verify'
    : undefined
}

/** Names of form fields that identify a user. */
const NAMES: readonly string[] = [
  'email',
  'username',
  'identifier',
  'login',
  'user',
  'name',
  'phone',
  'phoneNumber',
  'tel',
  'mobile',
  'account',
]

/**
 * Returns the typed identifiers, whether they exist or not, so a limit reveals nothing about accounts. All such fields
 * are counted, since the library does not know which one the application reads.
 */
async function identifiersOf(
  { form }: AuthRequest,
  provider: AskedProvider | undefined,
): Promise<readonly string[]> {
  if (provider?.type === 'email') {
    const typed = textOf(form['email'])
    return typed === '' ? [] : [foldCase(await addressOf(typed, provider))]
  }
  return provider?.type === 'credentials' ? typedNames(form) : []
}

function typedNames(form: AuthRequest['form']): readonly string[] {
  const typed = NAMES.map((name) => textOf(form[name])).filter((text) => text !== '')
  return [...new Set(typed.map(foldCase))]
}

/**
 * Returns the names that a sign-in proves to belong to the user: the identifier typed beside the password, and a proven
 * address. If several identifiers were typed, it is unknown which one the application read. An address that the
 * provider does not confirm may belong to another user.
 */
export function namesOf(
  { user, account, profile }: PendingSignIn,
  request: SiteRequest | AuthRequest,
): readonly string[] {
  const isForm = 'action' in request && request.providerId === account.provider
  const typed = isForm && account.type === 'credentials' ? typedNames(request.form) : []
  const isVouchedFor = profile?.email_verified === true && profile.email === user.email
  const isProven = isVouchedFor || ('emailVerified' in user && user.emailVerified instanceof Date)
  const address = account.type === 'email' ? account.providerAccountId : isProven && user.email
  return [...(typed.length === 1 ? typed : []), ...(address ? [foldCase(address)] : [])]
}

/** Returns the address as it is mailed to. An address that the application refuses is counted as it was typed. */
async function addressOf(typed: string, { normalizeIdentifier }: AskedProvider): Promise<string> {
  try {
    return String((await normalizeIdentifier?.(typed)) ?? typed)
  } catch {
    return typed
  }
}

/**
 * Returns the text of a field. In JSON, a list of one text counts as that text, and all other values share one text.
 */
function textOf(field: unknown): string {
  let value = field
  while (Array.isArray(value) && value.length === 1) value = value[0]
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value ?? '').slice(0, LONGEST)
}

/** Characters of a typed identifier that are read. */
const LONGEST = 320
