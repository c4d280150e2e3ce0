import { en } from '../../src/base/texts/en.ts'
import { createLatchkey } from '../../src/entries/index.ts'
import { definePlugin, Problem } from '../../src/entries/plugin.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import type { TextsOption } from '../../src/options/texts-option.ts'
import { problems } from '../../src/plugin/problem.ts'
import { limits } from '../../src/plugins/limits/index.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'
import { oidc } from '../../src/providers/define.ts'
import GitHub from '../../src/providers/github.ts'
import Passkey from '../../src/providers/passkey.ts'
import { encode } from '../../src/verifier/jwt.ts'
import { appearance, mail, type PageState, password, type Visitor, visit } from './visitor.ts'

const ADDRESS = { email: 'ada@example.com' }
const FOOTER = { terms: '/terms', privacy: '/privacy', support: '/help' }

type Act = (visitor: Visitor) => Promise<Response>

interface Setting {
  readonly config?: Partial<AuthConfig>
  readonly hasCode?: boolean
}

function state(name: string, act: Act, { config, hasCode }: Setting = {}): PageState {
  return {
    name,
    async open(look) {
      const providers = [GitHub({ clientId: 'id', clientSecret: 'secret' }), password, mail]
      return act(
        await visit({
          look,
          hasCode,
          theme: { footer: FOOTER },
          config: { providers, ...config },
        }),
      )
    },
  }
}

const mailed: Act = (visitor) => visitor.post('/auth/signin/email', ADDRESS)

const corp = oidc({
  id: 'corp',
  name: 'Corp',
  issuer: 'https://corp.example',
  clientId: 'id',
  clientSecret: 'secret',
  authorization: 'https://corp.example/authorize',
  token: 'https://corp.example/token',
  userinfo: 'https://corp.example/me',
  jwks_endpoint: 'https://corp.example/jwks',
  providerMayBegin: true,
})

const codesOf = (pattern: RegExp): string[] =>
  Object.keys(en).flatMap((key) => pattern.exec(key)?.[1] ?? [])

/** Texts of plugins that a configuration lacks stop the start. */
function withoutPlugins(texts: TextsOption): TextsOption {
  return Object.fromEntries(
    Object.entries(texts).map(([language, table]) => [
      language,
      Object.fromEntries(Object.entries(table ?? {}).filter(([key]) => !key.includes(':'))),
    ]),
  )
}

/** Refuses with every code. */
const refusing = definePlugin({
  name: 'refusing',
  routes: Object.fromEntries(
    Object.keys(problems).map((code) => {
      const route = {
        who: 'anyone' as const,
        run: async () => () => {
          throw new Problem(code, 'of the gallery', {
            errors: [{ field: 'name', code: 'invalid' }],
          })
        },
      }
      return [`refuse/${code.replaceAll('_', '-')}`, { GET: route }]
    }),
  ),
  setUp: () => ({}),
})

const limited = limits({
  store: 'process',
  rules: { 'mail.send': [{ by: 'site', limit: 1, window: 9000 }] },
})

/** Of all other pages without a plugin. */
export const coreStates: readonly PageState[] = [
  state('mail/sent', mailed),
  state('mail/sent-with-code', mailed, { hasCode: true }),
  state('mail/other-browser', (visitor) =>
    visitor.get('/auth/verify-request?provider=email&type=email'),
  ),
  ...['WrongCode', 'TooManyAttempts'].map((error) =>
    state(
      `mail/${error}`,
      async (visitor) => {
        await mailed(visitor)
        return visitor.get(`/auth/verify-request?provider=email&type=email&error=${error}`)
      },
      { hasCode: true },
    ),
  ),
  state(
    'mail/wrong-code',
    async (visitor) => {
      await mailed(visitor)
      return visitor.post('/auth/callback/email', {
        code: visitor.mail.code === '000000' ? '1' : '000000',
      })
    },
    { hasCode: true },
  ),
  state(
    'mail/too-many',
    async (visitor) => {
      await mailed(visitor)
      return visitor.post('/auth/signin/email', ADDRESS)
    },
    { config: { plugins: [limited] } },
  ),
  state('mail/confirm', async (visitor) => {
    await mailed(visitor)
    return visitor.otherBrowser().get(visitor.mail.path)
  }),
  state('mail/expired', async (visitor) => {
    await mailed(visitor)
    visitor.world.advance(3600)
    return visitor.get(visitor.mail.path)
  }),
  state(
    'begun-by-provider',
    (visitor) =>
      visitor.get('/auth/signin/corp?iss=https%3A%2F%2Fcorp.example', {
        'sec-fetch-site': 'cross-site',
      }),
    {
      config: { providers: [corp] },
    },
  ),
  state('sign-out/signed-in', async (visitor) => {
    await visitor.signIn()
    return visitor.get('/auth/signout')
  }),
  state('sign-out/nobody', (visitor) => visitor.get('/auth/signout')),
  ...[...codesOf(/^error\.(\w+)\.title$/), ''].map((error) =>
    state(`error/${error || 'none'}`, (visitor) => visitor.get(`/auth/error?error=${error}`)),
  ),
  {
    name: 'error/forbidden-by-guard',
    async open(look) {
      const { texts = {}, theme } = appearance(look, { footer: FOOTER })
      const secret = 'a secret for tests, 0123456789abcdef'
      const name = '__Secure-authjs.session-token'
      const session = await encode({ secret, salt: name, token: { sub: 'ada', name: 'Ada' } })
      const config = { providers: [], secret, trustHost: true, theme, texts: withoutPlugins(texts) }
      const headers = { cookie: `${name}=${session}`, 'accept-language': look.lang }
      const { response = Response.error() } = await createLatchkey(config, {}).protect(
        new Request('https://acme.example/reports', { headers }),
        { authorized: () => false },
      )
      return response
    },
  },
  state('error/interrupted', (visitor) => visitor.get('/auth/callback/github?code=x&state=y')),
  state('error/unknown-page', (visitor) => visitor.get('/auth/nowhere')),
  state('error/unknown-provider', (visitor) => visitor.get('/auth/signin/nobody')),
  ...Object.keys(problems).map((code) =>
    state(
      `problem/${code}`,
      (visitor) => visitor.get(`/auth/refuse/${code.replaceAll('_', '-')}`),
      {
        config: { plugins: [refusing] },
      },
    ),
  ),
  state(
    'account/overview',
    async (visitor) => {
      await visitor.signIn()
      return visitor.get('/auth/account')
    },
    { config: { plugins: [sessions()] } },
  ),
  state(
    'sign-in-again/passkey',
    (visitor) => visitor.get('/auth/signin?error=ReauthenticationRequired'),
    { config: { providers: [password, mail, Passkey()] } },
  ),
]
