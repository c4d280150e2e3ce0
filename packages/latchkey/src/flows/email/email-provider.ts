import { MissingAdapter } from '../../base/errors.ts'
import type { EmailConfig } from '../../options/provider-options.ts'
import type { Plan } from '../../plan/plan.ts'
import type { CompiledProvider } from '../../plan/provider.ts'
import { begin } from './begin.ts'
import { complete } from './complete.ts'
import { createEmailFlow, type EmailFlow } from './email-flow.ts'
import { isOwnRequest, recallRequest } from './email-request.ts'

/** Sign-in with a mailed link. */
export function compileEmail(config: EmailConfig, plan: Plan): CompiledProvider {
  const flow = (): EmailFlow => {
    if (!plan.store) throw new MissingAdapter('sign-in by e-mail needs an adapter')
    return createEmailFlow(config, plan, plan.store)
  }
  return {
    id: config.id,
    name: config.name,
    type: 'email',
    config,
    begin: (request, visit) => begin(flow(), request, visit),
    // The link has no CSRF token. The page that it shows in another browser has one.
    callback: { GET: { csrf: false }, POST: { csrf: false } },
    complete: (request, visit) => complete(flow(), request, visit),
    async asked(request) {
      const { identifier: email, kept = {} } = (await recallRequest(flow(), request)) ?? {}
      return email === undefined ? undefined : { email, kept }
    },
    isOwn: (request) => isOwnRequest(flow(), request),
    // After a failed link this browser may open a newer one, so its cookie stays.
    forget: async () => [],
  }
}
