import { loadOnce } from '../../base/once.ts'
import type { OAuth2Config } from '../../options/provider-options.ts'
import type { Plan } from '../../plan/plan.ts'
import type { CompiledProvider } from '../../plan/provider.ts'
import { forgetAttempt, hasAttempt } from './attempt.ts'
import { begin } from './begin.ts'
import { oauthFlow } from './oauth-flow.ts'
import { handOver } from './redirect-proxy.ts'

/** Compiles providers of OAuth 2.0 and of OpenID Connect, which adds an ID token, a nonce and discovery. */
export function compileOAuth(config: OAuth2Config<unknown>, plan: Plan): CompiledProvider {
  const flow = oauthFlow(plan)(config)
  const { id, name, type } = config
  return {
    id,
    name,
    type,
    config: config as CompiledProvider['config'],
    begin: (request, visit) => begin(flow, request, visit),
    callback: { GET: { csrf: false }, POST: { csrf: false } },
    complete: async (request) =>
      (await handOver(flow, request)) ?? (await loadComplete()).complete(flow, request),
    isOwn: (request) => hasAttempt(flow, request),
    forget: (request) => forgetAttempt(flow, request),
  }
}

/** Loaded later, because the protocol library is large and most requests are not a callback. */
const loadComplete = loadOnce(() => import('./complete.ts'))
