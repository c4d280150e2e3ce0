/**
 * Two-factor authentication: codes of authenticator apps, recovery codes and trusted browsers, asked for after every way to
 * sign in.
 *
 * @module
 */

import {
  type AskedProof,
  type AuthConfig,
  AuthError,
  definePlugin,
  type Host,
  loadOnce,
  type PluginOption,
  type PluginProofs,
  type ProofWay,
  refusedForms,
  withCheckedArguments,
} from '../../entries/plugin.ts'
import { type ArgumentsOf } from '../../entries/plugin-checks.ts'
import { limitsOfPlugins } from '../../entries/plugin-limits.ts'
import { developmentMailbox } from '../../entries/plugin-mailbox.ts'
import type { IconName } from '../../entries/plugin-pages.ts'
import type { CodeMethod } from './flows/prove.ts'
import { LIMITS } from './limits.ts'
import type { Own } from './own.ts'
import { problems } from './refusals.ts'
import { type LoadOwn, routes } from './routes.ts'
import { askedContexts, type Settings, settingsOf, type TwoFactorOptions } from './settings.ts'
import { type TwoFactorKey, texts } from './texts.ts'
import type { TwoFactorApi } from './two-factor-api.ts'

export type { FactorMethod, RequireContext, TwoFactorOptions } from './settings.ts'
export type { FactorInfo, TrustedBrowser, TwoFactorApi, TwoFactorStatus } from './two-factor-api.ts'

/**
 * Asks for a second factor after every way to sign in, of users who have one, and of all who must have one. Needs an adapter
 * with records that counts attempts.
 *
 * @throws {TypeError} for an invalid option.
 */
export function twoFactor(options: TwoFactorOptions = {}): PluginOption<'twoFactor', TwoFactorApi> {
  const settings = settingsOf(options)
  const mails = settings.methods.includes('email')
  const losesUsers = settings.require === 'all' && !settings.methods.includes('recovery')
  return definePlugin<'twoFactor', TwoFactorApi, LoadOwn>({
    name: 'twoFactor',
    needs: ['adapter', 'records', 'attempts', ...(mails ? (['mail'] as const) : [])],
    texts,
    refusedForms,
    problems,
    routes,
    limits: LIMITS,
    mails: [
      'email-code',
      'factor-added',
      'factor-removed',
      'factor-disabled',
      'recovery-made',
      'recovery-used',
      'wrong-codes',
    ],
    brings: [
      ...(settings.limits ? [limitsOfPlugins()] : []),
      ...(mails ? [developmentMailbox()] : []),
    ],
    ...(losesUsers && { notes: ['required-without-recovery'] }),
    gate: 'prove',
    provides: ['factors'],
    sealed: [{ kind: 'totp', member: 'secret' }],
    check: checkSessions,
    accountSections: [
      {
        path: 'account/two-factor',
        label: 'twoFactor:title',
        about: 'twoFactor:about',
        icon: 'shield',
        order: 35,
      },
    ],
    atEdge: () => ({ isWhole: true }),
    setUp(host) {
      const own = loadOnce(async () => (await import('./set-up.ts')).createOwn(host, settings))
      return {
        own,
        api: withCheckedArguments('twoFactor', apiOf(own), loadArguments),
        proofs: proofsOf(own, host, settings),
        provides: {
          factors: {
            async removeAdded(...asked) {
              const { removeAdded } = await import('./flows/remove-added.ts')
              return removeAdded(...asked, await own())
            },
            async removePasskey(...asked) {
              const { removePasskey } = await import('./flows/remove-passkey.ts')
              return removePasskey(...asked, await own())
            },
            async isTrusted(user, request) {
              const { browsers, states } = await own()
              const state = (await states.get(user.id))?.data
              return state !== undefined && browsers.isTrusted(user, state, request)
            },
            isForAll: settings.require === 'all',
            takesApps: settings.methods.includes('totp'),
            takesKeys: settings.methods.includes('passkey'),
            async held(userId) {
              const { heldFactors } = await import('./status.ts')
              return heldFactors(userId, await own())
            },
            async grace(...asked) {
              const { graceOf } = await import('./status.ts')
              return graceOf(...asked, await own())
            },
            async usesKeys(userId) {
              return (await (await own()).states.get(userId))?.data.passkeys === true
            },
            async useKeys(call, answer) {
              const { useKeys } = await import('./routes/passkey.ts')
              return useKeys(call, answer, await own())
            },
          },
        },
        async atGate(signIn, request) {
          const { judge } = await import('./flows/gate.ts')
          return judge(signIn, request, await own())
        },
        listen: {
          async security({ type, outcome, userId, sid }) {
            if (userId === undefined || outcome !== 'success') return
            if (type === 'account.reset') {
              // Whoever made the account before its address was proved may have set up a factor of their own.
              const { removeAll } = await import('./flows/remove-all.ts')
              await removeAll(userId, await own())
            } else if (ENDS_TRUST.includes(type)) {
              const { endTrust } = await import('./flows/end-trust.ts')
              await endTrust(userId, sid, await own())
            }
          },
        },
      }
    },
  })
}

/** What happened to an account after which its browsers are asked for the second factor again. */
const ENDS_TRUST: readonly string[] = [
  'password.set',
  'password.changed',
  'password.reset',
  'user.address-changed',
]

/** The authentication methods (RFC 8176) of the ways with a code. */
const AMR: Readonly<Record<CodeMethod, readonly string[]>> = {
  totp: ['otp'],
  email: ['email', 'mca'],
  recovery: ['recovery'],
}

/** How a signed-in user proves a second factor again. */
function proofsOf(own: () => Promise<Own>, host: Host, settings: Settings): PluginProofs {
  const way = (id: CodeMethod, label: TwoFactorKey, icon: IconName): ProofWay => ({
    // Others have ways with a mailbox, too.
    id: id === 'email' ? 'mailed-factor' : id,
    amr: AMR[id],
    label,
    icon,
    fields: ['code'],
    async has({ user, amr }) {
      const { methodsOf } = await import('./flows/level.ts')
      return (await methodsOf(user, await own(), amr)).includes(id)
    },
    async form(asked) {
      const { proofForm } = await import('./routes/prove.ts')
      return proofForm(id, asked, await own())
    },
    ...(id === 'email' && {
      async begin(asked: AskedProof) {
        const { beginMail } = await import('./routes/prove.ts')
        return beginMail(asked, await own())
      },
    }),
    async check(asked, fields) {
      const { checkProof } = await import('./routes/prove.ts')
      return checkProof(id, asked, fields, await own())
    },
  })
  return {
    ways: [
      {
        id: 'security-key',
        amr: ['pop'],
        label: 'twoFactor:key.use',
        icon: 'key',
        fields: ['action', 'data'],
        async has({ user }) {
          return ((await (await (await own()).passkeys())?.count(user.id, 'second')) ?? 0) > 0
        },
        async form(asked) {
          const { keyForm } = await import('./routes/prove.ts')
          return keyForm(asked, await own())
        },
        async check(asked, fields) {
          const { checkKey } = await import('./routes/prove.ts')
          return checkKey(asked, fields, await own())
        },
      },
      way('totp', 'twoFactor:totp.use', 'phone'),
      way('email', 'twoFactor:email.send', 'mail'),
      way('recovery', 'twoFactor:recovery', 'data'),
    ],
    async factors(userId) {
      const user = await host.store?.getUser(userId)
      if (!user) return 1
      const { factorsOfAccount } = await import('./flows/level.ts')
      return factorsOfAccount(user, await own())
    },
    async ofProvider(proof) {
      const { methodsOfProvider } = await import('./flows/of-provider.ts')
      return methodsOfProvider(proof, settings)
    },
    askOfProvider: (provider) => askedContexts(provider, settings),
    setUpPage: host.site.path('two-factor/enrol-totp'),
  }
}

function apiOf(own: () => Promise<Own>): TwoFactorApi {
  const api = loadOnce(async () => (await import('./api.ts')).createApi(await own()))
  return {
    status: async (...asked) => (await api()).status(...asked),
    require: async (...asked) => (await api()).require(...asked),
    reset: async (...asked) => (await api()).reset(...asked),
  }
}

async function loadArguments(): Promise<ArgumentsOf<TwoFactorApi>> {
  return (await import('./api-arguments.ts')).twoFactorArguments
}

/** Sealed sessions can only be ended with the plugin for it. */
function checkSessions({ session, adapter, plugins = [] }: AuthConfig): AuthError | undefined {
  const isSealed = (session?.strategy ?? (adapter ? 'database' : 'jwt')) === 'jwt'
  if (!isSealed || plugins.some(({ name }) => name === 'sessions')) return undefined
  return new AuthError(
    "twoFactor(): a new second factor must end the sessions without it, and sealed sessions (`strategy: 'jwt'`) end only with the plugin sessions; add sessions() of latchkey/plugins/sessions to `plugins`",
  )
}
