import { createHash, randomInt, timingSafeEqual } from 'node:crypto'
import type { Adapter } from 'latchkey/adapters'
import type { PasswordsApi } from 'latchkey/plugins/passwords'
import type { Provider } from 'latchkey/providers'
import Credentials from 'latchkey/providers/credentials'
import type { User } from 'latchkey/types'
import { keptValue } from '../store/data-dir.ts'

/** The account that development prints at start. */
export interface DemoAccount {
  readonly name: string
  readonly password: string
  /** Its way in, if the service has no passwords. */
  readonly provider: Provider
  /** Creates its user, with the password. */
  store(passwords: Pick<PasswordsApi, 'has' | 'set'>): Promise<void>
}

const EMAIL = 'demo@example.test'

/** The demo account of a data directory: its password is drawn once and kept there. */
export function createDemoAccount(dataDir: string, adapter: Adapter | undefined): DemoAccount {
  const password = keptValue(dataDir, 'demo-password', drawPassword)
  const provider = Credentials({
    id: 'credentials',
    name: 'Demo account',
    credentials: {
      email: { label: 'Email address', type: 'email', required: true },
      password: {
        label: 'Password',
        type: 'password',
        autocomplete: 'current-password',
        required: true,
      },
    },
    authorize: ({ email, password: given }) => {
      const right = [isSame(email, EMAIL), isSame(given, password)].every(Boolean)
      return right ? storedUser(adapter) : null
    },
  })
  return {
    name: EMAIL,
    password,
    provider,
    async store(passwords) {
      const { id } = await storedUser(adapter)
      if (id === undefined || (await passwords.has(id))) return
      await passwords.set(id, password, { skipRules: true, endSessions: false })
    },
  }
}

/** Sessions in a database belong to a stored user, so there has to be one. */
async function storedUser(adapter: Adapter | undefined): Promise<User> {
  const user = { name: 'Demo', email: EMAIL, emailVerified: new Date() }
  const known = await adapter?.getUserByEmail?.(EMAIL)
  return (
    known ??
    (await adapter?.createUser?.({ ...user, id: crypto.randomUUID() })) ?? { id: 'demo', ...user }
  )
}

/** Compares in a time that does not depend on where the difference is. */
function isSame(given: unknown, expected: string): boolean {
  return timingSafeEqual(digest(typeof given === 'string' ? given : ''), digest(expected))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Four groups of letters that are hard to confuse: some 78 bits. */
function drawPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  const group = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}
