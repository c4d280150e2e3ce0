import { CompactSign, exportJWK, generateKeyPair, type JWK, type JWTPayload } from 'jose'

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
  misbehaviour: Misbehaviour
  /** Agrees to an authorization request. @returns the parameters of its answer. */
  authorize(url: URL): URLSearchParams
}

/** @param now milliseconds since the epoch. */
export function simulateProvider(now: () => number, told: Misbehaviour = {}): SimulatedProvider {
  const asked: Asked[] = []
  const codes = new Map<string, { nonce: string | null; redirectUri: string | null }>()
  const provider: SimulatedProvider = {
    asked,
    misbehaviour: told,
    authorize({ searchParams: params }) {
      const code = `code-${codes.size}`
      codes.set(code, { nonce: params.get('nonce'), redirectUri: params.get('redirect_uri') })
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
          return tokenResponse(form)
        case '/userinfo':
          return userinfoResponse()
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

  async function tokenResponse(form: URLSearchParams): Promise<Response> {
    const begun = codes.get(form.get('code') ?? '')
    if (!begun || begun.redirectUri !== form.get('redirect_uri')) {
      return Response.json({ error: 'invalid_grant' }, { status: 400 })
    }
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
      ...(begun.nonce === null ? {} : { nonce: begun.nonce }),
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

  async function userinfoResponse(): Promise<Response> {
    const { userinfo, signsUserinfo, userinfoKey } = provider.misbehaviour
    const right = { sub: 'ada', name: 'Ada of the userinfo endpoint', email: 'ada@example.com' }
    const answer = { ...right, ...userinfo }
    if (!signsUserinfo) return Response.json(answer)
    const jwt = await sign({ ...answer, iss: ISSUER, aud: CLIENT_ID }, {}, userinfoKey?.())
    return new Response(jwt, { headers: { 'content-type': 'application/jwt' } })
  }
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
