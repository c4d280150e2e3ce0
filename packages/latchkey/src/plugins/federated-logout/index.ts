/**
 * Signs users out of the provider that signed them in, and ends their sessions when the provider reports a logout.
 *
 * @module
 */

import {
  definePlugin,
  loadOnce,
  type PluginMethods,
  type PluginOption,
  type SessionHooks,
} from '../../entries/plugin.ts'
import { unknownProvider } from './check.ts'
import type { Hooks } from './hooks.ts'
import { BACKCHANNEL, CONTINUE, FRONTCHANNEL, type Own, RETURN, SIGNED_OUT } from './own.ts'
import { type FederatedLogoutOptions, settingsOf } from './settings.ts'
import { texts } from './texts.ts'

export type { BackchannelOptions, FederatedLogoutOptions } from './settings.ts'

/**
 * Signs users out of the provider that signed them in (OpenID Connect RP-Initiated Logout 1.0). Register
 * `{base}/logout/return` at the provider as a post-logout redirect URI.
 *
 * @throws TypeError for an invalid option.
 */
export function federatedLogout(
  options: FederatedLogoutOptions = {},
): PluginOption<'federatedLogout'> {
  const settings = settingsOf(options)
  const ends = settings.backchannel !== undefined || settings.frontchannel.length > 0
  return definePlugin<'federatedLogout', object, Own>({
    name: 'federatedLogout',
    check: (_, providers) => unknownProvider(settings, providers),
    needs: ends ? ['records', 'plugin:sessions'] : [],
    texts,
    routes: {
      ...routes,
      ...(settings.backchannel && { [`${BACKCHANNEL}/*`]: backchannelRoute }),
      ...(settings.frontchannel.length > 0 && { [`${FRONTCHANNEL}/*`]: frontchannelRoute }),
    },
    setUp(host) {
      const memory = host.shared(() => ({
        used: new Map(),
        failures: new Map(),
        warned: false,
        warnedOfUnknown: false,
      }))
      const own: Own = { host, settings, memory }
      if (settings.frontchannel.length > 0) warnOnce(own)
      return {
        own,
        session: hooksOf(own),
        leave: {
          to: async (signedOut) => (await import('./leave.ts')).leave(signedOut, own),
          page: async (request) => (await import('./leave.ts')).signOutAddition(request, own),
        },
        actions: {
          async before(request, provider, { isLink }) {
            const isAsked = provider?.type === 'oauth' || provider?.type === 'oidc'
            if (request.action !== 'signin' || !isAsked) return undefined
            const { afterSignOut } = await import('./click.ts')
            return afterSignOut(request, provider.id, isLink, own)
          },
        },
      }
    },
  })
}

function warnOnce({ host, memory }: Own): void {
  if (memory.warned) return
  memory.warned = true
  host.logger.warn(
    'front-channel-logout',
    'anyone who knows the id of a session at the provider can end it with a link; use `backchannel` if the provider supports it',
  )
}

const backchannelRoute: PluginMethods<Own> = {
  POST: {
    who: 'anyone',
    callers: 'protocol',
    run: async () => (await import('./routes/backchannel.ts')).logOut,
  },
}

const frontchannelRoute: PluginMethods<Own> = {
  GET: {
    who: 'anyone',
    callers: 'protocol',
    run: async () => (await import('./routes/frontchannel.ts')).logOutInFrame,
  },
}

const routes: Readonly<Record<string, PluginMethods<Own>>> = {
  [CONTINUE]: {
    GET: {
      who: 'anyone',
      callers: 'protocol',
      run: async () => (await import('./routes/continue.ts')).goOn,
    },
  },
  [RETURN]: {
    GET: {
      who: 'anyone',
      callers: 'protocol',
      run: async () => (await import('./routes/return.ts')).comeBack,
    },
  },
  [SIGNED_OUT]: {
    GET: {
      who: 'anyone',
      input: async () => (await import('./routes/signed-out.ts')).input,
      run: async () => (await import('./routes/signed-out.ts')).signedOut,
    },
  },
}

/** The facts of a session have the provider, so other modules are loaded only when a session begins or ends. */
function hooksOf(own: Own): SessionHooks {
  const hooks = loadOnce(async (): Promise<Hooks> => (await import('./hooks.ts')).createHooks(own))
  const isAccount = (type: string): boolean => type === 'oauth' || type === 'oidc'
  return {
    claims: ['prv'],
    async beforeIssue(session, proof) {
      const { type, provider } = proof.account
      if (!isAccount(type)) return undefined
      await (await hooks()).begins(session, proof)
      return { prv: provider }
    },
    async afterIssue(session, proof) {
      if (isAccount(proof.account.type)) return (await hooks()).hasBegun(session, proof)
      if (own.host.hasRecords) return undefined
      // The ID token of the earlier user.
      return (await import('./begun.ts')).clearIdToken(proof.request, own.host)
    },
    async onExtend(session, until) {
      if (own.host.hasRecords) await (await hooks()).goesOn(session, until)
      return 'extend' as const
    },
    async onRenew(from, to) {
      await (await hooks()).isRenewed(from, to)
      return undefined
    },
    async afterRenew(from) {
      await (await hooks()).isOver(from)
    },
    async onEnd(session, reason) {
      // A sign-out still needs the token. An expired sealed session may be an older copy of one that goes on.
      if (reason === 'sign-out' || (reason === 'idle' && session.strategy === 'jwt')) return
      await (await hooks()).isOver(session)
    },
  }
}
