/**
 * Keeps the mails of a site that has no mail service yet.
 *
 * @module
 */

import { clientAddress, definePlugin, type PluginOption } from '../../entries/plugin.ts'
import type { Own } from './own.ts'
import { codeIn, createMailStore, linkIn, type MailStore } from './store.ts'
import { texts } from './texts.ts'
import { isFromHere } from './visitor.ts'

/**
 * Keeps mails in this process and shows them at `mailbox`, as long as the site has no mail provider and is not in
 * production. A plugin that sends mails puts it in `brings`.
 */
export function developmentMailbox(): PluginOption<'mailbox'> {
  return definePlugin<'mailbox', object, Own>({
    name: 'mailbox',
    texts,
    provides: ['mailbox'],
    routes: {
      mailbox: {
        GET: { who: 'anyone', run: async () => (await import('./route.ts')).showMails },
      },
    },
    atEdge: () => ({ isWhole: true }),
    setUp(host) {
      const mails = (): MailStore => host.shared(() => createMailStore())
      return {
        own: { host, mails },
        provides: {
          mailbox: {
            isOpenTo: (request) => isFromHere(request, clientAddress(request.original)),
            keep(sent, { origin, base }) {
              const { to, subject } = sent
              const mail = { ...sent, at: host.ports.now() }
              mails().keep(mail)
              const code = codeIn(mail)
              const what = linkIn(mail, origin) ?? (code === undefined ? undefined : `code ${code}`)
              host.ports.console.log(
                `[latchkey][info] not sent: ${JSON.stringify(subject)} to ${JSON.stringify(to)}: ${what ?? `${base}/mailbox`}`,
              )
            },
          },
        },
      }
    },
  })
}
