import { withoutEndSlashes } from '../../base/encoding/end-slashes.ts'
import { InvalidCheck } from '../../base/errors.ts'
import { compileOrigins } from '../../http/origin/origin-list.ts'
import { type Outcome, redirect } from '../../http/outcome.ts'
import type { AuthRequest } from '../../http/request.ts'
import { trusted } from '../../http/safe-url.ts'
import type { OAuth2Config } from '../../options/provider-options.ts'
import type { Plan } from '../../plan/plan.ts'
import { useOnce } from '../../sign-in/used-once.ts'

/** The deployment with a registered callback URL, for deployments whose addresses are not registered. */
export interface RedirectProxy {
  readonly origin: string
  /** The registered callback URL. */
  readonly redirectUri: string
  /** Returns whether responses may be forwarded to this deployment. */
  serves(origin: string): boolean
}

export function compileRedirectProxy(
  { id, redirectProxyUrl }: OAuth2Config<unknown>,
  { redirectProxy }: Plan,
): RedirectProxy | undefined {
  const url = redirectProxyUrl ?? redirectProxy.url
  if (url === undefined) return undefined
  const { origins } = redirectProxy
  return {
    origin: new URL(url).origin,
    redirectUri: `${withoutEndSlashes(url)}/callback/${id}`,
    // A deployment with the same secret sealed the state, with its own address.
    serves: origins ? compileOrigins(origins) : () => true,
  }
}

/**
 * On the proxy: forwards the provider's response to the deployment that began the sign-in.
 *
 * @returns `undefined` if the response is for the proxy itself.
 * @throws {InvalidCheck} if the state is foreign, was forwarded before, or has an address that is
 *   not a callback of this provider.
 */
export async function handOver(
  {
    proxy,
    plan,
    id,
  }: { readonly proxy: RedirectProxy | undefined; readonly plan: Plan; readonly id: string },
  request: AuthRequest,
): Promise<Outcome | undefined> {
  const [state, ...more] = request.query.getAll('state')
  if (proxy?.origin !== request.origin || state === undefined || more.length > 0) return undefined
  const claims = (await plan.sealer('encodedState').open(state, plan.ports))?.claims
  if (!claims)
    throw new InvalidCheck(
      '`state` was not created by this site, or has expired; give the proxy and the deployments the same `secret`',
    )
  const { origin } = claims
  if (typeof origin !== 'string') return undefined
  const target = URL.canParse(origin) ? new URL(origin) : undefined
  if (target?.origin === request.origin) return undefined
  if (!target || !isCallback(target, id) || !proxy.serves(target.origin)) {
    throw new InvalidCheck(
      `the response of ${id} belongs to a deployment that this proxy does not serve; add its origin to \`redirectProxyOrigins\``,
    )
  }
  if (!(await useOnce(plan, claims))) {
    throw new InvalidCheck(`this response of ${id} was already forwarded`)
  }
  plan.logger.debug('redirect proxy', () => ({ provider: id, to: target.origin }))
  target.search = request.query.toString()
  return redirect(trusted(target.href))
}

function isCallback({ protocol, username, password, pathname }: URL, id: string): boolean {
  return (
    /^https?:$/.test(protocol) && !username && !password && pathname.endsWith(`/callback/${id}`)
  )
}
