/**
 * An OpenID provider in its own process, as little as a sign-in needs: metadata, keys, token endpoint.
 * A code is the nonce of the authorization request, and may name who signs in behind a dot. `DELAY` is how long each
 * answer takes, milliseconds; `ALG` is `RS256`, or `ES256`, which takes a fraction of the time.
 */
import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'

const delay = Number(process.env['DELAY'] ?? 0)
const alg = process.env['ALG'] ?? 'RS256'
const { publicKey, privateKey } =
  alg === 'ES256'
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
    : generateKeyPairSync('rsa', { modulusLength: 2048 })
const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg, use: 'sig' }
let requests = 0
let issuer = ''

async function answerTo(request: IncomingMessage): Promise<unknown> {
  const path = request.url
  if (path === '/requests') return requests
  requests++
  const [answer] = await Promise.all([answerAt(path, request), wait(delay)])
  return answer
}

async function answerAt(path: string | undefined, request: IncomingMessage): Promise<object> {
  if (path === '/keys') return { keys: [jwk] }
  if (path === '/token') return tokens(new URLSearchParams(await text(request)).get('code'))
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/keys`,
    code_challenge_methods_supported: ['S256'],
    id_token_signing_alg_values_supported: [alg],
  }
}

function tokens(code: string | null): object {
  const [nonce, sub = 'ada'] = code?.split('.') ?? []
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: issuer,
    sub,
    aud: 'client',
    iat: now,
    exp: now + 600,
    nonce,
    name: sub === 'ada' ? 'Ada Lovelace' : sub,
    email: `${sub}@example.com`,
  }
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${encode({ alg, kid: 'one' })}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(signed), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  }).toString('base64url')
  return {
    access_token: 'access',
    token_type: 'Bearer',
    expires_in: 3600,
    id_token: `${signed}.${signature}`,
  }
}

const server = createServer((request, response) => {
  void answerTo(request).then((answer) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answer))
  })
})

server.listen(0, '127.0.0.1', () => {
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  process.send?.(issuer)
})

// It ends with the process that started it.
process.on('disconnect', () => process.exit())
