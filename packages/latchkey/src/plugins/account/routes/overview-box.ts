import { type Call, html, markup, type PasskeyOffer } from '../../../entries/plugin.ts'
import { notice } from '../../../entries/plugin-pages.ts'
import type { Own } from '../own.ts'
import { offerBox } from './passkeys.ts'

/** Returns what the overview of the account shows first: until when a second factor must be set up, and the offer of a passkey. */
export async function overviewBox(call: Call, own: Own): ReturnType<PasskeyOffer['box']> {
  const { current, request } = call
  const userId = String(current?.user.id)
  const grace = await own.host.plugins.factors()?.grace?.(userId, request)
  const offer = await offerBox(call, own)
  if (!grace) return offer
  const content = markup(html`${notice(grace.text)}${offer?.content}`)
  return { ...offer, content }
}
