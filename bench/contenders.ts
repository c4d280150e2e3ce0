import { Auth as PeerAuth, type AuthConfig as PeerConfig } from '@auth/core'
import { Auth, type AuthConfig } from 'latchkey'
import type { Contender } from './measure.ts'

export const secret = 'a secret of the benchmark, 0123456789abcdef'
const origin = 'https://app.example'
export const sessionCookie = '__Secure-authjs.session-token'

/** What both are given: a member that only one of them knew would not be the same case. */
export interface Settings {
  readonly providers?: number
  readonly secrets?: readonly string[]
  readonly updateAge?: number
}

interface Shared {
  basePath: string
  trustHost: true
  secret: string[]
  session: { strategy: 'jwt'; updateAge: number }
  logger: { error(error: unknown): void; warn(): void }
  providers: object[]
}

/** A configuration: one way to sign in with credentials, and OAuth providers up to the number asked for. */
function shared({ providers = 1, secrets = [secret], updateAge = 86_400 }: Settings): Shared {
  return {
    basePath: '/auth',
    trustHost: true,
    secret: [...secrets],
    session: { strategy: 'jwt', updateAge },
    logger: {
      error: (error) => {
        throw error
      },
      warn() {},
    },
    providers: [
      {
        id: 'credentials',
        name: 'Password',
        type: 'credentials',
        credentials: { password: { label: 'Password', type: 'password' } },
        authorize: () => ({ id: 'u1', name: 'Ada', email: 'ada@example.com' }),
      },
      ...Array.from({ length: providers - 1 }, (_, index) => ({
        id: `provider-${index}`,
        name: `Provider ${index}`,
        type: 'oauth',
        clientId: 'id',
        clientSecret: 'secret',
        authorization: `https://provider-${index}.example/authorize?scope=profile`,
        token: `https://provider-${index}.example/token`,
        userinfo: `https://provider-${index}.example/me`,
        profile: ({ id, name }: { id: string; name: string }) => ({ id, name }),
      })),
    ],
  }
}

export function ourConfig(settings: Settings = {}): AuthConfig {
  return shared(settings) as unknown as AuthConfig
}

export function peerConfig(settings: Settings = {}): PeerConfig {
  // The peer's own function would only merge options into the provider.
  return shared(settings) as unknown as PeerConfig
}

/** A request to `path`, made anew for each run. */
export function get(path: string, cookies?: string): () => Request {
  const headers: Record<string, string> = cookies === undefined ? {} : { cookie: cookies }
  return () => new Request(`${origin}/auth/${path}`, { headers })
}

export function post(path: string, cookies: string, form: Record<string, string>): () => Request {
  const body = new URLSearchParams(form).toString()
  const headers = { cookie: cookies, 'content-type': 'application/x-www-form-urlencoded' }
  return () => new Request(`${origin}/auth/${path}`, { method: 'POST', headers, body })
}

type Verify = (response: Response) => boolean | Promise<boolean>

export function ours(
  config: AuthConfig | (() => AuthConfig),
  prepare: () => Request,
  verify: Verify,
): Contender {
  const run =
    typeof config === 'function'
      ? (request: Request) => Auth(request, config())
      : (request: Request) => Auth(request, config)
  return { prepare, run, verify }
}

export function peer(
  config: PeerConfig | (() => PeerConfig),
  prepare: () => Request,
  verify: Verify,
): Contender {
  const run =
    typeof config === 'function'
      ? (request: Request) => PeerAuth(request, config())
      : (request: Request) => PeerAuth(request, config)
  return { prepare, run, verify }
}

/** The `Cookie` header that a browser would send after these answers. */
export function cookiesOf(...responses: readonly Response[]): string {
  const jar = new Map<string, string>()
  for (const line of responses.flatMap((response) => response.headers.getSetCookie())) {
    const [pair = ''] = line.split('; ')
    const name = pair.slice(0, pair.indexOf('='))
    if (/max-age=0/i.test(line)) jar.delete(name)
    else jar.set(name, pair.slice(name.length + 1))
  }
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
}

/** A token as the browser sends it back: in one cookie, or in several when it is too long for one. */
export function asCookies(token: string): string {
  const chunks = token.match(/.{1,3936}/g) ?? []
  if (chunks.length === 1) return `${sessionCookie}=${token}`
  return chunks.map((chunk, index) => `${sessionCookie}.${index}=${chunk}`).join('; ')
}

/** The least that an answer costs: one without a body. */
export const emptyResponse: Contender = {
  prepare: () => undefined,
  run: () => new Response(null),
  verify: (response) => response instanceof Response,
}
