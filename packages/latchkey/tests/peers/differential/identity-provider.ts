import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** What the simulated provider says instead of what is usual. */
export interface Answers {
  /** Members of the discovery document; `null` removes one. */
  metadata?: Record<string, unknown>
  metadataStatus?: number
  /** Members of the token response; `null` removes one. */
  tokens?: Record<string, unknown>
  tokenStatus?: number
  tokenHeaders?: Record<string, string>
  /** Claims of the ID token; `null` removes one. */
  claims?: Record<string, unknown>
  idToken?: 'none' | 'foreign key' | 'garbage'
  userinfo?: unknown
  userinfoStatus?: number
  /** Nothing answers. */
  down?: boolean
}

/** A request that the provider got. */
export interface Asked {
  readonly name: string
  readonly detail: Record<string, unknown>
}

export interface IdentityProvider {
  readonly fetch: typeof fetch
  readonly asked: Asked[]
  /** The nonce of the last authorization request, for the ID token. */
  nonce: string | null
}

export const ISSUER = 'https://idp.example'

const [keys, foreign] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')])
const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }

const PERSON = {
  sub: 'idp-7',
  name: 'Ada Lovelace',
  email: 'Ada@Example.test',
  picture: 'https://idp.example/ada.png',
}

/** An OpenID provider that can be asked as a plain OAuth provider too. */
export function createIdentityProvider(answers: Answers = {}): IdentityProvider {
  const provider: IdentityProvider = {
    asked: [],
    nonce: null,
    async fetch(input, init) {
      const request = new Request(input, init)
      const { pathname } = new URL(request.url)
      const body = await request.text()
      provider.asked.push({
        name: `${request.method} ${request.url}`,
        detail: {
          authorization: request.headers.get('authorization'),
          ...(body ? { type: request.headers.get('content-type') } : {}),
          ...(body ? { form: Object.fromEntries(new URLSearchParams(body)) } : {}),
        },
      })
      if (answers.down) throw new TypeError('connection refused')
      if (pathname.endsWith('/.well-known/openid-configuration')) {
        return Response.json(without({ ...METADATA, ...answers.metadata }), {
          status: answers.metadataStatus ?? 200,
        })
      }
      if (pathname === '/jwks') return Response.json({ keys: [jwk] })
      if (pathname === '/token') return token(await idToken())
      if (pathname === '/oauth/token') return token(undefined)
      if (pathname === '/userinfo') {
        return Response.json(answers.userinfo ?? PERSON, { status: answers.userinfoStatus ?? 200 })
      }
      return new Response('not found', { status: 404 })
    },
  }
  return provider

  async function token(id: string | undefined): Promise<Response> {
    const usual = {
      access_token: 'the-access-token',
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: 'the-refresh-token',
      scope: 'openid profile email',
      ...(id === undefined ? {} : { id_token: id }),
    }
    return Response.json(without({ ...usual, ...answers.tokens }), {
      status: answers.tokenStatus ?? 200,
      ...(answers.tokenHeaders ? { headers: answers.tokenHeaders } : {}),
    })
  }

  async function idToken(): Promise<string> {
    if (answers.idToken === 'garbage') return 'this is no token'
    const now = Math.floor(Date.now() / 1000)
    const claims = without({
      ...PERSON,
      iss: ISSUER,
      aud: 'the-client',
      iat: now,
      exp: now + 300,
      ...(provider.nonce === null ? {} : { nonce: provider.nonce }),
      ...answers.claims,
    })
    const signed = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
      .sign(answers.idToken === 'foreign key' ? foreign.privateKey : keys.privateKey)
    if (answers.idToken !== 'none') return signed
    const header = Buffer.from('{"alg":"none"}').toString('base64url')
    return `${header}.${signed.split('.')[1]}.`
  }
}

const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  userinfo_endpoint: `${ISSUER}/userinfo`,
  jwks_uri: `${ISSUER}/jwks`,
  id_token_signing_alg_values_supported: ['ES256'],
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  code_challenge_methods_supported: ['S256'],
}

function without(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null))
}
