// An OpenID provider in a process of its own: `fork` it, and it sends `{ issuer }` once it listens.
// The message `rotate` gives it new keys, as a real provider does now and then.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import { errors, Provider } from 'oidc-provider'

const redirectUri = process.argv[2]
const { resources, ...configuration } = JSON.parse(process.argv[3] ?? '{}')
const renewals = { asked: 0, refused: 0 }
const server = http.createServer().listen(0, '127.0.0.1')
await once(server, 'listening')
const issuer = `http://127.0.0.1:${server.address().port}`

/** Access tokens for the resources that the configuration lists (RFC 8707), as JWTs that name them. */
const resourceIndicators = {
  enabled: true,
  useGrantedResource: () => false,
  getResourceServerInfo(_context, resource) {
    if (!resources.includes(resource)) throw new errors.InvalidTarget()
    return { scope: 'profile', audience: resource, accessTokenFormat: 'jwt' }
  },
}

let provider = await createProvider()
server.on('request', (request, response) => {
  if (request.url.startsWith('/interaction/')) void interact(request, response)
  else provider.callback()(request, response)
})
process.on('message', (message) => {
  if (message === 'rotate') void rotate()
  if (message === 'renewals') process.send(renewals)
})
process.on('disconnect', () => process.exit(0))
process.send({ issuer })

async function rotate() {
  provider = await createProvider()
  process.send('rotated')
}

async function createProvider() {
  const keys = []
  for (const alg of ['RS256', 'ES256']) {
    const { privateKey } = await generateKeyPair(alg, { extractable: true })
    keys.push({ ...(await exportJWK(privateKey)), alg, use: 'sig', kid: `${alg}-${randomUUID()}` })
  }
  const made = new Provider(issuer, {
    clients: [
      client('basic', { token_endpoint_auth_method: 'client_secret_basic' }),
      client('post', { token_endpoint_auth_method: 'client_secret_post' }),
      client('public', { token_endpoint_auth_method: 'none', client_secret: undefined }),
    ],
    jwks: { keys },
    cookies: { keys: ['only for tests'] },
    // Its own dispatcher goes to no loopback address.
    fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined }),
    scopes: ['openid', 'email', 'profile', 'offline_access'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    findAccount: async (_context, id) => ({
      accountId: id,
      claims: async () => ({
        sub: id,
        name: id,
        email: `${id}@example.test`,
        email_verified: true,
      }),
    }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    ttl: {
      AccessToken: 60,
      Grant: 600,
      IdToken: 60,
      Interaction: 60,
      RefreshToken: 600,
      Session: 600,
    },
    ...configuration,
    ...(resources && { features: { ...configuration.features, resourceIndicators } }),
  })
  const count = ({ oidc }, name) => {
    if (oidc.params?.grant_type === 'refresh_token') renewals[name]++
  }
  made.on('grant.success', (context) => count(context, 'asked'))
  made.on('grant.error', (context) => {
    count(context, 'asked')
    count(context, 'refused')
  })
  return made
}

function client(client_id, more) {
  return {
    client_id,
    client_secret: 'a secret of the client, 0123456789abcdef',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    ...more,
  }
}

/** Signs in the person that `login_hint` names, with their consent; `refuses` refuses it. */
async function interact(request, response) {
  try {
    const { prompt, params, session } = await provider.interactionDetails(request, response)
    // A hint is a name or an address, whichever the application knows.
    const [accountId] = (params.login_hint ?? 'alice').split('@')
    await provider.interactionFinished(request, response, await answer(), {
      mergeWithLastSubmission: true,
    })
    async function answer() {
      if (accountId === 'refuses') {
        return { error: 'access_denied', error_description: 'the person <b>said no</b>' }
      }
      if (prompt.name === 'login') return { login: { accountId } }
      const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id })
      grant.addOIDCScope(params.scope)
      if (params.resource) grant.addResourceScope(params.resource, params.scope)
      return { consent: { grantId: await grant.save() } }
    }
  } catch (error) {
    response.statusCode = 500
    response.end(String(error))
  }
}
