import { CompactSign, exportJWK, generateKeyPair, type JWK, type JWTPayload, jwtVerify } from 'jose'

export const ISSUER = 'https://op.example'
export const CLIENT_ID = 'client'
export const CLIENT_SECRET = 'a client secret of thirty-two characters'

/** A key of the provider. */
interface Key {
  readonly alg: string
  readonly kid: string | undefined
  readonly privateKey: CryptoKey
  readonly jwk: JWK
}

const made = new Map<string, Promise<Key>>()

/** A key pair; the same name gives the same one. */
export function key(name: string, alg = 'RS256', kid: string | undefined = name): Promise<Key> {
  const known = made.get(`${name} ${alg} ${kid}`)
  if (known) return known
  const fresh = generateKeyPair(alg, { extractable: true }).then(
    async ({ publicKey, privateKey }) => ({
      alg,
      kid,
      privateKey,
      jwk: { ...(await exportJWK(publicKey)), alg, use: 'sig', ...(kid ? { kid } : {}) },
    }),
  )
  made.set(`${name} ${alg} ${kid}`, fresh)
  return fresh
}

/** How the provider departs from what is right. Whatever is left out, it does right. */
export interface Misbehaviour {
  /** Changes of its metadata. */
  metadata?: Record<string, unknown>
  /** Keys that it publishes. @default the one it signs with */
  keys?: () => Promise<readonly Key[]>
  /** Signs ID tokens and signed userinfo. */
  signWith?: () => Promise<Key>
  /** Changes of the ID token's claims; `undefined` removes one. */
  claims?: Record<string, unknown>
  /** Changes of the ID token's header. */
  header?: Record<string, unknown>
  /** The ID token itself. */
  idToken?: (claims: JWTPayload, right: string) => unknown
  /** The answer to a pushed authorization request. */
  pushed?: () => Response
  /** Changes of the token response. */
  tokens?: Record<string, unknown>
  /** Changes of the userinfo answer. */
  userinfo?: Record<string, unknown>
  /** The userinfo answer is a JWT. */
  signsUserinfo?: boolean
  /** Signs userinfo with this key, which it does not publish. */
  userinfoKey?: () => Promise<Key>
  /** Changes of the authorization response. */
  response?: Record<string, string | undefined>
  /** Sends the authorization response's parameters so. */
  respond?: (params: URLSearchParams) => URLSearchParams
}

/** What the provider was told about us when we registered. */
export interface Registration {
  /**
   * How we authenticate ourselves at the token endpoint. It looks at the first four of OpenID Connect
   * Core section 9 itself, and leaves the others to the test.
   *
   * @default 'client_secret_basic'
   */
  authMethod?: string | undefined
  /** A code that was asked for without a challenge is not redeemed. */
  needsPkce?: boolean
}

/** A request that it was sent. */
export interface Asked {
  readonly path: string
  readonly headers: Headers
  readonly form: URLSearchParams
}

/** An OpenID provider in this process that signs in Ada, and misbehaves as it is told. */
export interface SimulatedProvider {
  readonly fetch: typeof fetch
  readonly asked: Asked[]
  /** Why it refused requests of ours. */
  readonly refused: string[]
  misbehaviour: Misbehaviour
  /** Agrees to an authorization request. @returns the parameters of its answer. */
  authorize(url: URL): URLSearchParams
}

/** @param now milliseconds since the epoch. */
export function simulateProvider(
  now: () => number,
  told: Misbehaviour = {},
  registered: Registration = {},
): SimulatedProvider {
  const asked: Asked[] = []
  const refused: string[] = []
  const codes = new Map<string, URLSearchParams>()
  const pushes = new Map<string, URLSearchParams>()
  const provider: SimulatedProvider = {
    asked,
    refused,
    misbehaviour: told,
    authorize({ searchParams: asked }) {
      const code = `code-${codes.size}`
      const pushed = asked.get('request_uri')
      const params = pushed === null ? asked : takePushed(pushed, asked)
      codes.set(code, new URLSearchParams(params))
      const answer = new URLSearchParams()
      const right = { code, state: params.get('state') ?? undefined, iss: ISSUER }
      for (const [name, value] of Object.entries({ ...right, ...provider.misbehaviour.response })) {
        if (value !== undefined) answer.set(name, value)
      }
      return provider.misbehaviour.respond?.(answer) ?? answer
    },
    async fetch(input, init = {}) {
      const request = new Request(input, init)
      const path = new URL(request.url).pathname
      const form = new URLSearchParams(request.method === 'POST' ? await request.text() : '')
      asked.push({ path, headers: request.headers, form })
      switch (path) {
        case '/.well-known/openid-configuration':
          return Response.json({ ...METADATA, ...provider.misbehaviour.metadata })
        case '/keys':
          return Response.json({ keys: (await keys()).map(({ jwk }) => jwk) })
        case '/token':
          return tokenResponse(request.headers, form)
        case '/userinfo':
          return userinfoResponse(request)
        case '/par':
          return pushedResponse(request.headers, form)
        default:
          return new Response(null, { status: 404 })
      }
    },
  }
  return provider

  async function signingKey(): Promise<Key> {
    return (await provider.misbehaviour.signWith?.()) ?? key('usual')
  }

  async function keys(): Promise<readonly Key[]> {
    return (await provider.misbehaviour.keys?.()) ?? [await signingKey()]
  }

  async function sign(
    claims: Record<string, unknown>,
    header: object = {},
    by: Promise<Key> = signingKey(),
  ): Promise<string> {
    const { alg, kid, privateKey } = await by
    return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
      .setProtectedHeader({ alg, ...(kid ? { kid } : {}), ...header })
      .sign(privateKey)
  }

  function refuse(error: string, status = 400): Response {
    refused.push(error)
    const challenge = { 'www-authenticate': `Bearer error="${error}"` }
    return Response.json({ error }, { status, ...(status === 401 ? { headers: challenge } : {}) })
  }

  async function tokenResponse(headers: Headers, form: URLSearchParams): Promise<Response> {
    const { token_endpoint_auth_signing_alg_values_supported: algs } =
      provider.misbehaviour.metadata ?? {}
    if (!(await isClient(headers, form, registered.authMethod, now(), algs as string[]))) {
      return refuse('invalid_client')
    }
    const begun = codes.get(form.get('code') ?? '')
    if (!begun || begun.get('redirect_uri') !== form.get('redirect_uri')) {
      return refuse('invalid_grant')
    }
    if (form.get('grant_type') !== 'authorization_code') return refuse('unsupported_grant_type')
    if (!(await provesBeginning(begun, form, registered.needsPkce))) return refuse('invalid_grant')
    const nonce = begun.get('nonce')
    const seconds = Math.floor(now() / 1000)
    const { claims = {}, header, idToken, tokens } = provider.misbehaviour
    const right: JWTPayload = {
      iss: ISSUER,
      sub: 'ada',
      aud: CLIENT_ID,
      iat: seconds,
      exp: seconds + 600,
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      email_verified: true,
      ...(nonce === null ? {} : { nonce }),
      ...claims,
    }
    const signed = await sign(right, header)
    return Response.json({
      access_token: ACCESS_TOKEN,
      token_type: 'Bearer',
      expires_in: 3600,
      id_token: idToken ? await idToken(right, signed) : signed,
      ...tokens,
    })
  }

  async function pushedResponse(headers: Headers, form: URLSearchParams): Promise<Response> {
    if (provider.misbehaviour.pushed) return provider.misbehaviour.pushed()
    if (!(await isClient(headers, form, registered.authMethod, now()))) {
      return refuse('invalid_client', 401)
    }
    const request_uri = `urn:ietf:params:oauth:request_uri:${pushes.size}`
    pushes.set(request_uri, form)
    return Response.json({ request_uri, expires_in: 60 }, { status: 201 })
  }

  /** RFC 9126 section 4: used once, by the client that pushed it, and with nothing beside it. */
  function takePushed(uri: string, asked: URLSearchParams): URLSearchParams {
    const params = pushes.get(uri)
    pushes.delete(uri)
    if (!params || [...asked.keys()].sort().join() !== 'client_id,request_uri') {
      throw new Error('the authorization request is none that was pushed')
    }
    return params
  }

  async function userinfoResponse({ headers, url }: Request): Promise<Response> {
    const { userinfo, signsUserinfo, userinfoKey, tokens } = provider.misbehaviour
    const token = String(tokens?.['access_token'] ?? ACCESS_TOKEN)
    if (headers.get('authorization') !== `Bearer ${token}` || url.includes('access_token')) {
      return refuse('invalid_token', 401)
    }
    const right = { sub: 'ada', name: 'Ada of the userinfo endpoint', email: 'ada@example.com' }
    const answer = { ...right, ...userinfo }
    if (!signsUserinfo) return Response.json(answer)
    const jwt = await sign({ ...answer, iss: ISSUER, aud: CLIENT_ID }, {}, userinfoKey?.())
    return new Response(jwt, { headers: { 'content-type': 'application/jwt' } })
  }
}

/** Did the client prove itself as it is registered, and in no other way (RFC 6749 section 2.3)? */
async function isClient(
  headers: Headers,
  form: URLSearchParams,
  method = 'client_secret_basic',
  now: number,
  algorithms: readonly string[] = ['HS256'],
): Promise<boolean> {
  const header = headers.get('authorization')
  const secret = form.get('client_secret')
  const assertion = form.get('client_assertion')
  const isNamed = form.get('client_id') === CLIENT_ID
  switch (method) {
    case 'client_secret_basic': {
      const [id, password] = atob(header?.replace(/^Basic /, '') ?? '').split(':')
      const isRight = id === CLIENT_ID && formDecode(password ?? '') === CLIENT_SECRET
      return isRight && secret === null && assertion === null
    }
    case 'client_secret_post':
      return isNamed && secret === CLIENT_SECRET && header === null && assertion === null
    case 'client_secret_jwt':
      return (
        header === null &&
        secret === null &&
        form.get('client_assertion_type') ===
          'urn:ietf:params:oauth:client-assertion-type:jwt-bearer' &&
        (await isSignedBySecret(assertion ?? '', now, algorithms))
      )
    case 'none':
      return isNamed && header === null && secret === null && assertion === null
    default:
      return true
  }
}

function formDecode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}

/** RFC 7523 section 3. */
async function isSignedBySecret(
  assertion: string,
  now: number,
  algorithms: readonly string[],
): Promise<boolean> {
  try {
    await jwtVerify(assertion, new TextEncoder().encode(CLIENT_SECRET), {
      algorithms: [...algorithms],
      issuer: CLIENT_ID,
      subject: CLIENT_ID,
      audience: [ISSUER, `${ISSUER}/token`],
      requiredClaims: ['exp', 'jti'],
      currentDate: new Date(now),
    })
    return true
  } catch {
    return false
  }
}

/** RFC 7636 section 4.6, and no verifier where there was no challenge (RFC 9700 section 4.8.2). */
async function provesBeginning(
  begun: URLSearchParams,
  form: URLSearchParams,
  needsPkce = false,
): Promise<boolean> {
  const challenge = begun.get('code_challenge')
  const verifier = form.get('code_verifier')
  if (challenge === null) return verifier === null && !needsPkce
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier ?? ''))
  return (
    begun.get('code_challenge_method') === 'S256' &&
    Buffer.from(digest).toString('base64url') === challenge
  )
}

export const ACCESS_TOKEN = 'an access token of Ada'

const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  userinfo_endpoint: `${ISSUER}/userinfo`,
  jwks_uri: `${ISSUER}/keys`,
  authorization_response_iss_parameter_supported: true,
  code_challenge_methods_supported: ['S256'],
}

/** The left half of a hash, as `at_hash` and `c_hash` have it. */
export async function halfHash(value: string, hash = 'SHA-256'): Promise<string> {
  const digest = await crypto.subtle.digest(hash, new TextEncoder().encode(value))
  return Buffer.from(digest.slice(0, digest.byteLength / 2)).toString('base64url')
}
