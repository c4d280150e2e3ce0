import { MissingAdapter, MissingCSRF } from '../../base/errors.ts'
import { loadOnce } from '../../base/once.ts'
import { isFromOwnPage } from '../../http/origin/origin-hints.ts'
import { redirect } from '../../http/outcome.ts'
import { trusted } from '../../http/safe-url.ts'
import type { WebAuthnConfig } from '../../options/provider-options.ts'
import { passkeyForm } from '../../pages/sign-in/passkey-form.ts'
import type { Plan } from '../../plan/plan.ts'
import type { CompiledProvider } from '../../plan/provider.ts'
import { forgetChallenge, hasChallenge } from './challenge.ts'
import type { WebAuthnFlow } from './webauthn-flow.ts'

/** Sign-in with a passkey or a security key (WebAuthn). */
export function compileWebAuthn(config: WebAuthnConfig, plan: Plan): CompiledProvider {
  const { id, name } = config
  const flow = (): WebAuthnFlow => {
    if (!plan.store) throw new MissingAdapter('passkeys need an adapter')
    return { config, plan, store: plan.store }
  }
  const form = passkeyForm(plan.basePath, config)
  return {
    id,
    name,
    type: 'webauthn',
    config,
    ...(form && { form }),
    // The form on the sign-in page posts directly to the callback.
    begin: async (request) => redirect(trusted(`${request.base}/signin`)),
    options: async (request) => (await import('./give-options.ts')).giveOptions(flow(), request),
    further: {
      options: async (...asked) => (await loadFurther()).furtherOptions(flow(), ...asked),
      check: async (...asked) => (await loadFurther()).checkFurther(flow(), ...asked),
    },
    // The cookie of the challenge replaces the CSRF token: no other host can set it, and browsers do not send it with a form of another site.
    callback: { POST: { csrf: false } },
    async complete(request) {
      if (!isFromOwnPage(request.original.headers, request.origin)) {
        throw new MissingCSRF('another site, or another host of this one, sent the form')
      }
      return (await import('./complete.ts')).complete(flow(), request)
    },
    isOwn: async (request) =>
      isFromOwnPage(request.original.headers, request.origin) && hasChallenge(flow(), request),
    forget: async (request) => forgetChallenge(plan, request),
  }
}

const loadFurther = loadOnce(() => import('./further-proof.ts'))
