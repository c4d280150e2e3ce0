import { encodeBase64url } from '../base/encoding/base64url.ts'
import { encodeUtf8 } from '../base/encoding/utf8.ts'
import { customFetch } from '../options/markers.ts'
import type { OIDCConfig } from '../options/provider-options.ts'
import type { World } from './world.ts'

/** The claims of the ID token, or the profile of a plain OAuth provider. */
export interface TestProfile extends Record<string, unknown> {
  /** The id of the account at the provider. */
  sub?: string
  name?: string | null
  email?: string | null
  email_verified?: boolean
  picture?: string | null
}

export interface TestProviderOptions {
  /** @default 'test' */
  id?: string
  /** The issuer of the provider that it replaces, if any. @default 'https://provider.test' */
  issuer?: string
  /** The account that signs in. @default Ada Lovelace, `sub: 'ada'`, `ada@example.com`, verified */
  profile?: TestProfile
}

export interface AuthorizeOptions {
  /** The error of a refusal, for example `access_denied`. */
  error?: string
  /** Milliseconds since the epoch, by the clock of the application. @default the real time */
  now?: number
}

/** An OpenID provider in this process. It opens no port and accepts each request at once. */
export interface TestProvider {
  /** The provider for the configuration. */
  readonly provider: OIDCConfig<TestProfile>
  /** The options of a built-in provider that it replaces: `google({ ...client })`. */
  readonly client: {
    readonly clientId: string
    readonly clientSecret: string
    readonly [customFetch]: typeof fetch
  }
  /** The account that signs in from now on. */
  profile: TestProfile
  /** The received requests, oldest first: `POST https://provider.test/token`. */
  readonly asked: readonly string[]
  /**
   * Answers an authorization request.
   *
   * @returns the URL of the application to which the browser goes next.
   */
  authorize(url: string | URL, options?: AuthorizeOptions): URL
  /**
   * Signs this browser in. @returns the last response of the application.
   *
   * @throws if the application does not send the browser to the provider.
   */
  signIn(world: World, options?: { id?: string; error?: string }): Promise<Response>
}

const ADA: TestProfile = {
  sub: 'ada',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  email_verified: true,
}

/** The authorization request and the account of a code. */
interface Authorization {
  readonly asked: URLSearchParams
  readonly profile: TestProfile
  readonly now: number
}

export function createTestProvider({
  id = 'test',
  issuer = 'https://provider.test',
  profile = ADA,
}: TestProviderOptions = {}): TestProvider {
  const codes = new Map<string, Authorization>()
  const tokens = new Map<string, TestProfile>()
  const asked: string[] = []
  const clientId = 'test-client'
  const clientSecret = 'the secret of the test client'

  const answer: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    asked.push(`${request.method} ${request.url}`)
    const { pathname } = new URL(request.url)
    if (pathname.includes('/.well-known/')) return Response.json(metadataOf(issuer))
    if (request.method === 'POST') return redeem(new URLSearchParams(await request.text()))
    if (pathname === KEYS) return Response.json({ keys: [(await signingKey()).jwk] })
    const token = request.headers.get('authorization')?.replace(/^\w+ /, '') ?? ''
    const known = tokens.get(token)
    return known ? Response.json(known) : Response.json({ error: 'invalid_token' }, { status: 401 })
  }

  const redeem = async (form: URLSearchParams): Promise<Response> => {
    const begun = codes.get(form.get('code') ?? '')
    // A code works once, for the redirect URI and the verifier of its request.
    codes.delete(form.get('code') ?? '')
    const isRight =
      begun?.asked.get('redirect_uri') === form.get('redirect_uri') &&
      (await proves(begun?.asked.get('code_challenge'), form.get('code_verifier')))
    if (!begun || !isRight) return Response.json({ error: 'invalid_grant' }, { status: 400 })
    const accessToken = crypto.randomUUID()
    tokens.set(accessToken, begun.profile)
    const iat = Math.floor(begun.now / 1000)
    const nonce = begun.asked.get('nonce')
    const claims = {
      ...begun.profile,
      ...(nonce === null ? {} : { nonce }),
      iss: issuer,
      aud: begun.asked.get('client_id'),
      iat,
      exp: iat + 3600,
    }
    // Apple has no scope `openid`. Only OpenID requests have a nonce.
    const isOpenId =
      nonce !== null || (begun.asked.get('scope')?.split(' ').includes('openid') ?? false)
    return Response.json({
      access_token: accessToken,
      token_type: 'bearer',
      expires_in: 3600,
      ...(isOpenId ? { id_token: await signed(claims) } : {}),
    })
  }

  const it: TestProvider = {
    profile,
    asked,
    client: { clientId, clientSecret, [customFetch]: answer },
    provider: {
      id,
      name: 'Test',
      type: 'oidc',
      issuer,
      clientId,
      clientSecret,
      [customFetch]: answer,
    },
    authorize(url, { error, now = Date.now() } = {}) {
      const { searchParams: params } = new URL(url)
      const back = new URL(params.get('redirect_uri') ?? '')
      const state = params.get('state')
      if (state !== null) back.searchParams.set('state', state)
      if (error !== undefined) {
        back.searchParams.set('error', error)
        return back
      }
      const code = crypto.randomUUID()
      codes.set(code, { asked: params, profile: it.profile, now })
      back.searchParams.set('code', code)
      return back
    },
    async signIn(world, { id: other = id, ...refusal } = {}) {
      const { basePath } = world.core.plan(world.config)
      const begun = await world.post(`${basePath}/signin/${other}`)
      const location = begun.headers.get('location') ?? ''
      if (!URL.canParse(location) || !new URL(location).searchParams.has('redirect_uri')) {
        throw new Error(`the sign-in leads to ${location || 'nowhere'}, not to the provider`)
      }
      return world.get(it.authorize(location, { ...refusal, now: world.now() }).href)
    },
  }
  return it
}

const KEYS = '/keys'

function metadataOf(issuer: string): object {
  const base = new URL(issuer).origin
  return {
    issuer,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    userinfo_endpoint: `${base}/userinfo`,
    jwks_uri: base + KEYS,
    code_challenge_methods_supported: ['S256'],
  }
}

/** RFC 7636 section 4.6. */
async function proves(
  challenge: string | null | undefined,
  verifier: string | null,
): Promise<boolean> {
  if (!challenge) return verifier === null
  const digest = await crypto.subtle.digest('SHA-256', encodeUtf8(verifier ?? ''))
  return encodeBase64url(new Uint8Array(digest)) === challenge
}

const RS256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }

let key: Promise<{ jwk: JsonWebKey; privateKey: CryptoKey }> | undefined

/** Created once, because a key takes longer than a sign-in. */
function signingKey(): NonNullable<typeof key> {
  return (key ??= makeKey())
}

async function makeKey(): Promise<{ jwk: JsonWebKey; privateKey: CryptoKey }> {
  const { publicKey, privateKey } = await crypto.subtle.generateKey(
    { ...RS256, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ['sign', 'verify'],
  )
  const { kty, n, e } = await crypto.subtle.exportKey('jwk', publicKey)
  return { jwk: { kty, n, e, alg: 'RS256', use: 'sig' } as JsonWebKey, privateKey }
}

async function signed(claims: object): Promise<string> {
  const { privateKey } = await signingKey()
  const part = (value: object): string => encodeBase64url(encodeUtf8(JSON.stringify(value)))
  const content = `${part({ alg: 'RS256' })}.${part(claims)}`
  const signature = await crypto.subtle.sign(RS256.name, privateKey, encodeUtf8(content))
  return `${content}.${encodeBase64url(new Uint8Array(signature))}`
}
