import {
  type AdapterUser,
  type GatePage,
  type PendingSignIn,
  type SiteRequest,
} from '../../../entries/plugin.ts'
import { factorsOf } from '../../../entries/plugin-accounts.ts'
import type { Own } from '../own.ts'
import { levelOf, methodsOf } from './level.ts'

/**
 * Returns the page that a sign-in must visit first: for a second factor, or to set one up. It decides by what was proved in
 * this sign-in and by the store, for every way to sign in.
 */
export async function judge(
  { user: given, amr }: PendingSignIn,
  request: SiteRequest,
  own: Own,
): Promise<GatePage | undefined> {
  const { site, ports } = own.host
  // `needs` has an adapter, so every user of a sign-in is stored.
  const user = given as AdapterUser
  const { count } = factorsOf(amr)
  if (count === 2) return undefined
  const { state, hasFactors, until } = await levelOf(user, own, request)
  const isDue = until !== undefined && until <= ports.now()
  if (!hasFactors && !isDue) return undefined
  const methods = await methodsOf(user, own, amr)
  if (hasFactors || methods.length > 0) {
    if (await own.browsers.isTrusted(user, state, request)) return undefined
    const page = site.path('two-factor')
    return { page, json: { status: 'second_factor_required', next: page, factors: methods } }
  }
  const page = site.path('two-factor/enrol')
  return { page, json: { status: 'second_factor_required', next: page, factors: [] } }
}
