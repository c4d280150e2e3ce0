import { isJsonObject } from '../../base/encoding/json.ts'
import { formatUuid } from '../../base/encoding/uuid.ts'
import { CredentialsSignin } from '../../base/errors.ts'
import { fieldsRequest } from '../../http/fields-request.ts'
import { isFromOwnPage } from '../../http/origin/origin-hints.ts'
import { redirect } from '../../http/outcome.ts'
import type { AuthRequest } from '../../http/request.ts'
import { trusted } from '../../http/safe-url.ts'
import type { CredentialsConfig } from '../../options/provider-options.ts'
import type { Plan } from '../../plan/plan.ts'
import type { CompiledProvider, GivenUser } from '../../plan/provider.ts'
import type { ProvenUser } from '../../plugin/host-groups.ts'
import { isRefusal } from '../../sign-in/ask-sign-in.ts'
import { hasOneParameter } from './has-one-parameter.ts'

/** Sign-in with fields that the application checks itself. */
export function compileCredentials(config: CredentialsConfig, plan: Plan): CompiledProvider {
  const { id, name } = config
  // A `Request` with a body takes a fifth of a sign-in, and most applications do not use it.
  const isRequestSeen = !hasOneParameter(config.authorize)
  return {
    id,
    name,
    type: 'credentials',
    config,
    // The form on the sign-in page posts directly to the callback.
    begin: async (request) => redirect(trusted(`${request.base}/signin`)),
    callback: { POST: { csrf: true } },
    async complete(arrived) {
      const byPlugin = plan.plugins?.actions.authorize(id, arrived)
      if (byPlugin) return givenBy(await byPlugin, arrived, id)
      const credentials = { ...arrived.form }
      const request = isRequestSeen ? fieldsRequest(arrived.original, arrived.form) : UNSEEN
      const user = await config.authorize(credentials, request)
      if (!user) throw new CredentialsSignin('`authorize` did not accept the credentials')
      const userId = String(user.id ?? formatUuid(plan.ports.random(16)))
      // A response of `fetch` is an object, too. And if ids are promises or rows of a table,
      // all users would have the same id.
      if (!isJsonObject(user) || isRefusal(user) || userId.startsWith('[object ')) {
        throw new TypeError(
          '`authorize` must return null, or a user whose `id`, if any, is a string',
        )
      }
      return {
        proven: 'word',
        user: { ...user, id: userId },
        account: { providerAccountId: userId, type: 'credentials', provider: id },
        credentials,
        cookies: [],
      }
    },
    // The form has a CSRF token, or the framework protects it.
    isOwn: async ({ original, origin }) => isFromOwnPage(original.headers, origin),
    forget: async () => [],
  }
}

/** Returns the user whom a plugin identified. */
function givenBy(
  { user, amr, before, isNewUser }: ProvenUser,
  { form }: AuthRequest,
  id: string,
): GivenUser {
  const account = { providerAccountId: user.id, type: 'credentials' as const, provider: id }
  return {
    proven: 'word',
    user,
    account,
    credentials: { ...form },
    amr,
    before,
    isNewUser,
    cookies: [],
  }
}

/** The argument of a function that cannot see it. */
const UNSEEN = undefined as unknown as Request
