import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context, Provider } from 'oidc-provider'
import { type NodeHandler, sendPage, setStandingHeaders } from '../http/listener.ts'
import { draw, messagePage, type Page } from '../http/page.ts'
import { type IdpAccount, parseAccount } from './idp-account.ts'
import { askPage, signOutPage } from './idp-page.ts'
import { IdpStore } from './idp-store.ts'

/** The development identity provider, and how to be its client. */
export interface DevelopmentIdp {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Answers everything below `/idp`. */
  readonly handle: NodeHandler
}

const MOUNT = '/idp'
const SCOPES = ['openid', 'profile', 'email']
const LONGEST_FORM = 4096

/**
 * A real OpenID provider for trying things out: a visitor who names an account has it.
 *
 * It forgets everything with the process, signs with a key of its own, and asks at each sign-in and sign-out.
 */
export async function createIdp(
  origin: string,
  { redirectUri, afterLogout }: { redirectUri: string; afterLogout: string },
): Promise<DevelopmentIdp> {
  const { Provider } = await loadQuietly()
  const issuer = `${origin}${MOUNT}`
  const clientId = 'latchkey'
  const clientSecret = randomBytes(32).toString('base64url')
  const provider = new Provider(issuer, {
    ...settings(),
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [afterLogout],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        id_token_signed_response_alg: 'ES256',
      },
    ],
  })
  // The header that this makes it read gets the public scheme below.
  provider.proxy = true
  const callback = provider.callback()

  async function handle(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
  ): Promise<void> {
    const isSignOut = path.startsWith(`${MOUNT}/session/end`)
    keepOnly(request, isSignOut ? ['_session'] : ['_interaction', '_interaction_resume'])
    if (path.startsWith(`${MOUNT}/interaction/`)) return interact(provider, request, response)
    Object.assign(request, { originalUrl: request.url })
    request.url = request.url?.slice(MOUNT.length)
    await callback(request, response)
  }

  return {
    issuer,
    clientId,
    clientSecret,
    handle: async (request, response, exchange, place) => {
      const [path = ''] = (request.url ?? '').split('?')
      if (!path.startsWith(`${MOUNT}/`)) return false
      exchange.outcome = 'development-idp'
      setStandingHeaders(response, exchange)
      request.headers['x-forwarded-proto'] = new URL(place.origin).protocol.slice(0, -1)
      await handle(request, response, path)
      return true
    },
  }
}

/** Loads the package, without its warning about every Node.js that is not an LTS release. */
async function loadQuietly(): Promise<{ Provider: typeof Provider }> {
  const { warn } = console
  console.warn = (...args: unknown[]) => {
    if (!String(args[0]).includes('Unsupported runtime')) warn(...args)
  }
  try {
    return await import('oidc-provider')
  } finally {
    console.warn = warn
  }
}

function settings(): Record<string, unknown> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = {
    ...privateKey.export({ format: 'jwk' }),
    alg: 'ES256',
    use: 'sig',
    kid: 'development',
  }
  return {
    adapter: IdpStore,
    jwks: { keys: [key] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    scopes: SCOPES,
    claims: {
      openid: ['sub'],
      profile: ['name', 'preferred_username'],
      email: ['email', 'email_verified'],
    },
    // The claims are in the ID token, where most providers of the world put them.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    clientBasedCORS: () => false,
    findAccount: async (_context: Context, id: string) => accountOf(parseAccount(id)),
    interactions: {
      url: (_context: Context, { uid }: { uid: string }) => `${MOUNT}/interaction/${uid}`,
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context: Context, form: string) => {
          const [, action = ''] = /action="([^"]*)"/.exec(form) ?? []
          const [, xsrf = ''] = /name="xsrf" value="([^"]*)"/.exec(form) ?? []
          show(context, signOutPage({ action, xsrf }))
        },
        postLogoutSuccessSource: (context: Context) =>
          show(context, messagePage(200, 'You are signed out', 'Of the development account.')),
      },
    },
    renderError: (context: Context) =>
      show(
        context,
        messagePage(context.status, 'This sign-in cannot go on', 'Go back and start it again.'),
      ),
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 3600,
      IdToken: 600,
      Interaction: 900,
      Session: 3600,
    },
  }
}

function show(context: Context, page: Page): void {
  const { text, headers } = draw(page)
  context.set(headers)
  context.body = text
}

function accountOf(account: IdpAccount | undefined): unknown {
  return (
    account && {
      accountId: account.id,
      claims: async () => ({
        sub: account.id,
        name: account.name,
        preferred_username: account.id,
        email: account.email,
        email_verified: true,
      }),
    }
  )
}

/** The page on which the visitor chooses an account and agrees, or refuses. */
async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const interaction = await provider.interactionDetails(request, response).catch(() => undefined)
  if (!interaction)
    return sendPage(
      response,
      messagePage(400, 'This sign-in has expired', 'Go back and start it again.'),
    )
  const scopes = (interaction.params.scope ?? '').split(' ')
  if (request.method !== 'POST')
    return sendPage(response, askPage({ name: interaction.params.login_hint ?? '', scopes }))

  const form = await readForm(request)
  const options = { mergeWithLastSubmission: false }
  if (form.get('answer') === 'refuse') {
    const refusal = { error: 'access_denied', error_description: 'the visitor refused' }
    return provider.interactionFinished(request, response, refusal, options)
  }
  const name = form.get('name') ?? ''
  const account = parseAccount(name)
  if (!account) return sendPage(response, askPage({ name, scopes, wrong: true }))
  const grant = new provider.Grant({
    accountId: account.id,
    clientId: interaction.params.client_id,
  })
  grant.addOIDCScope(scopes.filter((scope) => SCOPES.includes(scope)).join(' '))
  const result = {
    login: { accountId: account.id, remember: false },
    consent: { grantId: await grant.save() },
  }
  return provider.interactionFinished(request, response, result, options)
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length <= LONGEST_FORM) chunks.push(chunk)
  }
  return new URLSearchParams(length > LONGEST_FORM ? '' : Buffer.concat(chunks).toString('utf8'))
}

/**
 * Takes every other cookie off the request: the provider has no business with the application's,
 * and without a session of its own it asks each time, so one can change accounts. A sign-out is of its session.
 */
function keepOnly(request: IncomingMessage, names: readonly string[]): void {
  const kept = (request.headers.cookie ?? '').split(';').filter((pair) => {
    const [name = ''] = pair.trim().split('=')
    return names.includes(name.replace(/\.sig$/, ''))
  })
  if (kept.length > 0) request.headers.cookie = kept.join(';')
  else delete request.headers.cookie
}
