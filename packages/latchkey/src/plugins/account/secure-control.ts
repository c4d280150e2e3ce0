import { encodeBase64url, type NotMe } from '../../entries/plugin.ts'
import type { Own } from './own.ts'
import { SECURE_AGE } from './records/secure-links.ts'
import type { AccountKey } from './texts.ts'

/** Creates the links "this was not me" for the mails of all plugins. */
export function createNotMe({ host, secureLinks }: Own): NotMe {
  return {
    async button(userId, what, request, change = {}) {
      const token = encodeBase64url(host.ports.random(32))
      const at = host.ports.now()
      const address = (await host.store?.getUser(userId))?.email ?? ''
      await secureLinks.create({
        key: await host.keys.hash('secure', token),
        userId,
        data: { what, address, at, ...change },
        expires: new Date(at + SECURE_AGE),
      })
      const { text } = await host.site.text<AccountKey>(request)
      const url = `${request.origin}${host.site.path('account/secure', { token })}`
      return { button: text('account:mail.secure'), url }
    },
  }
}
