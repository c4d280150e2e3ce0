/**
 * Sign-in with a code by mail, without a link.
 *
 * @module
 */

import {
  definePlugin,
  type LimitRules,
  lazyRoutes,
  loadOnce,
  type PluginMethods,
  type PluginOption,
  refusedForms,
} from '../../entries/plugin.ts'
import { accountRules, limitsOfPlugins } from '../../entries/plugin-limits.ts'
import { developmentMailbox } from '../../entries/plugin-mailbox.ts'
import type { Own } from './own.ts'
import { type EmailCodeOptions, settingsOf } from './settings.ts'
import { texts } from './texts.ts'

export type { EmailCodeOptions } from './settings.ts'

/** Loads what the routes share, at the first request. */
type LoadOwn = () => Promise<Own>

/**
 * Signs in with a code that is mailed, without a link. Needs an adapter with records that counts attempts, and a mail
 * provider.
 *
 * @throws {TypeError} for an invalid option.
 */
export function emailCode(options: EmailCodeOptions = {}): PluginOption<'emailCode'> {
  const settings = settingsOf(options)
  return definePlugin<'emailCode', object, LoadOwn>({
    name: 'emailCode',
    needs: ['adapter', 'records', 'attempts', 'mail'],
    brings: [...(settings.limits ? [limitsOfPlugins()] : []), developmentMailbox()],
    limits: LIMITS,
    mails: ['email-code'],
    texts,
    problems: { address_not_accepted: { status: 422, text: 'emailCode:address_not_accepted' } },
    refusedForms,
    routes,
    signInWay: { codeAction: 'email-code/send' },
    // At the edge, the `jwt` callback must not change the time of the proof either.
    atEdge: () => ({ isWhole: true, claims: [] }),
    setUp(host) {
      const own = loadOnce(async () => (await import('./set-up.ts')).createOwn(host, settings))
      const load = loadOnce(() => import('./routes/prove.ts'))
      return {
        own,
        proofs: {
          ways: [
            {
              id: 'email-code',
              amr: ['email'],
              label: 'emailCode:prove',
              icon: 'mail',
              fields: ['code'],
              // A mailbox is no second factor, and mails go only to an address that its owner proved.
              has: ({ user, factors }) =>
                factors === 1 && Boolean(user.email) && Boolean(user.emailVerified),
              form: async (asked) => (await load()).proofForm(asked, await own()),
              begin: async (asked) => (await load()).beginProof(asked, await own()),
              check: async (asked, fields) => (await load()).checkProof(asked, fields, await own()),
            },
          ],
        },
      }
    },
  })
}

const MINUTE = 60
const HOUR: number = 60 * MINUTE
const DAY: number = 24 * HOUR

/** By action. A mail goes to somebody who may not have asked for it. */
const LIMITS: LimitRules = {
  'email-code.send': [
    { by: 'network', limit: 20, window: HOUR },
    { by: 'identifier', limit: 5, window: HOUR },
    { by: 'identifier', limit: 10, window: DAY },
  ],
  'email-code.verify': [{ by: 'network', limit: 60, window: 15 * MINUTE }],
  ...accountRules('reauthenticate'),
}

const route = lazyRoutes<Own>()

const routes: Readonly<Record<string, PluginMethods<LoadOwn>>> = {
  'email-code/send': {
    GET: route('anyone', async () => (await import('./routes/send.ts')).show),
    POST: route(
      'anyone',
      async () => (await import('./routes/send.ts')).send,
      async () => (await import('./routes/send.ts')).input,
    ),
  },
  'email-code/verify': {
    GET: route('anyone', async () => (await import('./routes/verify.ts')).show),
    POST: route(
      'anyone',
      async () => (await import('./routes/verify.ts')).verify,
      async () => (await import('./routes/verify.ts')).input,
    ),
  },
}
