import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPublicKey,
  createSecretKey,
  randomBytes,
  verify,
} from 'node:crypto'

const key = createSecretKey(randomBytes(32))
const ATTRIBUTES = '; Path=/; HttpOnly; Secure; SameSite=Lax'
const SITE = 'https://app.example'

interface Metadata {
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly jwks_uri: string
}

/** What is kept from the form to the callback. */
interface Attempt {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/**
 * The least of a sign-in with OpenID Connect: the token of the form, `state`, `nonce` and PKCE, one request to the
 * provider, the signature and the nonce of the ID token, a session sealed.
 */
export async function signInByHand(
  issuer: string,
): Promise<(request: Request) => Promise<Response>> {
  const metadata = await asked<Metadata>(fetch(`${issuer}/.well-known/openid-configuration`))
  const { keys } = await asked<{ keys: [JsonWebKey] }>(fetch(metadata.jwks_uri))
  const providerKey = createPublicKey({ key: keys[0], format: 'jwk' })

  async function begin(request: Request): Promise<Response> {
    const csrfToken = new URLSearchParams(await request.text()).get('csrfToken') ?? ''
    if (!request.headers.get('cookie')?.includes(withHash(csrfToken))) return refused()
    const attempt: Attempt = { state: random(), nonce: random(), verifier: random() }
    const query = new URLSearchParams({
      client_id: 'client',
      scope: 'openid profile email',
      response_type: 'code',
      redirect_uri: `${SITE}/auth/callback/op`,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: createHash('sha256').update(attempt.verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    return redirect(`${metadata.authorization_endpoint}?${query}`, [`attempt=${seal(attempt)}`])
  }

  async function complete(request: Request, query: URLSearchParams): Promise<Response> {
    const cookie = /attempt=([^;]*)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? ''
    const { state, nonce, verifier } = open(cookie) as Attempt
    if (query.get('state') !== state) return refused()
    const { id_token } = await asked<{ id_token: string }>(
      fetch(metadata.token_endpoint, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from('client:secret').toString('base64')}` },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code: query.get('code') ?? '',
          redirect_uri: `${SITE}/auth/callback/op`,
          code_verifier: verifier,
        }),
      }),
    )
    const [header = '', payload = '', signature = ''] = id_token.split('.')
    const isSigned = verify(
      'sha256',
      Buffer.from(`${header}.${payload}`),
      providerKey,
      Buffer.from(signature, 'base64url'),
    )
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    if (!isSigned || claims.nonce !== nonce) return refused()
    return redirect(SITE, [`session-token=${seal(claims)}`, 'attempt=; Max-Age=0'])
  }

  return async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/auth/callback/op') return complete(request, searchParams)
    if (pathname === '/auth/signin/op') return begin(request)
    const csrfToken = random()
    const answer = Response.json({ csrfToken })
    answer.headers.append('set-cookie', `csrf-token=${withHash(csrfToken)}${ATTRIBUTES}`)
    return answer
  }
}

async function asked<Answer>(response: Promise<Response>): Promise<Answer> {
  return (await (await response).json()) as Answer
}

function refused(): Response {
  return new Response(null, { status: 400 })
}

function redirect(location: string, cookies: readonly string[]): Response {
  const answer = new Response(null, { status: 302, headers: { location } })
  for (const cookie of cookies) answer.headers.append('set-cookie', cookie + ATTRIBUTES)
  return answer
}

function random(): string {
  return randomBytes(32).toString('base64url')
}

function withHash(csrfToken: string): string {
  return `${csrfToken}.${createHash('sha256').update(`${csrfToken}a secret`).digest('hex')}`
}

function seal(value: object): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()])
  return [iv, sealed, cipher.getAuthTag()].map((bytes) => bytes.toString('base64url')).join('.')
}

function open(sealed: string): unknown {
  const [iv = Buffer.of(), text = Buffer.of(), tag = Buffer.of()] = sealed
    .split('.')
    .map((part) => Buffer.from(part, 'base64url'))
  const decipher = createDecipheriv('aes-256-gcm', key, iv).setAuthTag(tag)
  return JSON.parse(decipher.update(text, undefined, 'utf8') + decipher.final('utf8'))
}
