import { isAuthError, toError } from '../../base/errors.ts'
import { withProviders } from '../../core/compile/providers.ts'
import { keysForSignIn } from '../../flows/webauthn/second-factor.ts'
import { markup } from '../../http/html.ts'
import type { AuthRequest, SiteRequest } from '../../http/request.ts'
import type { JsonObject } from '../../model/json.ts'
import type { SessionPlan } from '../../plan/plan.ts'
import type { HostPasskeys } from '../../plugin/passkeys.ts'
import { providerOfSecond } from '../../protocols/webauthn/second-factor.ts'

/** Returns the passkeys of the first provider for them; `undefined` without one. */
export function hostPasskeys(given: SessionPlan): HostPasskeys | undefined {
  const { store } = given
  if (!store || !given.providerConfigs.some(({ type }) => type === 'webauthn')) return undefined
  const plan = withProviders(given)
  const provider = plan.providers.find(({ type, form }) => type === 'webauthn' && form)
  const { form, further } = provider ?? {}
  if (!provider || !form || !further) return undefined
  const asked = (request: SiteRequest, fields: AuthRequest['form'] = {}): AuthRequest => ({
    ...request,
    form: fields,
    action: 'callback',
    providerId: provider.id,
  })
  return {
    async count(userId, kind) {
      const all = (await store.listAuthenticatorsByUserId(userId)).length
      if (kind === undefined || all === 0) return all
      return (await keysForSignIn(userId, providerOfSecond(provider.id), store)).length
    },
    async options(request, purpose) {
      const { body, cookie } = await further.options(asked(request), purpose)
      return { json: body as JsonObject, cookies: [cookie] }
    },
    async check(request, data, purpose) {
      const call = asked(request, { data })
      try {
        const amr = await further.check(call, purpose)
        return { amr, cookies: await provider.forget(call) }
      } catch (error) {
        const isOfProof = isAuthError(error)
          ? error.type !== 'AdapterError'
          : error instanceof SyntaxError
        if (!isOfProof) throw error
        plan.logger.debug('passkey-refused', () => ({ why: toError(error).message }))
        return { amr: undefined, cookies: await provider.forget(call) }
      }
    },
    async form(request, urls, hidden) {
      const texts = plan.texts(request.original)
      return {
        content: markup(form.again(texts, urls.action, hidden, urls.options)),
        script: (await form.script(texts)).text,
      }
    },
  }
}
