import * as v from 'valibot'
import { type Answer, type Call, Problem, scopesIn } from '../../../entries/plugin.ts'
import { connectionsOf, type Own } from '../own.ts'
import { claimsIn } from '../records/grant.ts'
import { CONNECTING, connecting, isPage } from './connecting.ts'

interface Input {
  readonly scopes: readonly string[]
  readonly resource: string | undefined
}

/** Scopes: a list in JSON, text with spaces in a form. */
export const input: v.GenericSchema<
  { scopes?: string | string[] | undefined; resource?: string | undefined },
  Input
> = v.pipe(
  v.strictObject({
    scopes: v.optional(
      v.union([
        v.pipe(v.string(), v.maxLength(2000)),
        v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(200))), v.maxLength(50)),
      ]),
    ),
    resource: v.optional(v.pipe(v.string(), v.maxLength(2000))),
  }),
  v.transform(({ scopes = [], resource }) => ({
    resource,
    scopes: typeof scopes === 'string' ? scopesIn(scopes) : scopes,
  })),
)

/**
 * `POST provider-tokens/connect/<provider>`: redirects the signed-in user to the provider, also to request further
 * scopes.
 */
export async function connect(call: Call<Input>, own: Own): Promise<Answer> {
  const { rest: provider = '', input: asked } = call
  const { host, isKept } = own
  const client = isKept(provider) ? await host.providers.client(provider) : undefined
  if (!client) throw new Problem('not_found', 'there is no such provider')
  const { scopes: allowed = [], connectParams } = client.rules
  const other = asked.scopes.filter(
    (scope) => !allowed.includes(scope) && !client.scopes.includes(scope),
  )
  if (other.length > 0)
    throw new Problem(
      'scope_not_allowed',
      `scopes that are not in \`tokens.scopes\` of the provider ${provider}`,
    )
  if (asked.resource !== undefined && !client.rules.resources?.includes(asked.resource))
    throw new Problem(
      'scope_not_allowed',
      `a resource that is not in \`tokens.resources\` of the provider ${provider}`,
    )
  const known = await (await connectionsOf(call, own)).account(provider)
  const scopes = [...new Set([...client.scopes, ...(known?.scope ?? []), ...asked.scopes])]
  const hint = client.type === 'oidc' ? addressIn(known?.id_token) : undefined
  const answer = await host.providers.connect(call, provider, {
    account: known?.account,
    params: {
      ...connectParams,
      ...(asked.resource !== undefined && { resource: asked.resource }),
      ...(hint !== undefined && { login_hint: hint }),
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    },
  })
  if (!isPage(call.callbackUrl, host)) return answer
  const kept = await connecting(host).keep({ provider }, call.request, CONNECTING)
  return { ...answer, cookies: [...(answer.cookies ?? []), ...kept] }
}

/** Returns the address of the user at the provider, as a login hint. */
function addressIn(idToken: string | undefined): string | undefined {
  const address = idToken === undefined ? undefined : claimsIn(idToken)['email']
  return typeof address === 'string' && address.length <= 320 ? address : undefined
}
