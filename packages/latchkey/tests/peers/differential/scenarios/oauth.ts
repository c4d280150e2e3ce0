import { generateKeyPair } from 'jose'
import { encode } from 'latchkey/jwt'
import type { AuthConfig } from '../../../../src/options/auth-config.ts'
import type { OAuthCheck } from '../../../../src/options/provider-options.ts'
import { SECRET } from '../known.ts'
import { acme, plain } from '../providers.ts'
import { comeBack, dropCookie, get, post, type Scenario, type Setting, wait } from '../scenario.ts'

type Config = (setting: Setting) => Partial<AuthConfig>

const open: Config = (setting) => ({ providers: [acme(setting)], session: { updateAge: 0 } })
const simple: Config = (setting) => ({ providers: [plain(setting)], session: { updateAge: 0 } })

function acmeWith(over: Parameters<typeof acme>[1]): Config {
  return (setting) => ({ providers: [acme(setting, over)] })
}

function plainWith(over: Parameters<typeof plain>[1]): Config {
  return (setting) => ({ providers: [plain(setting, over)] })
}

const toAcme = post('/auth/signin/acme', { callbackUrl: '/inbox' })
const toPlain = post('/auth/signin/plain', { callbackUrl: '/inbox' })

/** Of the client, for `private_key_jwt`. */
const { privateKey: CLIENT_KEY } = await generateKeyPair('ES256')

/** States that some deployment made for itself, by its address. */
const states: Record<string, string> = {}
for (const origin of [
  'https://preview.example/auth/callback/acme',
  'https://preview.example/auth/callback/other',
  'https://evil.example/',
  'javascript:alert(1)//auth/callback/acme',
  'https://app.example/auth/callback/acme',
]) {
  const token = { origin, random: 'random' }
  // Made by the real clock, and read by the one of the scenario.
  states[origin] = await encode({ token, secret: SECRET, salt: 'encodedState', maxAge: 1e9 })
}

/** From the start to the session. */
const there: readonly Scenario[] = [
  { name: 'OpenID Connect', config: open, steps: [toAcme, comeBack(), get('/auth/session')] },
  { name: 'OAuth', config: simple, steps: [toPlain, comeBack(), get('/auth/session')] },
  {
    name: 'OpenID Connect, what the callbacks are told',
    config: open,
    listens: ['signIn', 'jwt', 'redirect'],
    steps: [toAcme, comeBack()],
  },
  {
    name: 'OAuth, what the callbacks are told',
    config: simple,
    listens: ['signIn', 'jwt', 'redirect'],
    steps: [toPlain, comeBack()],
  },
  ...(
    [
      [],
      ['none'],
      ['pkce'],
      ['state'],
      ['nonce'],
      ['pkce', 'state'],
      ['pkce', 'nonce'],
      ['state', 'nonce'],
      ['pkce', 'state', 'nonce'],
    ] as OAuthCheck[][]
  ).map(
    (checks): Scenario => ({
      name: `OpenID Connect with the checks ${checks.join(', ') || '(none)'}`,
      config: acmeWith({ checks }),
      steps: [toAcme, comeBack()],
    }),
  ),
  ...([['none'], ['state'], ['pkce', 'state']] as OAuthCheck[][]).map(
    (checks): Scenario => ({
      name: `OAuth with the checks ${checks.join(', ')}`,
      config: plainWith({ checks }),
      steps: [toPlain, comeBack()],
    }),
  ),
  {
    name: 'parameters of the authorization endpoint',
    config: acmeWith({
      authorization: {
        url: 'https://idp.example/authorize?a=1',
        params: {
          scope: 'openid',
          prompt: 'login',
          max_age: 60,
          claims: { userinfo: { a: null } },
        },
      },
    }),
    steps: [toAcme],
  },
  {
    name: 'parameters without an address',
    config: acmeWith({ authorization: { params: { prompt: 'login' } } }),
    steps: [toAcme],
  },
  {
    name: 'an empty scope',
    config: plainWith({ authorization: 'https://idp.example/authorize?scope=' }),
    steps: [toPlain],
  },
  {
    name: 'an OAuth provider with an issuer alone',
    config: plainWith({
      authorization: undefined,
      token: undefined,
      userinfo: undefined,
      issuer: 'https://idp.example',
    }),
    steps: [toPlain, comeBack({ params: { iss: 'https://idp.example' } })],
  },
  {
    name: 'parameters in the query of the sign-in',
    config: open,
    steps: [post('/auth/signin/acme?login_hint=ada&scope=openid+more&prompt=none')],
  },
  {
    name: 'parameters in the query of the sign-in that bind it',
    config: open,
    steps: [
      post(
        '/auth/signin/acme?client_id=x&redirect_uri=https://evil.example&response_type=token&callbackUrl=/a&csrfToken=b',
      ),
    ],
  },
  {
    name: 'parameters in the body of the sign-in',
    config: open,
    steps: [post('/auth/signin/acme', { login_hint: 'ada' })],
  },
  {
    name: 'options over the description',
    config: acmeWith({
      options: {
        clientId: 'another-client',
        authorization: { params: { prompt: 'login' } },
        checks: ['state'],
      },
    }),
    idp: { claims: { aud: 'another-client' } },
    steps: [toAcme, comeBack()],
  },
  {
    name: 'asked for the address',
    config: open,
    steps: [post('/auth/signin/acme', {}, { 'x-auth-return-redirect': '1' })],
  },
  ...(['client_secret_basic', 'client_secret_post', 'none'] as const).map(
    (method): Scenario => ({
      name: `a client that authenticates itself by ${method}`,
      config: acmeWith({ client: { token_endpoint_auth_method: method } }),
      steps: [toAcme, comeBack()],
    }),
  ),
  {
    name: 'a client whose secret has other characters',
    config: acmeWith({ clientId: 'the client', clientSecret: 'a+b c:d%&é' }),
    idp: { claims: { aud: 'the client' } },
    steps: [toAcme, comeBack()],
  },
  {
    name: 'a client without a secret',
    config: acmeWith({ clientSecret: undefined }),
    steps: [toAcme, comeBack()],
  },
  {
    name: 'a profile from userinfo',
    config: acmeWith({ idToken: false }),
    steps: [toAcme, comeBack()],
  },
  {
    name: 'OAuth with an ID token that nobody asked for',
    config: plainWith({ token: 'https://idp.example/token' }),
    steps: [toPlain, comeBack()],
  },
  {
    name: 'a profile by a request of its own',
    config: plainWith({
      userinfo: { url: 'https://idp.example/userinfo', request: () => ({ id: 7, name: 'Own' }) },
    }),
    steps: [toPlain, comeBack()],
  },
  {
    name: 'own `profile` and `account` callbacks',
    config: (setting) => ({
      providers: [
        acme(setting, {
          profile: (profile: object, tokens: object) => {
            setting.heard('profile', profile, tokens)
            return { id: 'own-id', name: 'Own', email: 'OWN@example.test', role: 'admin' }
          },
          account: (tokens: object) => {
            setting.heard('account', tokens)
            return { access_token: 'kept' }
          },
        }),
      ],
      session: { strategy: 'jwt' },
    }),
    store: {},
    listens: ['signIn', 'jwt'],
    steps: [toAcme, comeBack()],
  },
  {
    name: 'a profile without an address',
    config: open,
    idp: { claims: { email: null, picture: null } },
    steps: [toAcme, comeBack()],
  },
  {
    name: 'a profile with a user name alone',
    config: open,
    idp: { claims: { name: null, preferred_username: 'ada' } },
    steps: [toAcme, comeBack()],
  },
  {
    name: 'tokens that do not expire',
    config: open,
    listens: ['jwt'],
    idp: { tokens: { expires_in: null } },
    steps: [toAcme, comeBack()],
  },
  {
    name: 'a lifetime as text',
    config: open,
    listens: ['jwt'],
    idp: { tokens: { expires_in: '60' } },
    steps: [toAcme, comeBack()],
  },
  {
    name: 'a token response that `conform` repairs',
    config: plainWith({
      token: {
        url: 'https://idp.example/oauth/token',
        conform: () => Response.json({ access_token: 'repaired', token_type: 'bearer' }),
      },
    }),
    listens: ['jwt'],
    idp: { tokens: { token_type: null } },
    steps: [toPlain, comeBack()],
  },
  {
    name: 'a provider that posts back',
    config: acmeWith({
      authorization: {
        url: 'https://idp.example/authorize',
        params: { response_mode: 'form_post', scope: 'openid' },
      },
      checks: ['state', 'nonce'],
    }),
    steps: [toAcme, comeBack({ post: true })],
  },
  {
    name: 'an answer in a body that belongs into the query',
    config: open,
    steps: [toAcme, comeBack({ post: true })],
  },
  {
    name: 'a provider that posts back, in a browser that keeps to SameSite',
    config: acmeWith({
      authorization: {
        url: 'https://idp.example/authorize',
        params: { response_mode: 'form_post', scope: 'openid' },
      },
      checks: ['pkce', 'state'],
    }),
    // What is SameSite=Lax does not come along with a form of another site.
    steps: [
      toAcme,
      dropCookie('__Secure-authjs.callback-url'),
      dropCookie('__Host-authjs.csrf-token'),
      comeBack({ post: true }),
    ],
  },
  {
    name: 'options with other checks than the description',
    config: acmeWith({ checks: ['pkce', 'state'], options: { checks: ['none'] } }),
    steps: [toAcme, comeBack()],
  },
  ...(['client_secret_jwt', 'private_key_jwt'] as const).map(
    (method): Scenario => ({
      name: `a client that authenticates itself by ${method}`,
      config: acmeWith({
        client: { token_endpoint_auth_method: method },
        token: { clientPrivateKey: { key: CLIENT_KEY, kid: 'c1' } },
      }),
      steps: [toAcme, comeBack()],
    }),
  ),
  {
    name: 'an algorithm of ID tokens that is configured',
    config: acmeWith({ client: { id_token_signed_response_alg: 'ES256' } }),
    steps: [toAcme, comeBack()],
  },
  {
    name: 'another algorithm of ID tokens than the one configured',
    config: acmeWith({ client: { id_token_signed_response_alg: 'RS256' } }),
    steps: [toAcme, comeBack()],
  },
  ...[null, 1_795_262_390, 1_795_200_000].map(
    (authTime): Scenario => ({
      name: `a client that wants to know when people were authenticated: ${authTime}`,
      config: acmeWith({ client: { require_auth_time: true, default_max_age: 3600 } }),
      idp: { claims: { auth_time: authTime } },
      steps: [toAcme, comeBack()],
    }),
  ),
  {
    name: 'a token request of its own',
    config: plainWith({
      token: {
        url: 'https://idp.example/oauth/token',
        request: () => ({ tokens: { access_token: 'own', token_type: 'bearer' } }),
      },
    }),
    listens: ['jwt'],
    steps: [toPlain, comeBack()],
  },
  {
    name: 'asked for the address at the callback',
    config: open,
    steps: [toAcme, comeBack({ headers: { 'x-auth-return-redirect': '1' } })],
  },
  {
    name: 'asked for the address at a callback that is refused',
    config: open,
    steps: [
      toAcme,
      comeBack({
        params: { code: null, error: 'access_denied' },
        headers: { 'x-auth-return-redirect': '1' },
      }),
    ],
  },
  {
    name: 'raw, from the start to the end',
    config: (setting) => ({ ...open(setting), raw: setting.side.raw }),
    steps: [toAcme, get('/auth/callback/acme?error=access_denied')],
  },
  {
    name: 'over plain http',
    origin: 'http://app.example',
    config: acmeWith({ checks: ['pkce', 'state', 'nonce'] }),
    steps: [toAcme, comeBack()],
  },
  {
    name: 'renamed cookies',
    config: (setting) => ({
      ...acmeWith({ checks: ['state', 'nonce'] })(setting),
      cookies: {
        state: { name: 'my-state' },
        nonce: { name: 'my-nonce', options: { maxAge: 60 } },
      },
    }),
    steps: [toAcme, comeBack()],
  },
  {
    name: 'several secrets',
    config: (setting) => ({
      ...open(setting),
      secret: [SECRET, 'an older secret, 0123456789abcdefghij'],
    }),
    returning: false,
    steps: [post('/auth/signin/acme')],
  },
  {
    name: 'a redirect proxy elsewhere, from the start to the end',
    config: (setting) => ({
      ...acmeWith({ checks: ['pkce'] })(setting),
      redirectProxyUrl: 'https://proxy.example/auth',
    }),
    steps: [toAcme, comeBack({ at: 'https://app.example/auth/callback/acme' })],
  },
  {
    name: 'a redirect proxy that is asked itself',
    config: (setting) => ({
      ...acmeWith({ checks: ['pkce'] })(setting),
      redirectProxyUrl: 'https://app.example/auth',
    }),
    steps: [toAcme, comeBack()],
  },
  {
    name: 'a redirect proxy that is asked without a state',
    config: (setting) => ({ ...open(setting), redirectProxyUrl: 'https://app.example/auth' }),
    steps: [get('/auth/callback/acme?code=the-code')],
  },
  {
    name: 'a redirect proxy that is asked with a state that nobody made',
    config: (setting) => ({ ...open(setting), redirectProxyUrl: 'https://app.example/auth' }),
    steps: [get('/auth/callback/acme?code=the-code&state=nothing')],
  },
  ...(
    [
      ['https://preview.example/auth/callback/acme', 'a deployment'],
      ['https://preview.example/auth/callback/other', 'a deployment, for another provider'],
      ['https://evil.example/', 'another address'],
      ['javascript:alert(1)//auth/callback/acme', 'a script'],
      ['https://app.example/auth/callback/acme', 'itself'],
    ] as const
  ).map(
    ([origin, name]): Scenario => ({
      name: `a redirect proxy that hands over to ${name}`,
      config: (setting) => ({
        ...open(setting),
        redirectProxyUrl: 'https://app.example/auth',
        redirectProxyOrigins: ['https://*.example'],
      }),
      steps: [get(`/auth/callback/acme?code=the-code&state=${states[origin] ?? ''}`)],
    }),
  ),
  {
    name: 'a redirect proxy of the provider, elsewhere',
    config: acmeWith({ redirectProxyUrl: 'https://proxy.example/base' }),
    steps: [toAcme],
  },
  {
    name: 'a redirect proxy that is no address',
    config: (setting) => ({ ...open(setting), redirectProxyUrl: 'nowhere' }),
    steps: [toAcme, get('/auth/session')],
  },
  {
    name: 'a sign-in that was begun in two tabs, finished in the later one',
    config: acmeWith({ checks: ['pkce', 'state'] }),
    steps: [toAcme, toAcme, comeBack()],
  },
  {
    name: 'the address of the issuer in the answer',
    config: open,
    steps: [toAcme, comeBack({ params: { iss: 'https://idp.example' } })],
  },
]

function refused(
  name: string,
  step: ReturnType<typeof comeBack>,
  more: Partial<Scenario> = {},
): Scenario {
  return {
    name,
    config: acmeWith({ checks: ['pkce', 'state', 'nonce'] }),
    steps: [toAcme, step],
    ...more,
  }
}

function answered(
  name: string,
  idp: NonNullable<Scenario['idp']>,
  more: Partial<Scenario> = {},
): Scenario {
  return { name, config: open, idp, steps: [toAcme, comeBack()], ...more }
}

/** What goes wrong on the way, step by step. */
const failures: readonly Scenario[] = [
  refused('another state', comeBack({ params: { state: 'other' } })),
  refused('no state', comeBack({ params: { state: null } })),
  refused('no code', comeBack({ params: { code: null } })),
  refused('another issuer', comeBack({ params: { iss: 'https://evil.example' } })),
  refused(
    'a refusal',
    comeBack({ params: { code: null, error: 'access_denied', error_description: 'no' } }),
  ),
  refused(
    'a refusal without the state',
    comeBack({ params: { code: null, state: null, error: 'access_denied' } }),
  ),
  refused('an answer of the hybrid flow', comeBack({ params: { id_token: 'x.y.z' } })),
  refused('a signed answer', comeBack({ params: { response: 'x.y.z' } })),
  refused('two codes', comeBack({ twice: { code: 'another' } })),
  refused('two states', comeBack({ twice: { state: 'another' } })),
  ...['state', 'pkce.code_verifier', 'nonce'].map(
    (name): Scenario => ({
      ...refused(`no ${name} cookie`, comeBack()),
      steps: [toAcme, dropCookie(`__Secure-authjs.${name}`), comeBack()],
    }),
  ),
  { ...refused('too late', comeBack()), steps: [toAcme, wait(960), comeBack()] },
  {
    ...refused('twice', comeBack()),
    steps: [toAcme, comeBack(), get('/auth/callback/acme?code=the-code')],
  },
  {
    name: 'at another provider of the application',
    config: (setting) => ({
      providers: [acme(setting, { checks: ['state'] }), plain(setting, { checks: ['state'] })],
    }),
    steps: [toAcme, comeBack({ to: 'plain' })],
  },
  answered('a provider that is down', { down: true }, { steps: [toAcme] }),
  answered('metadata with another status', { metadataStatus: 500 }, { steps: [toAcme] }),
  answered(
    'metadata of another issuer',
    { metadata: { issuer: 'https://evil.example' } },
    { steps: [toAcme] },
  ),
  answered(
    'metadata without an authorization endpoint',
    { metadata: { authorization_endpoint: null } },
    { steps: [toAcme] },
  ),
  answered('metadata without a token endpoint', { metadata: { token_endpoint: null } }),
  answered('metadata without a userinfo endpoint', { metadata: { userinfo_endpoint: null } }),
  answered('metadata without methods of PKCE', {
    metadata: { code_challenge_methods_supported: null },
  }),
  answered('metadata with another method of PKCE', {
    metadata: { code_challenge_methods_supported: ['plain'] },
  }),
  answered('a token endpoint that refuses', {
    tokens: { error: 'invalid_grant', access_token: null },
    tokenStatus: 400,
  }),
  answered('a token endpoint that challenges', {
    tokenStatus: 401,
    tokenHeaders: { 'www-authenticate': 'Basic realm="x"' },
  }),
  answered('a token response with status 201', { tokenStatus: 201 }),
  answered('a token response without an access token', { tokens: { access_token: null } }),
  answered('a token response without a type', { tokens: { token_type: null } }),
  answered('a token response of another type', { tokens: { token_type: 'mac' } }),
  answered('a token response without an ID token', { tokens: { id_token: null } }),
  answered('a lifetime below zero', { tokens: { expires_in: -1 } }),
  answered('an ID token that is none', { idToken: 'garbage' }),
  answered('an ID token without a signature', { idToken: 'none' }),
  answered('an ID token of another key', { idToken: 'foreign key' }),
  answered('an ID token of another issuer', { claims: { iss: 'https://evil.example' } }),
  answered('an ID token for another client', { claims: { aud: 'another' } }),
  answered('an ID token for two clients', { claims: { aud: ['the-client', 'another'] } }),
  answered('an ID token for two clients, the authorized party named', {
    claims: { aud: ['the-client', 'another'], azp: 'the-client' },
  }),
  answered('an ID token that has expired', { claims: { exp: 1_700_000_000 } }),
  answered('an ID token without an expiry', { claims: { exp: null } }),
  answered('an ID token without a subject', { claims: { sub: null } }),
  answered('an ID token that is not yet valid', { claims: { nbf: 1_900_000_000 } }),
  answered('an ID token with a nonce that nobody sent', { claims: { nonce: 'x' } }),
  answered(
    'an ID token with another nonce',
    { claims: { nonce: 'x' } },
    { config: acmeWith({ checks: ['nonce'] }) },
  ),
  answered(
    'an ID token without the nonce',
    { claims: { nonce: null } },
    { config: acmeWith({ checks: ['nonce'] }) },
  ),
  answered(
    'userinfo of another subject',
    { userinfo: { sub: 'other' } },
    { config: acmeWith({ idToken: false }) },
  ),
  answered(
    'userinfo with another status',
    { userinfo: { error: 'invalid_token' }, userinfoStatus: 401 },
    { config: simple, steps: [toPlain, comeBack()] },
  ),
  answered(
    'userinfo that is a list',
    { userinfo: [] },
    { config: simple, steps: [toPlain, comeBack()] },
  ),
  answered(
    'a profile without an identifier',
    { userinfo: { name: 'Ada' } },
    { config: simple, steps: [toPlain, comeBack()] },
  ),
  answered(
    'a profile without an identifier, stored',
    { userinfo: { name: 'Ada' } },
    { config: simple, store: {}, steps: [toPlain, comeBack()] },
  ),
  answered(
    'a `profile` callback that throws',
    {},
    {
      config: acmeWith({
        profile: () => {
          throw new Error('no')
        },
      }),
    },
  ),
  answered(
    'asked for the address of a failure',
    { tokens: { access_token: null } },
    {
      steps: [
        toAcme,
        post('/auth/signin/acme', { csrfToken: 'x' }, { 'x-auth-return-redirect': '1' }),
      ],
    },
  ),
]

function says(name: string, signIn: (setting: Setting) => unknown): readonly Scenario[] {
  return (
    [
      ['OpenID Connect', open, toAcme],
      ['OAuth', simple, toPlain],
    ] as const
  ).map(([type, config, start]) => ({
    name: `${type}: signIn ${name}`,
    config: (setting): Partial<AuthConfig> => ({
      ...config(setting),
      callbacks: { signIn: () => signIn(setting) as boolean },
    }),
    steps: [start, comeBack()],
  }))
}

const refusals: readonly Scenario[] = [
  ...says('says true', () => true),
  ...says('says false', () => false),
  ...says('says nothing', () => undefined),
  ...says('says a path', () => '/detour'),
  ...says('says an address elsewhere', () => 'https://evil.example/'),
  ...says('throws', () => {
    throw new Error('no')
  }),
  ...says('throws an error of the service', ({ side }) => {
    throw new side.errors.OAuthAccountNotLinked('no')
  }),
]

export const oauth: readonly Scenario[] = [...there, ...failures, ...refusals]
