import type { PasswordControl } from '../../entries/plugin.ts'
import { inLanguageOf } from '../../entries/plugin-accounts.ts'
import { endResets } from './flows/end-resets.ts'
import { mailReset } from './mails.ts'
import type { Own } from './own.ts'
import { createLink } from './routes/forgot.ts'

/** Creates what the plugin does for others. */
export function createControl(own: Own): PasswordControl {
  const { host, passwords } = own
  return {
    async mailReset(userId, request) {
      const { email } = (await host.store?.getUser(userId)) ?? {}
      if (!email) return
      const link = await createLink(userId, email, request, own)
      await mailReset({ to: email, userId }, link, await inLanguageOf(userId, request, host), own)
    },
    setAt: async (userId) => (await passwords.kind.get(userId))?.data.setAt,
    async resetAt(userId) {
      const { by, setAt } = (await passwords.kind.get(userId))?.data ?? {}
      return by === 'reset' ? setAt : undefined
    },
    async version(userId) {
      const { rev, setAt } = (await passwords.kind.get(userId))?.data ?? {}
      // The number begins again with a password that follows a removed one.
      return rev === undefined ? undefined : `${rev} ${setAt}`
    },
    async remove(userId) {
      await passwords.kind.delete(userId)
      await endResets(userId, own)
    },
    async lacks() {
      const hasher = await own.hasher()
      return hasher.lacks()
    },
  }
}
