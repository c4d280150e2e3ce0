import { type Answer, type AnswerPage, type Call, isPrefetch } from '../../../entries/plugin.ts'
import type { Own } from '../own.ts'
import { deadLinkPage } from '../pages/ends.ts'
import type { PageParts } from './parts.ts'

/** For every page whose address had a token. */
export const HIDDEN = { 'referrer-policy': 'no-referrer' } as const

/** Seconds for which a browser keeps the token of a link. */
const KEPT = 15 * 60

/**
 * Keeps the token of a link in the browser, and redirects to the address without it. Programs that look at links use up
 * nothing.
 *
 * @returns `undefined` for an address without a token.
 */
export async function keepLink(
  { request, input }: Pick<Call<{ readonly token?: string | undefined }>, 'request' | 'input'>,
  name: keyof Own['cookies'],
  { host, cookies }: Own,
): Promise<Answer | undefined> {
  const { token } = input
  if (token === undefined) return undefined
  const { method, headers } = request.original
  if (method === 'HEAD' || isPrefetch(headers)) return { headers: HIDDEN }
  const path = {
    confirm: 'confirm-address',
    undo: 'undo-address',
    secure: 'secure',
    deletion: 'confirm-delete',
  }[name]
  return {
    to: host.site.path(`account/${path}`),
    headers: HIDDEN,
    cookies: await cookies[name].keep({ token }, request, KEPT),
  }
}

/** Returns the page for a link that was used or is too old. */
export function deadLink(parts: PageParts): Answer & { readonly page: AnswerPage } {
  return { status: 400, page: deadLinkPage(parts), headers: HIDDEN }
}
