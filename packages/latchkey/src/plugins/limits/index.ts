/**
 * Limits how often something is tried, by network, by what was typed, by user and by session.
 *
 * @module
 */

import { lowerCase } from '../../encoding/lower-case.ts'
import { TooManyAttempts } from '../../errors.ts'
import { formText } from '../../http/form.ts'
import { unmet } from '../../needs.ts'
import { loadOnce } from '../../once.ts'
import type { PluginOption } from '../../options/plugin-option.ts'
import {
  type ActionHooks,
  type AskedProvider,
  type AuthRequest,
  definePlugin,
  type Host,
  type LimitVerdict,
} from '../../plugin-kit.ts'
import type { Counter } from './counter.ts'
import { withRulesFor } from './rules-of-routes.ts'
import { type ClientAddress, type LimitsOptions, type Settings, settingsOf } from './settings.ts'

export { withClientAddress } from '../../http/client-address.ts'
export type { ClientAddress, LimitBy, LimitRule, LimitsOptions } from './settings.ts'

/**
 * Limits how often something is tried: sign-ins with a password, mails to an address, codes, passkeys, and every
 * POST. Needs the package `ipaddr.js`, and an adapter that counts attempts unless `store` is `process`.
 *
 * @throws TypeError for an option that is none.
 */
export function limits(options: LimitsOptions = {}): PluginOption<'limits'> {
  const settings = settingsOf(options)
  const plugin = definePlugin({
    name: 'limits',
    needs: settings.store === 'adapter' ? ['adapter', 'attempts'] : [],
    setUp(host) {
      const counter = loadOnce(() => loadCounter(host, settings))
      return {
        limiter: { count: async (...asked) => (await counter()).count(...asked) },
        actions: actionsOf(counter),
      }
    },
  })
  return withRulesFor(plugin, settings)
}

/**
 * Returns what finds out from which address a client asks, for servers that are given no request of the web.
 *
 * @param client where the address stands, as for {@link limits}.
 * @throws TypeError for a network that is none.
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
  const { createCounter } = await import('./counter.ts').catch((error: unknown) => {
    if (!String(error).includes('ipaddr.js')) throw error
    throw new Error(unmet({ what: 'limits()', name: 'ipaddr.js', from: '2.0.0' }, 'none'), {
      cause: error,
    })
  })
  return createCounter(host, settings)
}

/** What is counted of the built-in actions. */
function actionsOf(counter: () => Promise<Counter>): ActionHooks {
  return {
    async before(request, provider) {
      const { count, refused } = await counter()
      const name = nameOf(request, provider)
      const identifier = identifierOf(request, provider)
      if (request.method === 'POST') refuse('post', await count('post', { request }))
      if (name !== undefined) refuse(name, await count(name, { request, identifier }))
      if (request.action !== 'callback') return
      refuse('callback.failed', await refused('callback.failed', { request }))
    },
    async failed(request) {
      if (request.action === 'callback')
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

/** Fields that say who somebody is, of forms that applications have. */
const NAMES: readonly string[] = ['email', 'username', 'identifier', 'login', 'user', 'name']

/** What was typed, whether it exists or not: being limited says nothing about an account. */
function identifierOf(
  { form }: AuthRequest,
  provider: AskedProvider | undefined,
): string | undefined {
  if (provider?.type !== 'email' && provider?.type !== 'credentials') return undefined
  const typed = NAMES.map((name) => formText(form, name)).find((text) => text)
  return typed === undefined ? undefined : lowerCase(typed.slice(0, LONGEST).trim())
}

/** Characters of what is typed that are looked at. */
const LONGEST = 320
