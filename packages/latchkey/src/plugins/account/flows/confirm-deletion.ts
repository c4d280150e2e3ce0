import {
  type AdapterUser,
  encodeBase64url,
  Problem,
  type SiteRequest,
} from '../../../entries/plugin.ts'
import { mailDeletionLink } from '../mails.ts'
import type { Own } from '../own.ts'
import { DELETION_LINK_AGE } from '../records/deletion-links.ts'
import { type Opened, openRecord } from './undo.ts'

/** Mails the link that confirms a deletion. An earlier one no longer works. */
export async function askByMail(
  user: { readonly id: string; readonly email: string },
  request: SiteRequest,
  own: Own,
): Promise<void> {
  const { host, deletionLinks } = own
  for await (const { key } of deletionLinks.each(user.id)) await deletionLinks.delete(key)
  const token = encodeBase64url(host.ports.random(32))
  const at = host.ports.now()
  await deletionLinks.create({
    key: await host.keys.hash('deletion', token),
    userId: user.id,
    data: { at, address: user.email },
    expires: new Date(at + DELETION_LINK_AGE),
  })
  const url = `${request.origin}${host.site.path('account/confirm-delete', { token })}`
  await host.work.background('deletion-confirm', () => mailDeletionLink(user, url, request, own))
}

/** Returns the user of a link; `undefined` if it was used or is too old, or the user has another address by now. */
export async function openDeletion(token: string, own: Own): Promise<Opened<object> | undefined> {
  const { host, deletionLinks } = own
  const open = await openRecord(await host.keys.hashes('deletion', token), deletionLinks, own)
  return open?.record.data.address === open?.user.email ? open : undefined
}

/** Uses the link up. Of several calls at once, one succeeds. @throws {Problem} `invalid_code` */
export async function useDeletionLink(
  { record, user }: Opened<object>,
  { deletionLinks }: Own,
): Promise<AdapterUser> {
  if (await deletionLinks.take(record.key)) return user
  throw new Problem('invalid_code', 'the link was used meanwhile')
}
