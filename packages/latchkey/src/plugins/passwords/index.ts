/**
 * Accounts with a password: people sign up, prove their address, sign in, and reset and change their password.
 *
 * @module
 */

import {
  type AuthConfig,
  AuthError,
  definePlugin,
  type JsonObject,
  type LimitRules,
  loadOnce,
  type PluginOption,
  refusedForms,
  type SafeUrl,
  type SealedKind,
  type SessionFacts,
  type SessionHooks,
  type UnprovedUsers,
  withCheckedArguments,
} from '../../entries/plugin.ts'
import type { ArgumentsOf } from '../../entries/plugin-checks.ts'
import { accountRules, limitsOfPlugins } from '../../entries/plugin-limits.ts'
import { developmentMailbox } from '../../entries/plugin-mailbox.ts'
import type { PasswordsApi } from './passwords-api.ts'
import { PROVIDER } from './provider.ts'
import { sealerOf } from './records/pepper.ts'
import { problems } from './refusals.ts'
import { type LoadOwn, routes } from './routes.ts'
import { type PasswordsOptions, type Settings, settingsOf } from './settings.ts'
import { texts } from './texts.ts'

export type { ForeignHash, ForeignHashInput } from './foreign/foreign-hash.ts'
export type { HashingOptions, HashOptions } from './hashing/hash-settings.ts'
export type { PasswordsApi, ResetLinkOptions, SetOptions } from './passwords-api.ts'
export type { PasswordReason } from './rules/check-password.ts'
export type { PasswordsOptions, SignUpField, SignUpInput } from './settings.ts'

/**
 * Accounts with a password. Needs an adapter with records that counts attempts, and a mail provider.
 *
 * @throws TypeError for an invalid option.
 */
export function passwords(options: PasswordsOptions = {}): PluginOption<'passwords', PasswordsApi> {
  const settings = settingsOf(options)
  return definePlugin<'passwords', PasswordsApi, LoadOwn>({
    name: 'passwords',
    needs: ['adapter', 'records', 'attempts', 'mail'],
    texts,
    refusedForms,
    problems,
    routes,
    limits: LIMITS,
    mails: [
      'verify-address',
      'already-registered',
      'no-account',
      'password-reset',
      'password-changed',
      'password-disabled',
      'breached-password',
      'account-reset',
    ],
    brings: [developmentMailbox(), ...(settings.limits ? [limitsOfPlugins()] : [])],
    provides: ['passwords', 'unproved'],
    gate: 'require',
    check: checkSessions,
    providers: [
      {
        id: PROVIDER,
        name: 'Password',
        type: 'credentials',
        credentials: { identifier: { type: 'email' }, password: { type: 'password' } },
        // `authorize` of the parts is called instead, which knows the configuration.
        authorize: () => null,
      },
    ],
    sealed: sealedKinds(settings),
    signInWay: {
      provider: PROVIDER,
      forgot: 'password/forgot',
      ...(settings.signUp !== false && { signUp: 'password/sign-up' }),
    },
    accountSections: [
      {
        path: 'password/change',
        label: 'passwords:title',
        about: 'passwords:about',
        icon: 'key',
        order: 25,
      },
    ],
    setUp(host) {
      const own = loadOnce(async () => (await import('./set-up.ts')).createOwn(host, settings))
      const control = loadOnce(async () =>
        (await import('./control.ts')).createControl(await own()),
      )
      return {
        own,
        proofs: {
          ways: [
            {
              id: 'password',
              amr: ['pwd'],
              label: 'passwords:prove',
              icon: 'key',
              fields: ['password', 'username'],
              has: async ({ user }) => (await (await own()).passwords.kind.get(user.id)) !== null,
              async form(asked) {
                const { proofForm } = await import('./routes/prove.ts')
                return proofForm(asked, await own())
              },
              async check(asked, fields) {
                const { checkProof } = await import('./routes/prove.ts')
                return checkProof(asked, fields, await own())
              },
            },
          ],
        },
        ...(settings.verify === 'after' && { session: sealedNotes(own) }),
        api: withCheckedArguments('passwords', apiOf(own), loadArguments),
        accounts: {
          async proving(user, request) {
            const { clearUnproved } = await import('./flows/clear-unproved.ts')
            await clearUnproved(user, request, await own())
          },
        },
        provides: {
          passwords: {
            mailReset: async (...asked) => (await control()).mailReset(...asked),
            setAt: async (userId) => (await control()).setAt(userId),
            resetAt: async (userId) => (await control()).resetAt(userId),
            version: async (userId) => (await control()).version(userId),
            remove: async (userId) => (await control()).remove(userId),
            lacks: async () => (await control()).lacks(),
          },
          unproved: unprovedUsers(
            own,
            settings.requireVerified ? host.site.path(VERIFY) : undefined,
          ),
        },
        listen: {
          async security({ type, userId }) {
            if (userId === undefined || !ENDS_LINKS.includes(type)) return
            const { endResets } = await import('./flows/end-resets.ts')
            await endResets(userId, await own())
          },
        },
        async maintain(budget) {
          const { deleteUnproved } = await import('./flows/unproved-users.ts')
          await deleteUnproved(budget, await own())
        },
        async authorize(request) {
          const { authorize } = await import('./routes/sign-in.ts')
          return authorize(request, await own())
        },
        async atGate({ user, amr }) {
          if (!amr.includes('pwd')) return undefined
          const record = await (await own()).passwords.kind.get(String(user.id))
          return record?.data.mustChange ? host.site.path('password/renew') : undefined
        },
      }
    },
  })
}

/** Sealed sessions can only be ended with the plugin for it. */
function checkSessions({ session, adapter, plugins = [] }: AuthConfig): AuthError | undefined {
  const isSealed = (session?.strategy ?? (adapter ? 'database' : 'jwt')) === 'jwt'
  if (!isSealed || plugins.some(({ name }) => name === 'sessions')) return undefined
  return new AuthError(
    "passwords(): a new password must end the sessions of its user, and sealed sessions (`strategy: 'jwt'`) end only with the plugin sessions; add sessions() of latchkey/plugins/sessions to `plugins`",
  )
}

/** After these, links to choose a password are dead for good: also if the address is that of the link again. */
const ENDS_LINKS: readonly string[] = ['user.address-changed', 'address.change-undone']

/** The page on which an address is proved. */
const VERIFY = 'password/verify'

function unprovedUsers(own: LoadOwn, page: SafeUrl | undefined): UnprovedUsers {
  return {
    page,
    async has(userId) {
      const { isUnproved } = await import('./flows/unproved-users.ts')
      return isUnproved(userId, await own())
    },
    async proving(userId) {
      const { beginProof } = await import('./flows/unproved-users.ts')
      await beginProof(userId, await own())
    },
    async forget(userId) {
      await (await own()).unproved.delete(userId)
    },
  }
}

/**
 * Notes in sealed sessions that the address is not proved, for code at the edge, which cannot ask the store. The note is removed
 * when the session is written after the proof.
 */
function sealedNotes(own: LoadOwn): SessionHooks {
  const isUnproved = async (userId: string | undefined): Promise<boolean> => {
    const { isUnproved: look } = await import('./flows/unproved-users.ts')
    return userId !== undefined && look(userId, await own())
  }
  const noted = async (session: SessionFacts): Promise<JsonObject | undefined> => {
    if (session.strategy !== 'jwt' || (await session.known())['unproved'] !== true) return undefined
    return { unproved: await isUnproved(session.userId) }
  }
  return {
    claims: ['unproved'],
    async beforeIssue({ strategy }, { user }) {
      if (strategy !== 'jwt' || !(await isUnproved(String(user.id)))) return undefined
      return { unproved: true }
    },
    onExtend: async (session) => (await noted(session)) ?? 'extend',
    onRenew: async (from) => noted(from),
  }
}

/** The functions of the plugin, loaded with the first call. */
function apiOf(own: LoadOwn): PasswordsApi {
  const api = loadOnce(async () => (await import('./api.ts')).createApi(await own()))
  return {
    set: async (userId, ...rest) => (await api()).set(String(userId), ...rest),
    verify: async (userId, ...rest) => (await api()).verify(String(userId), ...rest),
    has: async (userId) => (await api()).has(String(userId)),
    remove: async (userId) => (await api()).remove(String(userId)),
    createResetLink: async (userId, options) =>
      (await api()).createResetLink(String(userId), options),
    check: async (...rest) => (await api()).check(...rest),
    importHash: async (userId, hash) => (await api()).importHash(String(userId), hash),
  }
}

/** The hashes of passwords, as `pepper` seals them. */
function sealedKinds({ pepper }: Settings): readonly SealedKind[] {
  const ofSite = { kind: 'password', member: 'hash' }
  if (typeof pepper !== 'object') return [ofSite]
  return [{ ...ofSite, sealer: (host) => sealerOf(host, pepper) }]
}

/** Only for a call that is wrong. */
async function loadArguments(): Promise<ArgumentsOf<PasswordsApi>> {
  return (await import('./api-arguments.ts')).passwordsArguments
}

const DAY: number = 24 * 60 * 60

/** By action. */
const LIMITS: LimitRules = {
  ...accountRules(
    'password.sign-in',
    'password.sign-up',
    'password.forgot',
    'password.resend',
    'password.verify',
    'password.reset',
    'password.change',
    'reauthenticate',
  ),
  // Guesses of the codes of all sign-ups of an address together. The link works nevertheless.
  'password.verify-code': [{ by: 'identifier', limit: 10, window: DAY, unknownDevices: true }],
}
