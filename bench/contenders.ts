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

/** Providers that both have, by the names of their modules. */
const NAMES = `
  github google apple facebook discord twitter linkedin slack spotify 42-school asgardeo
  atlassian auth0 authentik azure-ad-b2c azure-devops bankid-no battlenet beyondidentity
  bitbucket box boxyhq-saml click-up cognito coinbase concept2 descope dribbble dropbox
  duende-identity-server6 eventbrite eveonline faceit figma foursquare freshbooks frontegg
  fusionauth gitlab hubspot huggingface identity-server4 instagram kakao keycloak kinde line
  logto mailchimp mailru mastodon mattermost medium microsoft-entra-id naver netlify nextcloud
  notion okta onelogin ory-hydra osso osu passage patreon ping-id pinterest pipedrive reddit
  roblox salesforce simplelogin strava threads tiktok todoist trakt twitch vipps
`
  .trim()
  .split(/\s+/)

type MakeProvider = (options: object) => object

/** The function that makes credentials, and those of the names. */
interface Catalogue {
  readonly credentials: MakeProvider
  readonly others: readonly MakeProvider[]
}

async function catalogueOf(library: string): Promise<Catalogue> {
  const make = async (name: string): Promise<MakeProvider> =>
    ((await import(`${library}/providers/${name}`)) as { default: MakeProvider }).default
  return { credentials: await make('credentials'), others: await Promise.all(NAMES.map(make)) }
}

const [ourCatalogue, peerCatalogue] = await Promise.all([
  catalogueOf('latchkey'),
  catalogueOf('@auth/core'),
])

const client = { clientId: 'id', clientSecret: 'secret', issuer: 'https://op.example' }

/** A configuration: one way to sign in with credentials, and OAuth providers up to the number asked for. */
function shared(
  { providers = 1, secrets = [secret], updateAge = 86_400 }: Settings,
  { credentials, others }: Catalogue,
): Shared {
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
      credentials({
        name: 'Password',
        credentials: { password: { label: 'Password', type: 'password' } },
        authorize: () => ({ id: 'u1', name: 'Ada', email: 'ada@example.com' }),
      }),
      ...others.slice(0, providers - 1).map((make) => make(client)),
    ],
  }
}

export function ourConfig(settings: Settings = {}): AuthConfig {
  return shared(settings, ourCatalogue) as unknown as AuthConfig
}

export function peerConfig(settings: Settings = {}): PeerConfig {
  return shared(settings, peerCatalogue) as unknown as PeerConfig
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

export interface Form {
  csrfToken: string
}

/** The cookies and the token of a browser that has asked for one. */
export async function begun(
  answer: (request: Request) => Promise<Response>,
): Promise<{ response: Response; csrfToken: string }> {
  const response = await answer(get('csrf')())
  return { response, ...((await response.clone().json()) as Form) }
}
