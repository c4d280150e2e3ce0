import { CompactSign } from 'jose'
import { key } from './simulated-provider.ts'

/** What is known of a provider, and what it answers in a sign-in of Ada. */
export interface ProviderFacts {
  readonly id: string
  readonly name: string
  readonly type: 'oauth' | 'oidc'
  /** That an application must give, beside its id and secret. */
  readonly options?: Readonly<Record<string, unknown>>
  readonly issuer?: string
  /** The authorization endpoint, where the metadata does not name it. */
  readonly authorize?: string
  /** Of the authorization request; `<random>` for what is drawn. */
  readonly query: Readonly<Record<string, string>>
  readonly token: {
    /** Where the metadata does not name it. */
    readonly url?: string
    readonly client: 'basic' | 'post' | 'none'
    readonly grant?: string
    /** Beside those of the standard. */
    readonly fields?: Readonly<Record<string, string>>
    readonly verifier?: boolean
  }
  /** Of the token response, beside those of the standard. */
  readonly tokens?: Readonly<Record<string, unknown>>
  /** The userinfo request of a plain OAuth provider. */
  readonly asked?: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: unknown
  }
  /** Does an OpenID provider say who it is at its userinfo endpoint? */
  readonly readsUserinfo?: boolean
  /** Where a picture is fetched from. */
  readonly photo?: string
  /** The userinfo answer, or the claims of the ID token. */
  readonly answer: Readonly<Record<string, unknown>>
  /** Comes with the code, as JSON. */
  readonly posted?: Readonly<Record<string, unknown>>
  /** Where in the answer the profile is. */
  readonly unwrap?: string
  /** The user, with the account's identifier as `id`. */
  readonly user: Readonly<Record<string, unknown>>
  /** A path in the answer, and what there means that nobody has proven the address. */
  readonly denied?: readonly [path: string, value: unknown]
  readonly deprecated?: boolean
}

export const CLIENT_ID = 'client of ada'
export const CLIENT_SECRET = 'secret-of-ada-0123456789-0123456789'
export const ACCESS_TOKEN = 'token of ada'

/** A request that a vendor was sent. */
export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: string
}

/** A provider's servers, as far as one sign-in needs them. */
export interface Vendor {
  readonly fetch: typeof fetch
  readonly asked: Asked[]
  /** Those that are not for metadata and keys. */
  asks(): Asked[]
  /** Agrees. @returns the parameters of the authorization response. */
  authorize(url: URL): URLSearchParams
}

/** Of which Ada is, where there are several. */
const TENANT = '9188040d-6c67-4c5b-b112-36a304b66dad'

/** @param now milliseconds since the epoch. */
export function createVendor(facts: ProviderFacts, now: () => number): Vendor {
  const { issuer = 'https://vendor.example' } = facts
  const host = 'https://endpoints.vendor.example'
  const tenants = /\/(?:common|organizations|consumers)\//
  const isShared = tenants.test(issuer)
  const asked: Asked[] = []
  let nonce: string | null = null
  return {
    asked,
    asks: () => asked.filter(({ url }) => !/well-known|\/keys$/.test(url)),
    authorize({ searchParams }) {
      nonce = searchParams.get('nonce')
      const posted = Object.entries(facts.posted ?? {})
      return new URLSearchParams({
        code: 'the code',
        state: searchParams.get('state') ?? '',
        ...Object.fromEntries(posted.map(([name, value]) => [name, JSON.stringify(value)])),
      })
    },
    async fetch(input, init) {
      const request = new Request(input, init)
      const { url, method, headers } = request
      asked.push({ url, method, headers, body: await request.clone().text() })
      if (url.includes('/.well-known/openid-configuration')) return Response.json(metadata())
      if (url.endsWith('/keys') || url.endsWith('/jwks.json')) {
        return Response.json({ keys: [(await key('vendor')).jwk] })
      }
      if (isSame(url, facts.token.url ?? `${host}/token`)) return tokenResponse()
      if (url === facts.photo) return new Response('hi')
      if (url === `${host}/userinfo`) return userinfo()
      return isSame(url, facts.asked?.url)
        ? Response.json(facts.answer)
        : new Response(`nobody answers at ${url}`, { status: 404 })
    },
  }

  function metadata(): Record<string, unknown> {
    return {
      issuer: isShared ? issuer.replace(tenants, '/{tenantid}/') : issuer,
      authorization_endpoint: `${host}/authorize`,
      token_endpoint: `${host}/token`,
      jwks_uri: `${host}/keys`,
      // Apple has none.
      ...(facts.readsUserinfo ? { userinfo_endpoint: `${host}/userinfo` } : {}),
    }
  }

  async function tokenResponse(): Promise<Response> {
    const seconds = Math.floor(now() / 1000)
    const tokens = {
      access_token: ACCESS_TOKEN,
      token_type: 'Bearer',
      expires_in: 3600,
      ...facts.tokens,
    }
    if (facts.type === 'oauth') return Response.json(tokens)
    const claims = {
      iss: isShared ? issuer.replace(tenants, `/${TENANT}/`) : issuer,
      ...(isShared ? { tid: TENANT } : {}),
      aud: CLIENT_ID,
      iat: seconds,
      exp: seconds + 600,
      ...(nonce === null ? {} : { nonce }),
      ...facts.answer,
    }
    return Response.json({ ...tokens, id_token: await sign(claims) })
  }

  async function userinfo(): Promise<Response> {
    if (facts.id !== 'bankid-no') return Response.json(facts.answer)
    const jwt = await sign({ ...facts.answer, iss: issuer, aud: CLIENT_ID })
    return new Response(jwt, { headers: { 'content-type': 'application/jwt' } })
  }

  async function sign(claims: Record<string, unknown>): Promise<string> {
    const payload = new TextEncoder().encode(JSON.stringify(claims))
    // LINE signs with the secret that it shares with us.
    if (facts.id === 'line') {
      return new CompactSign(payload)
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode(CLIENT_SECRET))
    }
    const { alg, kid = '', privateKey } = await key('vendor')
    return new CompactSign(payload).setProtectedHeader({ alg, kid }).sign(privateKey)
  }
}

/** Do two addresses say the same, however their parameters are written? */
function isSame(one: string, other: string | undefined): boolean {
  if (other === undefined) return false
  const [{ origin, pathname, searchParams }, second] = [new URL(one), new URL(other)]
  return (
    origin + pathname === second.origin + second.pathname &&
    searchParams.toString() === second.searchParams.toString()
  )
}
