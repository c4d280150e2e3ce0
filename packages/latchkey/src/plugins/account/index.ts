/**
 * What people do with their account themselves: change their profile and address, add and remove ways to sign in, download
 * what is stored about them, and delete the account.
 *
 * @module
 */

import {
  type AccountSection,
  definePlugin,
  type LimitRules,
  loadOnce,
  type PasskeyOffer,
  type PluginOption,
  Problem,
  refusedForms,
} from '../../entries/plugin.ts'
import { accountRules, limitsOfPlugins } from '../../entries/plugin-limits.ts'
import { developmentMailbox } from '../../entries/plugin-mailbox.ts'
import { problems } from './refusals.ts'
import { type LoadOwn, routes } from './routes.ts'
import { sectionRoutes } from './section-routes.ts'
import type { OwnSection } from './sections.ts'
import { type AccountOptions, settingsOf } from './settings.ts'
import { texts } from './texts.ts'
import { withoutPages } from './without-pages.ts'

export type { OwnSection, SectionContext } from './sections.ts'
export type { AccountOptions, DeletionOptions, ExportEntry, FreshOptions } from './settings.ts'

/**
 * The pages on which people look after their account. Needs an adapter with records that counts attempts, a mail provider, and
 * the plugin `sessions`.
 *
 * @throws {TypeError} for an invalid option.
 */
export function account(options: AccountOptions = {}): PluginOption<'account'> {
  const settings = settingsOf(options, TAKEN)
  return definePlugin<'account', object, LoadOwn>({
    name: 'account',
    needs: ['adapter', 'records', 'attempts', 'mail', 'plugin:sessions'],
    texts,
    refusedForms,
    problems,
    routes: settings.pages
      ? { ...routes, ...sectionRoutes(settings.sections) }
      : withoutPages(routes),
    limits: LIMITS,
    mails: [
      'already-registered',
      'address-confirm',
      'address-changing',
      'address-changed',
      'passkey-added',
      'passkey-removed',
      'connection-added',
      'connection-removed',
      'deletion-confirm',
      'deletion-planned',
      'deleted',
    ],
    brings: [developmentMailbox(), ...(settings.limits ? [limitsOfPlugins()] : [])],
    provides: settings.pages ? ['notMe', 'passkeyOffer'] : ['notMe'],
    gate: 'require',
    accountSections: settings.pages ? withOwn(settings.sections) : [],
    setUp(host) {
      const own = loadOnce(async () => (await import('./set-up.ts')).createOwn(host, settings))
      const deletion = async (userId: string) =>
        (await import('./flows/delete-account.ts')).deletionOf(userId, await own())
      return {
        own,
        provides: {
          notMe: {
            button: async (...asked) =>
              (await import('./secure-control.ts')).createNotMe(await own()).button(...asked),
          },
          ...(settings.pages && { passkeyOffer: passkeyOfferOf(own) }),
        },
        async atGate({ user }) {
          return (await deletion(String(user.id))) && host.site.path('account/keep')
        },
        session: {
          // A deletion that was planned after the sign-in passed the gate.
          async beforeIssue(_, { user }) {
            if (await deletion(String(user.id)))
              throw new Problem('forbidden', 'the account is about to be deleted')
            return undefined
          },
        },
        listen: {
          async createUser({ user }) {
            const userId = String(user.id)
            const {
              profiles,
              host: { ports },
            } = await own()
            await profiles.upsert(userId, (data = {}) => ({
              data: { createdAt: ports.now(), ...data },
              userId,
            }))
          },
          async linkAccount(linked) {
            const { noteLinked } = await import('./flows/note-linked.ts')
            await noteLinked(linked, await own())
          },
        },
        async afterSignIn(signIn, request) {
          const { noteSignIn } = await import('./flows/note-linked.ts')
          await noteSignIn(signIn, request, await own())
          return []
        },
        async maintain(budget) {
          const { deleteDue } = await import('./flows/delete-account.ts')
          await deleteDue(budget, await own())
        },
      }
    },
  })
}

function passkeyOfferOf(own: LoadOwn): PasskeyOffer {
  return {
    async offer(...asked) {
      const { offerPasskey } = await import('./flows/offer-passkey.ts')
      return offerPasskey(...asked, await own())
    },
    async box(call) {
      const { overviewBox } = await import('./routes/overview-box.ts')
      return overviewBox(call, await own())
    },
  }
}

/** The segments of paths of the plugin. */
const TAKEN: readonly string[] = Object.keys(routes).map((path) => path.slice('account/'.length))

/** Adds the sections of the application. The built-in ones have 10, 20 and so on. */
function withOwn(sections: readonly OwnSection[]): readonly AccountSection[] {
  const own = sections.map(({ id, title, about = '', icon = 'data', order }) => ({
    path: `account/${id}`,
    label: title,
    about,
    icon,
    order,
  }))
  return [...SECTIONS.map((section, at) => ({ ...section, order: (at + 1) * 10 })), ...own]
}

const SECTIONS: readonly AccountSection[] = [
  {
    path: 'account/profile',
    label: 'account:profile.label',
    about: 'account:profile.about',
    icon: 'account',
  },
  {
    path: 'account/addresses',
    label: 'account:addresses',
    about: 'account:addresses.about',
    icon: 'mail',
  },
  {
    path: 'account/passkeys',
    label: 'account:passkeys',
    about: 'account:passkeys.about',
    icon: 'passkey',
    needsProvider: ['webauthn'],
  },
  {
    path: 'account/links',
    label: 'account:links',
    about: 'account:links.about',
    icon: 'globe',
    needsProvider: ['oauth', 'oidc'],
  },
  {
    path: 'account/data',
    label: 'account:data',
    about: 'account:data.about',
    icon: 'data',
  },
]

const MINUTE = 60
const DAY: number = 24 * 60 * MINUTE

/** By action. */
const LIMITS: LimitRules = {
  ...accountRules('address.confirm', 'account.export', 'account.delete'),
  'account.change-address': [
    { by: 'network', limit: 20, window: 60 * MINUTE },
    { by: 'user', limit: 5, window: 60 * MINUTE },
    { by: 'user', limit: 10, window: DAY },
  ],
  // Guesses of the codes of all changes to one address together. The link works nevertheless.
  'address.confirm-code': [{ by: 'identifier', limit: 10, window: DAY, unknownDevices: true }],
  'account.undo': [{ by: 'network', limit: 30, window: 60 * MINUTE }],
}
