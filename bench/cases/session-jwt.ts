import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { Auth as PeerAuth } from '@auth/core'
import { encode as peerEncode } from '@auth/core/jwt'
import { createLatchkey } from 'latchkey'
import { encode } from 'latchkey/jwt'
import {
  asCookies,
  emptyResponse,
  get,
  ourConfig,
  ours,
  peer,
  peerConfig,
  type Settings,
  secret,
  sessionCookie,
} from '../contenders.ts'
import type { Case, Contender, Planned } from '../measure.ts'

const salt = sessionCookie

/** Claims of a session whose token has about `bytes` bytes inside. */
function claims(bytes: number): Record<string, string> {
  return { name: 'Ada', email: 'ada@example.com', sub: 'u1', data: 'x'.repeat(bytes - 150) }
}

async function isAda(response: Response): Promise<boolean> {
  const session = (await response.json()) as { user?: { name?: string } } | null
  return response.status === 200 && session?.user?.name === 'Ada'
}

async function read({
  bytes = 200,
  ask,
  fresh = false,
  isPeers = false,
  ...settings
}: Settings & {
  bytes?: number
  ask?: number
  /** A configuration object of its own for each request. */
  fresh?: boolean
  /** Did the peer seal what is read? */
  isPeers?: boolean
} = {}): Promise<Case> {
  // With several secrets the last one sealed the token: the most that opening it can cost.
  const sealing = settings.secrets?.at(-1) ?? secret
  const token = claims(bytes)
  const [a, b] = [
    await encode({ token, secret: sealing, salt }),
    await peerEncode({ token, secret: sealing, salt }),
  ]
  const [ourOwn, theirOwn] = [
    get('session', asCookies(isPeers ? b : a)),
    get('session', asCookies(b)),
  ]
  const [config, theirConfig] = [ourConfig(settings), peerConfig(settings)]
  return {
    ...(ask === undefined ? {} : { ask }),
    ours: ours(fresh ? () => ourConfig(settings) : config, ourOwn, isAda),
    peer: peer(fresh ? () => peerConfig(settings) : theirConfig, theirOwn, isAda),
    limit: bareOpen(a, sealing, { answer: true, seal: settings.updateAge === 0 }),
  }
}

async function inProcess(): Promise<Case> {
  const token = claims(200)
  const [a, b] = [await encode({ token, secret, salt }), await peerEncode({ token, secret, salt })]
  const { auth } = createLatchkey(ourConfig())
  const theirConfig = peerConfig()
  const named = (session: unknown): boolean =>
    (session as { user?: { name?: string } } | null)?.user?.name === 'Ada'
  return {
    ask: 60,
    ours: {
      prepare: get('session', asCookies(a)),
      run: (request: Request) => auth(request),
      verify: named,
    },
    peer: {
      prepare: get('session', asCookies(b)),
      run: async (request: Request) => (await PeerAuth(request, theirConfig)).json(),
      verify: named,
    },
    limit: bareOpen(a, secret, { answer: false, seal: false }),
  }
}

/** Opens the same token with nothing around `node:crypto`, the key at hand. */
function bareOpen(
  token: string,
  sealing: string,
  { answer, seal }: { answer: boolean; seal: boolean },
): Contender {
  const info = `Auth.js Generated Encryption Key (${salt})`
  const key = new Uint8Array(hkdfSync('sha256', sealing, salt, info, 32))
  return {
    prepare: () => token,
    run: (input) => {
      const [header = '', , iv = '', ciphertext = '', tag = ''] = (input as string).split('.')
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'))
      decipher.setAAD(Buffer.from(header))
      decipher.setAuthTag(Buffer.from(tag, 'base64url'))
      const text = decipher.update(ciphertext, 'base64url', 'utf8') + decipher.final('utf8')
      const opened: unknown = JSON.parse(text)
      if (seal) {
        const cipher = createCipheriv('aes-256-gcm', key, randomBytes(12))
        cipher.setAAD(Buffer.from(header))
        cipher.update(JSON.stringify(opened), 'utf8', 'base64url')
        cipher.final('base64url')
        cipher.getAuthTag().toString('base64url')
      }
      return answer ? new Response(null) : opened
    },
    verify: (result) => result instanceof Response || (result as { sub: string }).sub === 'u1',
  }
}

async function anonymous(): Promise<Case> {
  const isNobody = async (response: Response): Promise<boolean> =>
    response.status === 200 && (await response.text()) === 'null'
  return {
    ours: ours(ourConfig(), get('session'), isNobody),
    peer: peer(peerConfig(), get('session'), isNobody),
    limit: emptyResponse,
  }
}

const secrets = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${secret} number ${index}`)

/** Every read of a session that is kept in a cookie. */
export const sessionJwt: readonly Planned[] = [
  ['`GET session`, JWT, nothing due', () => read({ ask: 35 })],
  ['the same, 2 kB inside', () => read({ bytes: 2000 })],
  ['the same, 8 kB inside', () => read({ bytes: 8000 })],
  ['the same, 10 providers', () => read({ providers: 10 })],
  ['the same, 80 providers', () => read({ providers: 80, ask: 35 })],
  ['the same, sealed with the last of 3 secrets', () => read({ secrets: secrets(3) })],
  ['the same, sealed with the last of 10 secrets', () => read({ secrets: secrets(10) })],
  ['the same, sealed by Auth.js', () => read({ isPeers: true, ask: 30 })],
  ['the same, a new configuration for each request', () => read({ fresh: true, ask: 8 })],
  ['the same, new, with 10 providers', () => read({ fresh: true, providers: 10, ask: 8 })],
  ['`GET session`, JWT, written again at each read', () => read({ updateAge: 0, ask: 20 })],
  ['written again, 80 providers', () => read({ updateAge: 0, providers: 80, ask: 30 })],
  ['session read in the process, no `Response`', inProcess],
  ['`GET session`, nobody signed in', anonymous],
]
