/**
 * Limits attempts by network, typed identifier, user and session.
 *
 * @module
 */

import {
  type ActionHooks,
  type AskedProvider,
  type AuthRequest,
  clientAddress,
  definePlugin,
  formText,
  type Host,
  type LimitVerdict,
  loadOnce,
  type PendingSignIn,
  type PluginOption,
  type SiteRequest,
  TooManyAttempts,
} from '../../entries/plugin.ts'
import type { Counter } from './counter.ts'
import { routeWithoutRules } from './rules-of-routes.ts'
import { type ClientAddress, type LimitsOptions, type Settings, settingsOf } from './settings.ts'

export { withClientAddress } from '../../entries/plugin.ts'
export type { ClientAddress, LimitBy, LimitRule, LimitsOptions } from './settings.ts'

/**
 * Limits attempts: sign-ins with a password, mails to an address, codes, passkeys, and every POST. Needs an adapter
 * that counts attempts, unless `store` is `process`.
 *
 * @throws TypeError for an invalid option.
 */
export function limits(options: LimitsOptions = {}): PluginOption<'limits'> {
  const settings = settingsOf(options)
  return definePlugin({
    name: 'limits',
    check: (config) => routeWithoutRules(settings.rules, config),
    needs: settings.store === 'adapter' ? ['adapter', 'attempts'] : [],
    provides: ['limiter'],
    atEdge: () => ({ isWhole: true }),
    setUp(host) {
      const counter = loadOnce(() => loadCounter(host, settings))
      const finder = loadOnce(async () => {
        const find = await clientFinder(settings.client)
        return ({ headers }: Request, from: string | undefined) =>
          find(from, (name) => headers.get(name))
      })
      return {
        provides: {
          limiter: {
            count: async (...asked) => (await counter()).count(...asked),
            clientAddress: async (request) => (await finder())(request, clientAddress(request)),
          },
        },
        actions: actionsOf(counter),
        async afterSignIn(signIn, request) {
          const { createKnownBrowsers } = await import('./known-browser.ts')
          return createKnownBrowsers(host).remember(signIn, namesOf(signIn, request), request)
        },
      }
    },
  })
}

/**
 * Creates a function that finds the address of a client, for servers without a request of the web.
 *
 * @param client the source of the address, as for {@link limits}.
 * @throws TypeError for an invalid network.
 */
export async function clientFinder(
  client?: ClientAddress,
): Promise<
  (
    connection: string | undefined,
    header: (name: string) => string | null | undefined,
  ) => string | undefined
> {
  const { createFinder } = await import('./address.ts')
  return createFinder(client)
}

async function loadCounter(host: Host, settings: Settings): Promise<Counter> {
  const { createCounter } = await import('./counter.ts')
  return createCounter(host, settings)
}

/** Returns the hooks that count built-in actions. */
function actionsOf(counter: () => Promise<Counter>): ActionHooks {
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
    async failed(request, _, { isOwnCallback }) {
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
function namesOf(
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

/** Returns the text in the case in which addresses are stored, so all spellings of a letter are equal. */
function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim()
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
