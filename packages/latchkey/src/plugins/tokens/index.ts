/**
 * Tokens for APIs and programs, beside the cookie of a browser.
 *
 * @module
 */

import { AuthError } from '../../errors.ts'
import { loadOnce } from '../../once.ts'
import type { PluginNeed, PluginOption } from '../../options/plugin-option.ts'
import { definePlugin, type Host, type PluginMethods, type ProblemTable } from '../../plugin-kit.ts'
import type { IssuedToken } from './jwt/issuer.ts'
import type { KeyMemory } from './jwt/record-keys.ts'
import type { Own } from './own.ts'
import { type Settings, settingsOf, type TokensOptions } from './settings.ts'
import { texts } from './texts.ts'

export type { IssuedToken } from './jwt/issuer.ts'
export type { AudienceOptions, JwtOptions, TokenRequest } from './jwt/settings.ts'
export type { TokensOptions } from './settings.ts'

/** What `latchkey.api.tokens` offers. */
export interface TokensApi {
  /**
   * Issues a signed token to the session of a request, for an API that you call for its user.
   *
   * @param options `audience`: the only one that is configured if left out; `scopes`: all of the audience if left out.
   * @throws {Problem} `unauthenticated`, `invalid_target`, `invalid_scope` or `forbidden`.
   */
  issue(
    request: Request,
    options?: { audience?: string; scopes?: readonly string[] },
  ): Promise<IssuedToken>
  /**
   * Has another key sign, a day from now (`publishAhead`): verifiers know it by then.
   *
   * @param how `compromised`: it signs at once, and tokens of all keys before are refused as soon as verifiers load the keys
   *   again, after ten minutes at most with `createTokenVerifier`.
   */
  rotate(how?: { compromised?: boolean }): Promise<void>
}

/**
 * Issues tokens that are no cookies. Which kinds there are is in the options: `jwt` for signed tokens that APIs verify
 * themselves.
 *
 * @throws {TypeError} for an option that is none.
 */
export function tokens(options: TokensOptions): PluginOption<'tokens', TokensApi> {
  const settings = settingsOf(options)
  return definePlugin<'tokens', TokensApi, Own>({
    name: 'tokens',
    needs: needsOf(settings),
    texts,
    problems,
    routes: routesOf(settings),
    setUp(host) {
      const own = ownOf(host, settings)
      return {
        own,
        api: apiOf(own),
        // Without hooks, a sealed session has no name of its own, and does not say when its user proved who they are.
        session: {},
        async maintain() {
          if (settings.jwt) await (await own.jwt()).ring.cleanUp()
        },
      }
    },
  })
}

function needsOf({ jwt }: Settings): readonly PluginNeed[] {
  const needs: PluginNeed[] = []
  if (jwt?.keys === 'records') needs.push('records')
  if ([...(jwt?.audiences.values() ?? [])].some(({ sensitive }) => sensitive))
    needs.push('plugin:sessions')
  return needs
}

const problems: ProblemTable = {
  invalid_target: { status: 400, text: 'tokens:invalid_target' },
  invalid_scope: { status: 400, text: 'tokens:invalid_scope' },
  invalid_token: { status: 401, text: 'tokens:invalid_token' },
}

function routesOf({ jwt }: Settings): Readonly<Record<string, PluginMethods<Own>>> {
  return { ...(jwt && jwtRoutes) }
}

const token = {
  who: 'anyone',
  callers: 'scripts',
  input: async () => (await import('./routes/token.ts')).input,
  run: async () => (await import('./routes/token.ts')).token,
} as const

const jwtRoutes: Readonly<Record<string, PluginMethods<Own>>> = {
  token: { GET: token, POST: token },
  'token/check': {
    GET: {
      who: 'anyone',
      callers: 'scripts',
      input: async () => (await import('./routes/check.ts')).input,
      run: async () => (await import('./routes/check.ts')).check,
    },
  },
  jwks: {
    GET: {
      who: 'anyone',
      callers: 'servers',
      run: async () => (await import('./routes/jwks.ts')).jwks,
    },
  },
}

function ownOf(host: Host, { jwt }: Settings): Own {
  const memory = host.shared<KeyMemory>(() => ({ opened: new Map(), reported: new Set() }))
  const load = loadOnce(async () => {
    if (!jwt) throw new AuthError('tokens() issues no signed tokens; set `jwt` in its options')
    const { createJwt } = await import('./jwt/load.ts')
    return createJwt(host, jwt, memory)
  })
  return { host, jwt: load }
}

function apiOf({ host, jwt }: Own): TokensApi {
  return {
    async issue(request, wanted = {}) {
      const { issuer } = await jwt()
      return issuer.issue(request, await host.current(request), wanted)
    },
    async rotate({ compromised = false } = {}) {
      await (await jwt()).ring.rotate({ compromised })
    },
  }
}
