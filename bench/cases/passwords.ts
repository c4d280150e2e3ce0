import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { hashPassword, verifyPassword } from '@better-auth/utils/password'
import { type AuthConfig, createLatchkey } from 'latchkey'
import { memoryAdapter } from 'latchkey/adapters/memory'
import { type PasswordsOptions, passwords } from 'latchkey/plugins/passwords'
import { secret } from '../contenders.ts'
import type { Contender, Planned } from '../measure.ts'

export const ORIGIN = 'https://app.example'
const ADDRESS = 'ada@example.com'
const PASSWORD = 'correct horse battery staple'

const compute = promisify(argon2)

/** One hash with the parameters of new hashes. */
export async function bareHash(password: string = PASSWORD): Promise<Buffer> {
  return compute('argon2id', {
    message: password,
    nonce: randomBytes(16),
    memory: 19_456,
    passes: 2,
    parallelism: 1,
    tagLength: 32,
  })
}

/** A site with one user in memory, without limits, since all sign-ins come from one place. */
export async function passwordSite(options: PasswordsOptions = {}) {
  const adapter = memoryAdapter()
  const plugin = passwords({ ...options, limits: false })
  const config = {
    secret,
    adapter,
    trustHost: true,
    basePath: '/auth',
    session: { strategy: 'database' },
    logger: { warn: () => undefined },
    providers: [],
    plugins: [plugin],
  } satisfies AuthConfig
  const latchkey = createLatchkey(config, {})
  const addUser = async (email: string): Promise<string> => {
    const user = { id: email, name: 'Ada', email, emailVerified: new Date() }
    return (await adapter.createUser?.(user))?.id ?? ''
  }
  await latchkey.api.passwords.set(await addUser(ADDRESS), PASSWORD)
  return { handler: latchkey.handler, api: latchkey.api, addUser }
}

/** A request that signs in. */
export function signInRequest(identifier: string = ADDRESS): Request {
  return new Request(`${ORIGIN}/auth/password/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: ORIGIN },
    body: JSON.stringify({ identifier, password: PASSWORD }),
  })
}

async function signingIn(identifier?: string): Promise<Contender> {
  const { handler } = await passwordSite()
  const isKnown = identifier === undefined
  return {
    prepare: () => signInRequest(identifier),
    run: (request) => handler(request as Request),
    verify: (response) => (response as Response).status === (isKnown ? 200 : 401),
  }
}

/** The peer has no sign-in that can be called alone, so only its hash is timed. */
async function peerHash(): Promise<Contender> {
  const hash = await hashPassword(PASSWORD)
  return {
    prepare: () => PASSWORD,
    run: (password) => verifyPassword(hash, password as string),
    verify: (isRight) => isRight === true,
  }
}

const bare: Contender = {
  prepare: () => PASSWORD,
  run: (password) => bareHash(password as string),
  verify: (tag) => (tag as Buffer).length === 32,
}

/** Sign-ins with a password, memory store. */
export const passwordCases: readonly Planned[] = [
  [
    'password sign-in, peer: the hash of Better Auth alone, limit: one bare argon2id (ACC-15)',
    async () => ({ ours: await signingIn(), peer: await peerHash(), limit: bare, within: 1.15 }),
  ],
  [
    'password sign-in of an unknown address, limit: of a known one (ACC-18)',
    async () => ({
      ours: await signingIn('nobody@example.com'),
      limit: await signingIn(),
      within: 1.03,
    }),
  ],
]
