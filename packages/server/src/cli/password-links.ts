import { readAddress } from 'latchkey/plugin/accounts'
import type { PasswordsApi } from 'latchkey/plugins/passwords'
import type { Sources } from '../settings.ts'
import { UserError } from '../user-error.ts'
import { findUser } from './find-user.ts'
import { apiOf, type Configured, withLatchkey } from './with-latchkey.ts'

/** Seconds for which the link of a new user works. */
const INVITED = 7 * 24 * 60 * 60

/** How a link reaches its user. */
interface Delivery {
  /** Prints the link, instead of mailing it. */
  readonly print?: true | undefined
}

/**
 * Creates a user who chooses a password with a link, which proves the address.
 *
 * @throws {UserError} if it is no address, or there is a user with it.
 */
export function createUser(
  typed: string,
  { name, print }: Delivery & { readonly name?: string | undefined },
  sources: Sources,
): Promise<void> {
  return withLatchkey(sources, async (configured) => {
    const { adapter } = configured
    const links = linksOf(configured)
    const email = readAddress(typed)
    if (email === undefined) throw new UserError(`users: ${typed} is not an email address`)
    if (await adapter?.getUserByEmail?.(email))
      throw new UserError(`users: there is a user ${email}; use latchkey users send-reset`)
    const made = { id: crypto.randomUUID(), email, emailVerified: null, name: name ?? null }
    const user = await adapter?.createUser?.(made)
    process.stdout.write(`created the user ${user?.id}\n`)
    await links.give({ id: String(user?.id), email }, { print, expiresIn: INVITED })
  })
}

/**
 * Gives a user a link to choose a new password.
 *
 * @param user the id of the user, or the address.
 * @throws {UserError} if there is no such user, or the user has no address.
 */
export function sendReset(user: string, { print }: Delivery, sources: Sources): Promise<void> {
  return withLatchkey(sources, async (configured) => {
    const links = linksOf(configured)
    const { id, email } = await findUser(user, configured.adapter)
    if (!email) throw new UserError(`users: ${id} has no address to which a link could be mailed`)
    await links.give({ id, email }, { print })
  })
}

interface Links {
  give(
    user: { readonly id: string; readonly email: string },
    how: Delivery & { readonly expiresIn?: number },
  ): Promise<void>
}

/** @throws {UserError} if the service has no passwords, or no address for links. */
function linksOf(configured: Configured): Links {
  const off = 'passwords: are off; set LATCHKEY_PASSWORDS=true and a mail provider'
  const passwords = apiOf<PasswordsApi>('passwords', off, configured)
  const { origin } = configured.settings
  if (origin === undefined)
    throw new UserError('url: the link needs the address of the service; set AUTH_URL')
  return {
    async give({ id, email }, { print, ...more }) {
      const { url, expires } = await passwords.createResetLink(id, {
        origin,
        send: !print,
        ...more,
      })
      const until = expires.toISOString()
      process.stdout.write(
        print ? `${url}\n` : `mailed a link to ${email}, which works until ${until}\n`,
      )
    },
  }
}
