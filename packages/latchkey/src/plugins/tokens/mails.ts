import type { SiteRequest } from '../../entries/plugin.ts'
import { foreignText, inLanguageOf, notMeButton, sendMail } from '../../entries/plugin-accounts.ts'
import type { ApiKey } from './api-keys/key-record.ts'
import { KEYS_PAGE, type Own } from './own.ts'
import type { TokensKey } from './texts.ts'

/**
 * Tells the owner of an account that an API key was made, if they have a proven address and the site can send mails. A key
 * outlives the session that made it. Errors are logged.
 */
export async function tellNewKey(
  userId: string,
  { id, name }: Pick<ApiKey, 'id' | 'name'>,
  request: SiteRequest,
  { host }: Pick<Own, 'host'>,
): Promise<void> {
  if (!host.hasMail) return
  const user = await host.store?.getUser(userId)
  const { email, emailVerified } = user ?? {}
  if (!email || !emailVerified) return
  await host.work.background('api-key-created', async () => {
    const theirs = await inLanguageOf(userId, request, host)
    const { text } = await host.site.text<TokensKey>(theirs)
    const key = foreignText(name)
    const body = text('tokens:mail.key.body', { key })
    const [notMe] = await notMeButton(userId, body, theirs, host, { apiKey: id })
    const page = `${request.origin}${host.site.path(KEYS_PAGE)}`
    const further = notMe ?? { button: text('tokens:mail.key.button'), url: page }
    const values = { key, url: further.url }
    const about = { to: email, userId, kind: 'api-key-created', values } as const
    await sendMail<TokensKey>(about, theirs, host, (parts) => {
      const subject = parts.text('tokens:mail.key.subject', { name: parts.name })
      return {
        subject,
        title: subject,
        body: [body, parts.text('tokens:mail.key.not-you'), further],
        notes: [parts.requested],
      }
    })
  })
}
