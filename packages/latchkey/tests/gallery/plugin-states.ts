import type { AuthConfig } from '../../src/options/auth-config.ts'
import type { Theme } from '../../src/options/pages.ts'
import { federatedLogout } from '../../src/plugins/federated-logout/index.ts'
import { providerTokens } from '../../src/plugins/provider-tokens/index.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'
import { tokens } from '../../src/plugins/tokens/index.ts'
import { challengeOf } from '../../src/plugins/tokens/native/codes.ts'
import GitHub from '../../src/providers/github.ts'
import Google from '../../src/providers/google.ts'
import { logoutSite, signInAtCorp } from '../support/logout-site.ts'
import { giveNotice } from '../support/notice.ts'
import { acmeProvider, comeBack, strictProvider } from '../support/token-site.ts'
import { appearance, LONG_NAME, type PageState, password, type Visitor, visit } from './visitor.ts'

type Act = (visitor: Visitor) => Promise<Response>

const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1'
const CURL = 'curl/8.5.0'

const API = 'https://api.example'
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

const plugins = [
  sessions({ remember: 'ask' }),
  providerTokens(),
  federatedLogout(),
  tokens({
    jwt: { audiences: { [API]: { scopes: ['read', 'write'] } } },
    apiKeys: { scopes: ['orders:read', 'orders:write', 'customers:read'] },
    device: { clients: [{ id: 'cli', name: 'Acme CLI' }] },
    native: {
      clients: [{ id: 'phone', name: 'Acme for iOS', redirectUris: ['com.example.app:/callback'] }],
    },
  }),
]

interface Setting {
  readonly isSignedIn?: boolean
  /** Seconds that pass before the page is opened. */
  readonly passes?: number
  readonly theme?: Theme
  readonly config?: Partial<AuthConfig>
}

function state(
  name: string,
  act: Act,
  { isSignedIn = true, passes, theme, config }: Setting = {},
): PageState {
  return {
    name,
    async open(look) {
      const provider = strictProvider()
      const visitor = await visit({
        look,
        theme,
        earlier: passes,
        fetch: provider.fetch,
        config: {
          providers: [
            password,
            acmeProvider(undefined, { name: 'Orchard Drive' }),
            acmeProvider(undefined, { id: 'corp', name: 'Corp' }),
            GitHub({ clientId: 'id', clientSecret: 'secret' }),
            Google({ clientId: 'id', clientSecret: 'secret' }),
          ],
          plugins,
          session: { strategy: 'database', maxAge: 1000 * 3600 },
          ...config,
        },
      })
      if (isSignedIn) await visitor.signIn()
      return act(visitor)
    },
  }
}

const open =
  (path: string): Act =>
  (visitor) =>
    visitor.get(path)

/** Opens a page after the browser was redirected to it. */
const told =
  (page: string, ...notice: [string, ...string[]]): Act =>
  async (visitor) => {
    await giveNotice(visitor.world, page, ...notice)
    return visitor.get(page)
  }

const SESSIONS = '/auth/account/sessions'
const CONNECTIONS = '/auth/account/connections'
const KEYS = '/auth/account/keys'

const HALF_AN_HOUR = 1800

/** Opens the page of sessions after Ada signed in with other browsers. */
const withBrowsers =
  (query = '', count = 2, done = ''): Act =>
  async (visitor) => {
    for (let i = 0; i < count; i++) {
      await visitor.otherBrowser([SAFARI, CURL][i % 2]).signIn()
      visitor.world.advance(HALF_AN_HOUR)
    }
    await visitor.signIn()
    if (done) await giveNotice(visitor.world, SESSIONS, done)
    return visitor.get(SESSIONS + query)
  }

async function connect({ world }: Visitor, id: string): Promise<void> {
  await comeBack(world, await world.post(`/auth/signin/${id}`), id)
}

/** The id in the address of the first question about one of a list. */
async function asked(visitor: Visitor, path: string): Promise<Response> {
  const page = await (await visitor.get(path)).text()
  const href = /href="([^"]*[?&;]confirm=[^"]*)"/.exec(page)?.[1]
  if (href === undefined) throw new Error(`${path} has no question`)
  return visitor.get(href.replaceAll('&amp;', '&'))
}

async function userCode({ world }: Visitor): Promise<string> {
  const answer = await world
    .otherBrowser()
    .postWithoutCsrf('/auth/device/code', { client_id: 'cli' })
  return ((await answer.json()) as { user_code: string }).user_code
}

const key = (name: string, more: Record<string, string> = {}) => ({
  name,
  age: '30',
  'scope:orders:read': '1',
  ...more,
})

/** Of the pages that plugins have. */
export const pluginStates: readonly PageState[] = [
  state('account/all-sections', open('/auth/account')),
  state('sessions/one', open(SESSIONS)),
  state('sessions/two', withBrowsers('', 1), { isSignedIn: false, passes: HALF_AN_HOUR }),
  state('sessions/three', withBrowsers(), { isSignedIn: false, passes: 2 * HALF_AN_HOUR }),
  state('sessions/many', withBrowsers('', 12), { isSignedIn: false, passes: 12 * HALF_AN_HOUR }),
  state('sessions/long-name', open(SESSIONS), { theme: { name: LONG_NAME } }),
  ...['one', 'others', 'name'].map((done) =>
    state(`sessions/done-${done}`, withBrowsers('', 2, done), {
      isSignedIn: false,
      passes: 2 * HALF_AN_HOUR,
    }),
  ),
  ...['others', 'all'].map((question) =>
    state(`sessions/confirm-${question}`, withBrowsers(`?confirm=${question}`), {
      isSignedIn: false,
      passes: 2 * HALF_AN_HOUR,
    }),
  ),
  state('connections/none', open(CONNECTIONS)),
  state('connections/two', async (visitor) => {
    await connect(visitor, 'acme')
    await connect(visitor, 'corp')
    return visitor.get(CONNECTIONS)
  }),
  state('connections/connected', async (visitor) => {
    const { world } = visitor
    const path = '/auth/provider-tokens/connect/acme'
    await comeBack(world, await world.post(path, { callbackUrl: CONNECTIONS }))
    return visitor.get(CONNECTIONS)
  }),
  state('connections/disconnected', told(CONNECTIONS, 'disconnected', 'Acme')),
  state('connections/question', async (visitor) => {
    await connect(visitor, 'acme')
    return asked(visitor, CONNECTIONS)
  }),
  state('keys/none', open(KEYS)),
  state('keys/new', open(`${KEYS}?new=1`)),
  state('keys/made', (visitor) => visitor.post('/auth/api-keys/create', key('CI'))),
  state('keys/two', async (visitor) => {
    await visitor.post('/auth/api-keys/create', key('CI'))
    await visitor.post('/auth/api-keys/create', key('Laptop of the warehouse', { age: '365' }))
    return visitor.get(KEYS)
  }),
  state(
    'keys/expired',
    async (visitor) => {
      await visitor.post('/auth/api-keys/create', key('CI', { age: '7' }))
      visitor.world.advance(8 * 86_400)
      await visitor.signIn()
      return visitor.get(KEYS)
    },
    { passes: 8 * 86_400 },
  ),
  state('keys/question', async (visitor) => {
    await visitor.post('/auth/api-keys/create', key('CI'))
    return asked(visitor, KEYS)
  }),
  state('keys/deleted', told(KEYS, 'ended')),
  state('keys/invalid', (visitor) => visitor.post('/auth/api-keys/create', key(''))),
  state('device/enter', open('/auth/device')),
  state('device/filled-in', open('/auth/device?user_code=WDJB-MJHT')),
  state('device/wrong', (visitor) =>
    visitor.post('/auth/device/enter', { user_code: 'WDJB-MJHT' }),
  ),
  state('device/decide', async (visitor) =>
    visitor.post('/auth/device/enter', { user_code: await userCode(visitor) }),
  ),
  ...['allow', 'deny'].map((decision) =>
    state(`device/${decision}`, async (visitor) => {
      await visitor.post('/auth/device/enter', { user_code: await userCode(visitor) })
      return visitor.post('/auth/device/decide', { decision })
    }),
  ),
  state('native/approve', async (visitor) => {
    const query = new URLSearchParams({
      client_id: 'phone',
      redirect_uri: 'com.example.app:/callback',
      response_type: 'code',
      code_challenge: await challengeOf(VERIFIER),
      code_challenge_method: 'S256',
      state: 'the state',
    })
    return visitor.get(`/auth/native/start?${query}`)
  }),
  state('native/lost', open(`/auth/native/approve?flow=${'x'.repeat(16)}`)),
  state('logout/signed-out', open('/auth/logout/signed-out?provider=github'), {
    isSignedIn: false,
  }),
  {
    name: 'logout/continue',
    async open(look) {
      const site = logoutSite('sealed sessions and records', {
        // With so much in an ID token, the request to the provider is too long for an address.
        told: { claims: { sid: 'session-at-op', groups: 'x'.repeat(4000) } },
        config: appearance(look),
      })
      await signInAtCorp(site)
      const to = (await site.world.post('/auth/signout', { federated: '1' })).headers.get(
        'location',
      )
      return site.world.get(to ?? '', {
        headers: { accept: 'text/html', 'accept-language': look.lang },
      })
    },
  },
  state('sign-out/of-provider-too', async (visitor) => {
    await connect(visitor, 'acme')
    return visitor.get('/auth/signout')
  }),
]
