import { type Answer, type Call, Problem } from '../../entries/plugin.ts'
import type { Own } from './own.ts'
import { mailboxPage } from './page.ts'
import type { MailboxKey } from './texts.ts'

/** `GET mailbox` */
export async function showMails({ request }: Call, { host, mails }: Own): Promise<Answer> {
  const address = await host.site.mailbox(request)
  if (address === undefined)
    throw new Problem('not_found', 'mails are sent, or the request is not from this machine')
  const { origin } = request
  const texts = await host.site.text<MailboxKey>(request)
  return { page: mailboxPage(mails().list(), { origin, address, texts }) }
}
