import { encode } from 'latchkey/jwt'
import { vi } from 'vitest'
import { memoryAdapter } from '../../../src/adapters/memory/index.ts'
import type { AuthConfig } from '../../../src/options/auth-config.ts'
import type { CallbacksOptions } from '../../../src/options/callbacks.ts'
import { createTokenHasher } from '../../../src/session/keeping/token-hash.ts'
import {
  type CeremonyOptions,
  createAuthenticator,
  type SoftAuthenticator,
} from '../../support/authenticator.ts'
import { createIdentityProvider, type IdentityProvider } from './identity-provider.ts'
import { CSRF_COOKIE, CSRF_TOKEN, SECRET } from './known.ts'
import { type NormalAnswer, normal, normalAnswer, plain } from './normalize.ts'
import type { ComeBack, Contents, Scenario, Step } from './scenario.ts'
import type { Side } from './side.ts'

/** When every scenario begins. */
const BEGINS = Date.UTC(2026, 10, 21, 12)

/** Something that was called, asked or logged, with what it was given. */
export type Call = readonly [name: string, given: unknown]

/** What one step made happen, without what is random. */
export interface StepRecord {
  readonly answer: NormalAnswer
  readonly adapter: Call[]
  readonly callback: Call[]
  readonly event: Call[]
  readonly log: Call[]
  readonly provider: Call[]
  readonly mail: Call[]
}

/** Plays a scenario on one side, with the clock standing still. One record for each answer. */
export async function play(scenario: Scenario, side: Side): Promise<StepRecord[]> {
  vi.useFakeTimers({ toFake: ['Date'], now: BEGINS })
  try {
    return await new Play(scenario, side).run()
  } finally {
    vi.useRealTimers()
  }
}

/** The provider types of a scenario's configuration, as a name. */
export function typesOf({ config }: Scenario, side: Side): string {
  const nothing = (): void => {}
  const idp = createIdentityProvider()
  const { providers = [] } = config?.({ side, idp, heard: nothing, mail: nothing }) ?? {}
  const types = providers.map((provider) =>
    typeof provider === 'function' ? provider().type : provider.type,
  )
  return [...new Set(types)].sort().join('-') || 'none'
}

type Notes = Record<Exclude<keyof StepRecord, 'answer'>, Call[]>

function noNotes(): Notes {
  return { adapter: [], callback: [], event: [], log: [], provider: [], mail: [] }
}

class Play {
  readonly #scenario: Scenario
  readonly #side: Side
  readonly #origin: string
  readonly #idp: IdentityProvider
  readonly #authenticator: SoftAuthenticator
  /** What a passkey is to answer. */
  #options: CeremonyOptions = { challenge: '' }
  readonly #jar = new Map<string, string>()
  #link: string | undefined
  #notes = noNotes()
  /** Where the last answer led. */
  #location: string | undefined

  constructor(scenario: Scenario, side: Side) {
    this.#scenario = scenario
    this.#side = side
    this.#origin = scenario.origin ?? 'https://app.example'
    this.#idp = createIdentityProvider(scenario.idp)
    this.#authenticator = createAuthenticator(this.#origin)
  }

  async run(): Promise<StepRecord[]> {
    const config = await this.#config()
    await this.#fillJar(config)
    this.#notes = noNotes()
    const records: StepRecord[] = []
    for (const step of this.#scenario.steps) {
      const record = await this.#take(step, config)
      if (record) records.push(record)
    }
    return records
  }

  async #config(): Promise<AuthConfig> {
    const { config: build, store, listens = [] } = this.#scenario
    const given =
      build?.({
        side: this.#side,
        idp: this.#idp,
        heard: (name, ...given) => this.#note('callback', name, given),
        mail: (link) => {
          this.#link = link
          this.#note('mail', 'link', link)
        },
      }) ?? {}
    const config: AuthConfig = {
      secret: SECRET,
      trustHost: true,
      basePath: '/auth',
      providers: [],
      ...(store ? { adapter: await this.#adapter(store) } : {}),
      ...given,
      logger: {
        error: (error) => this.#note('log', nameOf(error), undefined),
        warn: (code) => this.#note('log', `warning ${code}`, undefined),
      },
    }
    return {
      ...config,
      events: this.#listening(EVENTS, 'event', config.events ?? {}),
      callbacks: this.#listening(
        [...new Set([...listens, ...Object.keys(given.callbacks ?? {})])],
        'callback',
        { ...plainCallbacks, ...given.callbacks },
      ),
    }
  }

  #note(list: keyof Notes, name: string, given: unknown): void {
    this.#notes[list].push([name, plain(given)])
  }

  #listening<T extends object>(names: readonly string[], list: keyof Notes, own: T): T {
    const heard: Record<string, unknown> = {}
    for (const name of names) {
      heard[name] = (given: unknown) => {
        this.#note(list, name, given)
        return (own as Record<string, ((given: unknown) => unknown) | undefined>)[name]?.(given)
      }
    }
    return heard as T
  }

  /** The memory adapter without what only the library asks for, so that both have the same. */
  async #adapter(contents: Contents): Promise<NonNullable<AuthConfig['adapter']>> {
    const memory = memoryAdapter()
    const stored =
      this.#side.name === 'peer' || contents.asThePeerStores
        ? async (token: string): Promise<string> => token
        : createTokenHasher(SECRET)
    for (const user of contents.users ?? []) {
      await memory.createUser?.({ emailVerified: null, ...user })
    }
    for (const account of contents.accounts ?? []) await memory.linkAccount?.(account)
    for (const { token, userId, endsIn } of contents.sessions ?? []) {
      const expires = new Date(BEGINS + endsIn * 1000)
      await memory.createSession?.({ sessionToken: await stored(token), userId, expires })
    }
    const heard: Record<string, unknown> = {}
    for (const [name, method] of Object.entries(memory) as [
      string,
      (...args: unknown[]) => unknown,
    ][]) {
      if (contents.without?.includes(name)) continue
      heard[name] = async (...args: unknown[]) => {
        this.#note('adapter', name, args.length > 1 ? args : args[0])
        if (contents.failing?.includes(name)) throw new Error('the store is gone')
        // As databases do: the peer leaves the id of a user with a passkey to them.
        if (name === 'createUser') args[0] = { id: crypto.randomUUID(), ...given(args[0]) }
        return method(...args)
      }
    }
    return heard
  }

  async #fillJar(config: AuthConfig): Promise<void> {
    const { returning = true, signedIn, store } = this.#scenario
    const secure = this.#origin.startsWith('https:')
    const session = secure ? '__Secure-authjs.session-token' : 'authjs.session-token'
    if (returning) {
      this.#jar.set(`${secure ? '__Host-' : ''}authjs.csrf-token`, CSRF_COOKIE)
      this.#jar.set(
        `${secure ? '__Secure-' : ''}authjs.callback-url`,
        encodeURIComponent(this.#origin),
      )
    }
    if (signedIn) {
      const name = config.cookies?.sessionToken?.name ?? session
      this.#jar.set(name, await encode({ token: signedIn, secret: SECRET, salt: name }))
    }
    const [first] = store?.sessions ?? []
    if (first) this.#jar.set(session, first.token)
  }

  async #take(step: Step, config: AuthConfig): Promise<StepRecord | undefined> {
    switch (step.kind) {
      case 'wait':
        vi.setSystemTime(Date.now() + step.seconds * 1000)
        return undefined
      case 'cookies':
        step.change(this.#jar)
        return undefined
      case 'request':
        return this.#ask(new Request(this.#at(step.path), step.init), config)
      case 'post': {
        const body = new URLSearchParams({ csrfToken: this.#csrfToken(), ...step.form })
        const { headers } = step
        return this.#ask(
          new Request(this.#at(step.path), { method: 'POST', body, headers }),
          config,
        )
      }
      case 'comeBack':
        return this.#ask(this.#comeBack(step.changes), config)
      case 'passkey': {
        const answer =
          step.action === 'register'
            ? this.#authenticator.create(this.#options)
            : this.#authenticator.get(this.#options)
        const body = new URLSearchParams({ action: step.action, data: JSON.stringify(answer) })
        return this.#ask(
          new Request(this.#at('/auth/callback/passkey'), { method: 'POST', body }),
          config,
        )
      }
      case 'openLink': {
        const url = new URL(this.#link ?? this.#at('/no-mail-was-sent'))
        step.changes(url)
        return this.#ask(new Request(url, { method: step.method }), config)
      }
    }
  }

  /** The token of the browser's cookie, which a sign-in may have replaced. */
  #csrfToken(): string {
    const [, cookie] = [...this.#jar].find(([name]) => name.endsWith('csrf-token')) ?? []
    return cookie?.slice(0, CSRF_TOKEN.length) ?? CSRF_TOKEN
  }

  #at(path: string): URL {
    return new URL(path, this.#origin)
  }

  #comeBack({ params = {}, twice = {}, post = false, headers = {}, to, at }: ComeBack): Request {
    const asked = new URL(this.#location ?? this.#at('/no-provider-was-asked'))
    this.#idp.nonce = asked.searchParams.get('nonce')
    const url = new URL(
      at ?? asked.searchParams.get('redirect_uri') ?? this.#at('/auth/callback/acme'),
    )
    if (to) url.pathname = url.pathname.replace(/[^/]+$/, to)
    const answer = new URLSearchParams({ code: 'the-code' })
    const state = asked.searchParams.get('state')
    if (state !== null) answer.set('state', state)
    for (const [name, value] of Object.entries(params)) {
      if (value === null) answer.delete(name)
      else answer.set(name, value)
    }
    for (const [name, value] of Object.entries(twice)) answer.append(name, value)
    if (post) return new Request(url, { method: 'POST', body: answer, headers })
    url.search = answer.toString()
    return new Request(url, { headers })
  }

  async #ask(request: Request, config: AuthConfig): Promise<StepRecord> {
    this.#notes = noNotes()
    const pairs = [...this.#jar].map(([name, value]) => `${name}=${value}`)
    if (pairs.length > 0 && !request.headers.has('cookie')) {
      request.headers.set('cookie', pairs.join('; '))
    }
    const answered: unknown = await this.#side.auth(request, config).catch(nameOf)
    this.#idp.asked.splice(0).forEach(({ name, detail }) => this.#note('provider', name, detail))
    if (answered instanceof Response) {
      this.#keep(answered)
      const body = (await answered
        .clone()
        .json()
        .catch(() => null)) as { options?: CeremonyOptions } | null
      if (body?.options) this.#options = body.options
    }
    const record: StepRecord = { answer: await normalAnswer(answered, request.url), ...this.#notes }
    return (await normal(record)) as StepRecord
  }

  #keep(response: Response): void {
    this.#location = response.headers.get('location') ?? undefined
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split('; ')
      const at = pair.indexOf('=')
      if (/max-age=0(;|$)/i.test(line)) this.#jar.delete(pair.slice(0, at))
      else this.#jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
  }
}

const EVENTS = ['createUser', 'updateUser', 'linkAccount', 'signIn', 'signOut', 'session']

/** What can be listened to although the configuration has no callback. */
const plainCallbacks: CallbacksOptions = {
  signIn: () => true,
  redirect({ url, baseUrl }) {
    if (url.startsWith('/')) return baseUrl + url
    return new URL(url).origin === baseUrl ? url : baseUrl
  },
  jwt: ({ token }) => token,
  session: ({ session: { user, expires } }) => ({ user, expires }),
}

function nameOf(error: unknown): string {
  const { type, name } = error as { type?: string; name: string }
  return type ?? name
}

/** The members that have a value. */
function given(object: unknown): object {
  const members = Object.entries(object as object).filter(([, value]) => value !== undefined)
  return Object.fromEntries(members)
}
