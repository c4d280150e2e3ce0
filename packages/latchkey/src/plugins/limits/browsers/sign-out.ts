import {
  type AuthRequest,
  type Cookie,
  type Host,
  type SignedOut,
  type SignOutAddition,
  type SiteRequest,
} from '../../../entries/plugin.ts'
import type { LimitsTextKey } from '../texts.ts'
import type { KnownBrowsers } from './known-browser.ts'

/** Returns whether a sign-out shall forget the browser as well: `1` of a form, or `true` of JSON. */
export const wantsForgotten = ({ form }: AuthRequest): boolean =>
  form['forget'] === '1' || form['forget'] === true

/** Returns the checkbox of the sign-out page, where a plugin keeps something with the browser, such as that it is trusted. */
export async function forgetBox(
  request: SiteRequest,
  { host, browsers }: { readonly host: Host; browsers(): Promise<KnownBrowsers> },
): Promise<SignOutAddition | undefined> {
  const userId = (await host.sessions.current(request))?.user.id
  if (userId === undefined || !(await (await browsers()).isMarked(userId, request)))
    return undefined
  const { text } = await host.site.text<LimitsTextKey>(request)
  return { field: { name: 'forget', label: text('limits:sign-out.forget') } }
}

/** Forgets the browser of the user who signed out. @returns the cookies that do it there. */
export async function forgetAfter(
  { request, facts }: SignedOut,
  { host, browsers }: { readonly host: Host; browsers(): Promise<KnownBrowsers> },
): Promise<readonly Cookie[]> {
  const userId = facts?.userId
  const { cookies, isForgotten } = await (await browsers()).forgetHere(userId, request)
  if (isForgotten && userId !== undefined) {
    const { tellSecurity } = await import('../../../entries/plugin-accounts.ts')
    await tellSecurity(host, { type: 'device.forgotten', outcome: 'success', userId })
  }
  return cookies
}
