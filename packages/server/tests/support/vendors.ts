import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export const CLIENT_ID = 'client'
export const CLIENT_SECRET = 'a client secret of thirty-two characters'
export const API_KEY = 're_a_key_of_the_mail_service'
/** Where the tenant of the OpenID provider is, below its origin. */
export const TENANT = '/9188040d-6c67-4c5b-b112-36a304b66dad'

/** A mail, as the mail service was asked to send it. */
export interface SentMail {
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly html: string
  readonly text: string
}

/** Servers of vendors, on one loopback address: a GitLab, an Entra ID with its Graph, and a Resend. */
export interface Vendors {
  readonly origin: string
  readonly mails: SentMail[]
  [Symbol.asyncDispose](): Promise<void>
}

interface Grant {
  readonly challenge: string
  readonly redirectUri: string
  readonly nonce: string | null
}

interface Call {
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** An answer that is not JSON. */
class Content {
  readonly type: string
  readonly body: string

  constructor(type: string, body: string) {
    this.type = type
    this.body = body
  }
}

/** Whoever is asked signs in as Ada; who asks must know the secrets, and prove the rest. */
export async function startVendors(): Promise<Vendors> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const grants = new Map<string, Grant>()
  const mails: SentMail[] = []
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const issuer = `${origin}${TENANT}/v2.0`

  const routes: Readonly<Record<string, (call: Call) => object>> = {
    'GET /oauth/authorize': consent,
    'POST /oauth/token': (call) => {
      redeem(call)
      return tokens
    },
    'GET /api/v4/user': ({ headers }) => {
      if (headers.authorization !== `Bearer ${tokens.access_token}`) throw new Error('who asks?')
      return {
        id: 4711,
        username: 'ada',
        name: 'Ada of GitLab',
        email: 'ada@gitlab.example',
        confirmed_at: '2020-01-01T00:00:00Z',
        avatar_url: 'https://images.example/ada.png',
      }
    },
    [`GET ${TENANT}/v2.0/.well-known/openid-configuration`]: () => ({
      issuer,
      authorization_endpoint: `${origin}${TENANT}/oauth2/v2.0/authorize`,
      token_endpoint: `${origin}${TENANT}/oauth2/v2.0/token`,
      jwks_uri: `${origin}${TENANT}/discovery/v2.0/keys`,
    }),
    [`GET ${TENANT}/oauth2/v2.0/authorize`]: consent,
    [`POST ${TENANT}/oauth2/v2.0/token`]: (call) => {
      const { nonce } = redeem(call)
      const now = Math.floor(Date.now() / 1000)
      return {
        ...tokens,
        id_token: jwt({
          iss: issuer,
          aud: CLIENT_ID,
          iat: now,
          exp: now + 600,
          sub: 'ada of this app',
          name: 'Ada of Entra ID',
          email: 'ada@entra.example',
          ...(nonce === null ? {} : { nonce }),
        }),
      }
    },
    [`GET ${TENANT}/discovery/v2.0/keys`]: () => ({
      keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }],
    }),
    'GET /v1.0/me/photos/48x48/$value': () => new Content('image/jpeg', 'hi'),
    'POST /emails': ({ headers, body }) => {
      if (headers.authorization !== `Bearer ${API_KEY}`) throw new Error('who asks?')
      mails.push(JSON.parse(body) as SentMail)
      return { id: String(mails.length) }
    },
  }

  return {
    origin,
    mails,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin)
    const route = routes[`${request.method} ${url.pathname}`]
    try {
      if (!route) throw new Error(`nobody answers ${request.method} ${url.pathname}`)
      const given = route({ url, headers: request.headers, body: await text(request) })
      const { type, body } =
        given instanceof Content ? given : new Content('application/json', JSON.stringify(given))
      response.setHeader('content-type', type).end(body)
    } catch (error) {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: 'invalid_request', error_description: String(error) }))
    }
  }

  function consent({ url: { searchParams: asked } }: Call): Content {
    const redirectUri = asked.get('redirect_uri') ?? ''
    if (asked.get('client_id') !== CLIENT_ID || asked.get('response_type') !== 'code')
      throw new Error('what is asked?')
    const code = `code-${grants.size}`
    const challenge = asked.get('code_challenge') ?? ''
    grants.set(code, { challenge, redirectUri, nonce: asked.get('nonce') })
    const back = new URL(redirectUri)
    back.search = new URLSearchParams({ code, state: asked.get('state') ?? '' }).toString()
    const link = back.href.replaceAll('&', '&amp;')
    const body = `<!doctype html><title>Vendor</title><a href="${link}">Allow ${asked.get('scope')}</a>`
    return new Content('text/html; charset=utf-8', body)
  }

  function redeem({ headers, body }: Call): Grant {
    const form = new URLSearchParams(body)
    const code = form.get('code') ?? ''
    const grant = grants.get(code)
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    // Both are encoded as a form is (RFC 6749, 2.3.1).
    const [id, secret] = [CLIENT_ID, CLIENT_SECRET].map((part) => part.replaceAll(' ', '+'))
    const basic = btoa(`${id}:${secret}`)
    if (headers.authorization !== `Basic ${basic}`) throw new Error('another client')
    if (grant?.challenge !== proof) throw new Error('another browser')
    if (grant.redirectUri !== form.get('redirect_uri')) throw new Error('another address')
    grants.delete(code)
    return grant
  }

  function jwt(claims: object): string {
    const parts = [{ alg: 'RS256', kid: 'one' }, claims]
    const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    const signature = sign('sha256', Buffer.from(signed.join('.')), privateKey)
    return `${signed.join('.')}.${signature.toString('base64url')}`
  }
}

const tokens = { access_token: 'token of ada', token_type: 'Bearer', expires_in: 3600 }
