import { parseSetCookie } from 'cookie'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { migrate, sqlAdapter } from '../../src/adapters/sql/index.ts'
import { openNodeSqlite } from '../../src/adapters/sql/node-sqlite.ts'
import { type AuthConfig, skipCSRFCheck, splitConfig } from '../../src/entries/index.ts'
import { type Adapter, atomic } from '../../src/model/adapter.ts'
import type { PluginOption } from '../../src/options/plugin-option.ts'
import { authJsRollback } from '../../src/plugins/auth-js-rollback/index.ts'
import { federatedLogout } from '../../src/plugins/federated-logout/index.ts'
import { limits } from '../../src/plugins/limits/index.ts'
import { type ProviderTokensApi, providerTokens } from '../../src/plugins/provider-tokens/index.ts'
import { type SessionsApi, sessions } from '../../src/plugins/sessions/index.ts'
import { type TokensOptions, tokens } from '../../src/plugins/tokens/index.ts'
import { createWorld, type World } from '../../src/testing/world.ts'
import { PASSWORD } from '../attacks/support/site.ts'
import { corp } from '../support/logout-site.ts'
import { othersAdapters } from '../support/others-adapters.ts'
import { gate } from '../support/plugins-beside.ts'
import { FIREFOX } from '../support/sessions-site.ts'
import { simulateProvider } from '../support/simulated-provider.ts'
import { acmeProvider, strictProvider } from '../support/token-site.ts'
import { oneApi } from '../support/tokens-site.ts'
import { type Findings, findings, watched } from './invariants.ts'
import type { Configuration } from './options.ts'

export const HOUR = 3600
export const DAY = 24 * HOUR

/** What is configured, in the terms of the courses. */
export interface Site {
  readonly choice: Configuration
  /** One world for each process. */
  processes: readonly World[]
  /** The half at the edge, if there is one. */
  edge: World | undefined
  readonly adapter: Adapter | undefined
  readonly found: Findings
  /** The addresses in mails. */
  readonly mails: string[]
  readonly acme: ReturnType<typeof strictProvider>
  /** Seconds without a visit until a session ends. */
  readonly life: number
  /** Seconds after the sign-in until it ends in any case. */
  readonly absolute: number
  /** Seconds after which each process refuses a session that was ended; `undefined` where it is not ended. */
  readonly bound: number | undefined
  readonly secret: string
  browser(): Browser
  /** Why the start refuses the configuration. */
  fault(): string | undefined
  advance(seconds: number): void
  /** Deploys the next secret of a rotation: `[new, old]`, and then the new one alone. */
  rotate(): void
  /** The id of a user as the application knows it, which may be a number. */
  userId(name: string): Promise<string>
  close(): Promise<void>
}

let seed = 5000

/** Builds the configuration, with Ada and Bob, who have a password. */
export async function siteOf(choice: Configuration): Promise<Site> {
  const found = findings()
  const mails: string[] = []
  const { adapter: bare, records: bareRecords, close } = await storeOf(choice)
  const people = new Map<string, { id: string; name: string; email: string }>()
  for (const name of ['ada', 'bob']) {
    const email = `${name}@example.com`
    const user = { id: name, name, email, emailVerified: null }
    await bare?.createUser?.(user)
    people.set(name, user)
  }
  const acme = strictProvider()
  const op = simulateProvider(() => site.processes[0]?.now() ?? 0, { claims: { sid: 'at-op' } })
  const fetch: typeof globalThis.fetch = (input, init) =>
    new URL(input instanceof Request ? input.url : input).host === 'acme.example'
      ? acme.fetch(input, init)
      : op.fetch(input, init)
  const origin = choice.scheme === 'http' ? 'http://app.example' : 'https://app.example'
  const config: Partial<AuthConfig> = {
    ...settingsOf(choice, origin),
    callbacks: found.callbacks(callbacksOf(choice)),
    events: found.events,
    logger: { error: found.error, warn: () => {}, debug: () => {} },
    plugins: pluginsOf(choice),
    providers: [
      {
        id: 'credentials',
        type: 'credentials',
        name: 'Password',
        credentials: { username: {}, password: {} },
        authorize: async ({ username, password }) => {
          const person = people.get(String(username))
          if (!person || password !== PASSWORD) return null
          return (await bare?.getUserByEmail?.(person.email)) ?? person
        },
      },
      acmeProvider({}, linkingOf(choice)),
      corp(linkingOf(choice)),
      ...(bare
        ? [
            {
              id: 'email',
              type: 'email',
              name: 'Email',
              sendVerificationRequest: ({ url }: { url: string }) => void mails.push(url),
            } as const,
          ]
        : []),
    ],
  }
  // Sites without a store share the memory of the process, so each has a secret of its own.
  const [old, next] = ['old', 'new'].map(
    (which) => `the ${which} secret of the site ${seed}, 0123456789abcdef`,
  )
  const secrets = [old ?? '', [next ?? '', old ?? ''], next ?? '']
  let deployed = 0
  const startsAt = Date.UTC(2030, 0, 1)
  const start = (now: number): Pick<Site, 'processes' | 'edge'> => {
    const secret = secrets[deployed] ?? ''
    const world = (half: Partial<AuthConfig>): World =>
      createWorld({ ...half, secret }, { origin, startsAt: now, fetch, seed: seed++ })
    const one = (): World =>
      world({
        ...config,
        ...(bare && { adapter: watched(bare, found) }),
        ...(bareRecords && { records: watched(bareRecords, found) }),
      })
    return {
      processes: choice.processes === 'two' ? [one(), one()] : [one()],
      edge: choice.edge === 'between' ? world(splitConfig(config as never)) : undefined,
    }
  }
  const site: Site = {
    choice,
    ...start(startsAt),
    adapter: bare,
    found,
    mails,
    acme,
    ...agesOf(choice),
    get secret() {
      return [secrets[deployed]].flat()[0] ?? ''
    },
    browser: () => new Browser(site, op),
    fault: () =>
      [...site.processes, ...(site.edge ? [site.edge] : [])]
        .map(({ core, config: started }) => core.plan(started).fault?.message)
        .find((message) => message !== undefined),
    advance(seconds) {
      for (const each of [...site.processes, ...(site.edge ? [site.edge] : [])])
        each.advance(seconds)
    },
    rotate() {
      deployed++
      Object.assign(site, start(site.processes[0]?.now() ?? 0))
    },
    userId: async (name) => (await bare?.getUserByEmail?.(`${name}@example.com`))?.id ?? name,
    close: async () => close?.(),
  }
  return site
}

async function storeOf({ adapter }: Configuration): Promise<{
  adapter?: Adapter
  records?: Adapter
  close?: () => Promise<void>
}> {
  const memory = memoryAdapter()
  switch (adapter) {
    case 'memory':
      return { adapter: memory }
    case 'none':
      return {}
    case 'sqlite': {
      const store = openNodeSqlite(':memory:')
      await migrate(store, { records: true })
      return { adapter: sqlAdapter(store, { records: true }), close: () => store.close() }
    }
    case 'Prisma':
      return { adapter: othersAdapters['Prisma, ids as text']?.() ?? {}, records: memory }
    case 'pg':
      return { adapter: othersAdapters['pg']?.() ?? {}, records: memory }
    case 'split':
      return { adapter: memory, records: memoryAdapter() }
    case 'no account list':
      return { adapter: without(memory, 'listAccountsByUserId') }
    case 'no rename':
      return { adapter: without(memory, 'renameSession') }
  }
}

function without(adapter: Adapter, ability: string): Adapter {
  return { ...adapter, [atomic]: { ...adapter[atomic], [ability]: undefined } }
}

function settingsOf(choice: Configuration, origin: string): Partial<AuthConfig> {
  const { basePath, cookies, redirectProxyUrl, scheme } = choice
  let drawn = 0
  return {
    basePath,
    trailingSlash: choice.trailingSlash === 'on',
    session: {
      strategy: choice.strategy,
      maxAge: choice.maxAge === '5 days' ? 5 * DAY : 30 * DAY,
      stateCookie: choice.stateCookie === 'on',
      ...(choice.updateAge === '0' && { updateAge: 0 }),
      ...(choice.sessionToken === 'own' && {
        generateSessionToken: () => `a-token-of-the-application-${++drawn}-${Math.random()}`,
      }),
    },
    ...(scheme === 'https, plain names' && { useSecureCookies: false }),
    ...(cookies === 'domain' && {
      cookies: { sessionToken: { options: { domain: 'app.example' } } },
    }),
    ...(cookies === 'own name' && { cookies: { sessionToken: { name: 'own.session' } } }),
    ...(redirectProxyUrl !== 'none' && {
      redirectProxyUrl: (redirectProxyUrl === 'itself' ? origin : OTHER) + basePath,
    }),
    ...(choice.csrf === 'skipped' && { skipCSRFCheck }),
    ...(choice.acceptSessionsFrom === 'next-auth@4' && { acceptSessionsFrom: ['next-auth@4'] }),
  }
}

/** The deployment that is registered with the providers. */
const OTHER = 'https://auth.example'

const linkingOf = ({ linking }: Configuration): object =>
  linking === 'by address' ? { allowDangerousEmailAccountLinking: true } : {}

function callbacksOf({ jwt, session }: Configuration): NonNullable<AuthConfig['callbacks']> {
  const named = { 'same token': true, 'new token': true, 'without sub': true, claim: true }
  return {
    ...(jwt in named && {
      jwt: ({ token }) => {
        const { sub, name, email } = token
        if (jwt === 'new token')
          return { ...(sub && { sub }), name: name ?? null, email: email ?? null }
        if (jwt === 'without sub') return { name: name ?? null, email: email ?? null }
        if (jwt === 'claim') token['role'] = 'reader'
        return token
      },
    }),
    ...(session === 'spread' && { session: (params) => ({ ...params.session, role: 'reader' }) }),
    ...(session === 'named' && {
      session: ({ session: { user, expires } }) => ({
        user: { name: user?.name ?? null, email: user?.email ?? null },
        expires,
      }),
    }),
  }
}

/** The claims in which an application kept tokens. */
const ADOPTED = {
  provider: 'acme',
  access_token: 'access_token',
  refresh_token: 'refresh_token',
  expires_at: 'expires_at',
}

const CLIENT = { id: 'client', name: 'Client' }

const FEATURES: Readonly<Record<Configuration['tokens'], TokensOptions>> = {
  off: {},
  jwt: oneApi,
  'jwt, derived keys': {
    jwt: { ...oneApi.jwt, audiences: oneApi.jwt?.audiences ?? {}, keys: 'derived' },
  },
  apiKeys: { apiKeys: { scopes: ['read'] } },
  native: { native: { clients: [{ ...CLIENT, redirectUris: ['http://127.0.0.1/callback'] }] } },
  device: { device: { clients: [CLIENT] } },
}

function pluginsOf(choice: Configuration): PluginOption[] {
  const plugins: PluginOption[] = []
  if (choice.sessions === 'on') {
    plugins.push(
      sessions({
        touch: Number(choice.touch),
        exposeId: choice.exposeId === 'on',
        remember: choice.remember.startsWith('ask')
          ? 'ask'
          : (choice.remember as 'always' | 'never'),
        absoluteMaxAge: absoluteOf(choice),
        ...(choice.revocations === 'off' && { revocations: false }),
        ...(choice.limit !== 'none' && { limit: LIMIT, atLimit: choice.limit }),
        ...(choice.bind === 'browser' && { bind: ['browser'] }),
      }),
    )
  }
  if (choice.providerTokens !== 'off') {
    plugins.push(
      providerTokens({
        store: choice.providerTokens,
        columns: choice.columns,
        inSession: choice.inSession === 'on',
        ...(choice.adoptFromSession === 'on' && { adoptFromSession: ADOPTED }),
      }),
    )
  }
  if (choice.limits !== 'off') plugins.push(limits({ store: choice.limits }))
  if (choice.tokens !== 'off') plugins.push(tokens(FEATURES[choice.tokens]))
  if (choice.federatedLogout !== 'off') {
    const backchannel = choice.federatedLogout === 'backchannel'
    plugins.push(
      federatedLogout({
        backchannel,
        federated: choice.federatedLogout === 'always' ? 'always' : 'ask',
      }),
    )
  }
  if (choice.authJsRollback === 'on') plugins.push(authJsRollback())
  if (choice.gate === 'on') plugins.push(gate)
  return plugins
}

/** The number of sessions that a user may have. */
export const LIMIT = 3

function absoluteOf({ absoluteMaxAge }: Configuration): number | false {
  return { '90 days': 90 * DAY, '20 days': 20 * DAY, none: false as const }[absoluteMaxAge]
}

function agesOf(choice: Configuration): Pick<Site, 'life' | 'absolute' | 'bound'> {
  const { strategy, revocations, touch } = choice
  const isShort = choice.remember === 'never' || choice.remember === 'ask, unticked'
  const maxAge = choice.maxAge === '5 days' ? 5 * DAY : 30 * DAY
  const hasPlugin = choice.sessions === 'on'
  const life = isShort ? 12 * HOUR : maxAge
  // Without a list, a sealed session is looked up where it is touched, and else where it is extended.
  const untouched = isShort ? life / 30 + 60 : DAY + 60
  const sealed = revocations === 'on' ? 2 : touch === '0' ? untouched : Number(touch) + 1
  return {
    life,
    absolute: (hasPlugin && absoluteOf(choice)) || Number.POSITIVE_INFINITY,
    bound: strategy === 'database' ? 0 : hasPlugin ? sealed : undefined,
  }
}

interface Kept {
  readonly value: string
  /** Milliseconds since the epoch; left out for a cookie that ends with the browser. */
  readonly expires?: number
}

/** A browser that removes its cookies when they expire. */
export class Browser {
  readonly jar = new Map<string, Kept>()
  readonly #site: Site
  readonly #op: ReturnType<typeof simulateProvider>

  constructor(site: Site, op: ReturnType<typeof simulateProvider>) {
    this.#site = site
    this.#op = op
  }

  get #here(): World {
    const [first] = this.#site.processes
    if (!first) throw new Error('a site has a process')
    return first
  }

  /** The same cookies somewhere else. */
  copy(): Browser {
    const copied = this.#site.browser()
    for (const [name, kept] of this.jar) copied.jar.set(name, { value: kept.value })
    return copied
  }

  /** The path of an action or of a route. */
  path(action: string): string {
    const { basePath, trailingSlash } = this.#site.choice
    return `${basePath}/${action}${trailingSlash === 'on' ? '/' : ''}`
  }

  cookie(): string {
    const now = this.#here.now()
    for (const [name, { expires }] of this.jar) {
      if (expires !== undefined && expires <= now) this.jar.delete(name)
    }
    return [...this.jar].map(([name, { value }]) => `${name}=${value}`).join('; ')
  }

  /** A request of this browser, for functions of plugins. */
  asked(): Request {
    const headers = new Headers({ 'user-agent': FIREFOX })
    const cookie = this.cookie()
    if (cookie) headers.set('cookie', cookie)
    return new Request(`${this.#here.origin}/page`, { headers })
  }

  async request(path: string, init: RequestInit = {}, at: World = this.#here): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('user-agent', FIREFOX)
    const cookie = this.cookie()
    if (cookie) headers.set('cookie', cookie)
    // The cookies are those of this browser alone.
    at.jar.clear()
    const answer = await at.request(path, { ...init, headers })
    this.keep(answer.headers.getSetCookie())
    await this.#site.found.answered(answer, { path, site: this.#site, jar: this.jar })
    return answer
  }

  keep(lines: readonly string[]): void {
    for (const line of lines) {
      const { name, value = '', expires, maxAge } = parseSetCookie(line, { decode: (text) => text })
      const now = this.#here.now()
      const end = maxAge === undefined ? expires?.getTime() : now + maxAge * 1000
      if (end !== undefined && end <= now) this.jar.delete(name)
      else this.jar.set(name, end === undefined ? { value } : { value, expires: end })
    }
  }

  async post(action: string, fields: Record<string, string> = {}): Promise<Response> {
    const isChecked = this.#site.choice.csrf === 'checked'
    const csrf = isChecked && (await (await this.request(this.path('csrf'))).json())
    const all = { ...fields, ...(csrf as object | false) }
    return this.request(this.path(action), {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
        origin: this.#here.origin,
      },
      body: new URLSearchParams(all).toString(),
    })
  }

  /** The address of who is signed in, as a process or the edge says. */
  async who(at?: World): Promise<string | null> {
    const answer = await this.request(this.path('session'), {}, at)
    const session = (await answer.json()) as { user?: { email?: string } } | null
    return session ? (session.user?.email ?? 'somebody') : null
  }

  async signIn(name: string): Promise<void> {
    const { remember } = this.#site.choice
    await this.#passGate(
      await this.post('callback/credentials', {
        username: name,
        password: PASSWORD,
        ...(remember === 'ask, ticked' && { remember: '1' }),
      }),
    )
  }

  async signInAt(provider: 'acme' | 'corp', who: string): Promise<void> {
    const { choice, acme } = this.#site
    const fields = choice.remember === 'ask, ticked' ? { remember: '1' } : {}
    const begun = await this.post(`signin/${provider}`, fields)
    const location = begun.headers.get('location') ?? ''
    if (!location.includes('redirect_uri=')) {
      throw new Error(`the sign-in leads to ${location}, not to the provider`)
    }
    const asked = new URL(location)
    let back = new URL(asked.searchParams.get('redirect_uri') ?? '')
    if (provider === 'acme') {
      acme.who = who
      const state = asked.searchParams.get('state') ?? ''
      back.search = new URLSearchParams({ code: 'c', ...(state && { state }) }).toString()
    } else {
      this.#op.misbehaviour = {
        claims: { sid: 'at-op', sub: who, email: `${who}@example.com`, name: who },
      }
      back.search = this.#op.authorize(asked).toString()
    }
    if (back.origin === OTHER) {
      // The deployment that is registered forwards what the provider answered. This browser has no cookies there.
      const { core, config } = this.#here
      const forwarded = await core.auth(new Request(back), config)
      back = new URL(forwarded.headers.get('location') ?? '', OTHER)
    }
    await this.#passGate(await this.request(back.href))
  }

  async signInByMail(email: string): Promise<void> {
    const { remember } = this.#site.choice
    await this.post('signin/email', { email, ...(remember === 'ask, ticked' && { remember: '1' }) })
    const link = this.#site.mails.at(-1)
    if (!link) throw new Error('no mail was sent')
    await this.#passGate(await this.request(link))
  }

  async #passGate(answer: Response): Promise<void> {
    if (answer.headers.get('location')?.includes('/terms')) await this.post('terms')
  }
}

export const sessionsOf = (world: World): SessionsApi =>
  world.core.plan(world.config).plugins?.api('sessions') as unknown as SessionsApi

export const tokensOf = (world: World): ProviderTokensApi =>
  world.core.plan(world.config).plugins?.api('providerTokens') as unknown as ProviderTokensApi
