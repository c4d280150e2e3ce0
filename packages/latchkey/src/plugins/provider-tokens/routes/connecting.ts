import type { Host, SafeUrl } from '../../../entries/plugin.ts'
import { type FlowCookie, flowCookie } from '../../../entries/plugin-accounts.ts'
import { PAGE } from '../own.ts'

/** Seconds within which the browser comes back from a provider. */
export const CONNECTING: number = 15 * 60

/** The provider that the page of connections sent the browser to. */
export function connecting(host: Host): FlowCookie<{ readonly provider: string }> {
  return flowCookie(host, 'connect')
}

/** Returns whether a URL is that of the page of connections. */
export function isPage(url: SafeUrl, { site }: Pick<Host, 'site'>): boolean {
  return new URL(url, 'https://page.invalid').pathname === site.path(PAGE)
}
