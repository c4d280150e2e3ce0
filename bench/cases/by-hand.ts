import { createCipheriv, createHash, createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { Auth as PeerAuth } from '@auth/core'
import { begun, cookiesOf, get, peer, peerConfig, post, sessionCookie } from '../contenders.ts'
import type { Case, Contender, Planned } from '../measure.ts'
import { isAda, reading } from '../stored.ts'
import { isCsrf } from './actions.ts'
import { bareQuery, QUERY, type Stored, store, tokenCookies } from './session-sqlite.ts'

const NEVER_CACHED = {
  'cache-control': 'private, no-cache, no-store',
  expires: '0',
  pragma: 'no-cache',
}

/** The least of a session read: address and cookie looked at, the token hashed, one query, JSON. */
async function sqlite(): Promise<Case> {
  const stored = await store(1000)
  const { contender: limit, close } = bareQuery(stored)
  const hand = readByHand(stored)
  return {
    ours: hand.contender,
    limit,
    close() {
      hand.close()
      close()
      stored.close()
    },
  }
}

function readByHand(stored: Stored): { contender: Contender<Request>; close: () => void } {
  const database = new DatabaseSync(stored.path)
  const statement = database.prepare(QUERY)
  const key = createSecretKey(randomBytes(32))
  const run = ({ method, url, headers }: Request): Response => {
    const token = headers.get('cookie')?.slice(sessionCookie.length + 1) ?? ''
    // Our rows hold the hash; these hold the token, which is what is looked for.
    createHmac('sha256', key).update(token).digest('base64url')
    const isRead = method === 'GET' && url.endsWith('/auth/session')
    const { name, email, expires } = (isRead && statement.get(token)) || {}
    const session = { user: { name, email }, expires: new Date(Number(expires)).toISOString() }
    return new Response(JSON.stringify(session), {
      headers: { ...NEVER_CACHED, 'content-type': 'application/json' },
    })
  }
  const prepare = reading(tokenCookies(stored))
  return {
    contender: { prepare, run, verify: (answer) => isAda(answer as Response) },
    close: () => database.close(),
  }
}

/**
 * The least of a sign-in with credentials: the form read, its token checked, `authorize` asked with a
 * request that holds the fields, a session sealed, the token of forms drawn anew, and the way back.
 */
async function credentials(): Promise<Case> {
  const config = peerConfig()
  const { response, csrfToken } = await begun((request) => PeerAuth(request, config))
  const cookies = cookiesOf(response)
  const form = post('callback/credentials', cookies, { csrfToken, password: 'right' })
  const run = async (request: Request): Promise<Response> => {
    const { url, headers } = request
    const fields = Object.fromEntries(new URLSearchParams(await request.text()))
    const sent = headers.get('cookie')?.includes(fields['csrfToken'] ?? 'none')
    const hashed = sha256(`${fields['csrfToken']}a secret`)
    if (request.method !== 'POST' || !url.endsWith('/credentials') || !sent || !hashed) {
      return new Response(null, { status: 400 })
    }
    const body = JSON.stringify(fields)
    const user = await authorize(fields, new Request(url, { method: 'POST', headers, body }))
    const drawn = randomBytes(32).toString('hex')
    const answer = new Response(null, {
      status: 302,
      headers: { ...NEVER_CACHED, location: 'https://app.example' },
    })
    const path = '; Path=/; HttpOnly; Secure; SameSite=Lax'
    for (const [name, value] of [
      ['callback-url', encodeURIComponent('https://app.example')],
      ['session-token', seal({ ...user, iat: Date.now() })],
      ['csrf-token', `${drawn}|${sha256(`${drawn}a secret`)}`],
    ]) {
      answer.headers.append('set-cookie', `__Secure-authjs.${name}=${value}${path}`)
    }
    return answer
  }
  const verify = (answer: Response): boolean =>
    answer.status === 302 && cookiesOf(answer).includes('session-token=')
  return {
    ours: { prepare: form, run, verify },
    peer: peer(config, form, verify),
  }
}

/** The least of a first visit: address and cookies looked at, a token drawn and hashed, two cookies, JSON. */
async function csrf(): Promise<Case> {
  const path = '; Path=/; HttpOnly; Secure; SameSite=Lax'
  const home = `__Secure-authjs.callback-url=${encodeURIComponent('https://app.example')}${path}`
  const run = ({ method, url, headers }: Request): Response => {
    if (method !== 'GET' || !url.endsWith('/auth/csrf') || headers.get('cookie')) {
      return new Response(null, { status: 400 })
    }
    const csrfToken = randomBytes(32).toString('hex')
    const cookie = `${csrfToken}%7C${sha256(`${csrfToken}a secret`)}`
    const answer = new Response(JSON.stringify({ csrfToken }), {
      headers: { ...NEVER_CACHED, 'content-type': 'application/json' },
    })
    answer.headers.append('set-cookie', `__Host-authjs.csrf-token=${cookie}${path}`)
    answer.headers.append('set-cookie', home)
    return answer
  }
  const config = peerConfig({ providers: 10 })
  return {
    ours: { prepare: get('csrf'), run, verify: isCsrf },
    peer: peer(config, get('csrf'), isCsrf),
  }
}

async function authorize(
  { password }: Record<string, string>,
  _request: Request,
): Promise<object | undefined> {
  return password === 'right' ? { sub: 'u1', name: 'Ada', email: 'ada@example.com' } : undefined
}

const key = createSecretKey(randomBytes(32))
const header = Buffer.from(JSON.stringify({ alg: 'dir', enc: 'A256GCM' })).toString('base64url')
const aad = Buffer.from(header)

function seal(claims: object): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(aad)
  const ciphertext = cipher.update(JSON.stringify(claims), 'utf8')
  cipher.final()
  const [nonce, sealed, tag] = [iv, ciphertext, cipher.getAuthTag()].map((bytes) =>
    bytes.toString('base64url'),
  )
  return `${header}..${nonce}.${sealed}.${tag}`
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** What is left when all of ours is taken away: how far the asks can be met at all. */
export const byHand: readonly Planned[] = [
  ['by hand: `GET session`, SQLite, 10^3 sessions', sqlite],
  ['by hand: `GET csrf`, first visit', csrf],
  ['by hand: credentials sign-in, JWT', credentials],
]
