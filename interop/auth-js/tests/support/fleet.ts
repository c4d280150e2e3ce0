import type { AuthConfig } from 'latchkey'
import { expect, vi } from 'vitest'
import type { Adapter } from '../../../../packages/latchkey/src/model/adapter.ts'
import {
  type Answers,
  createIdentityProvider,
} from '../../../../packages/latchkey/tests/peers/differential/identity-provider.ts'
import {
  acme,
  mail,
  plain,
} from '../../../../packages/latchkey/tests/peers/differential/providers.ts'
import type { Setting } from '../../../../packages/latchkey/tests/peers/differential/scenario.ts'
import type { Side } from '../../../../packages/latchkey/tests/peers/differential/side.ts'
import { type Dice, dice } from '../../../../packages/latchkey/tests/support/dice.ts'
import { Browser, ORIGIN } from './browser.ts'

/** One process of the site. */
export interface Instance {
  readonly side: Side
  readonly adapter: Adapter
}

export type Strategy = 'jwt' | 'database'

type How = 'acme' | 'plain' | 'mail' | 'password'

interface Person {
  readonly how: How
  readonly name: string
  readonly email: string
}

/** The same, as it answers. */
interface Started {
  readonly name: string
  answer(request: Request): Promise<Response>
}

/** What somebody began and has not ended yet. */
interface Begun {
  readonly person: Person
  /** Where to go on: the provider, or the link of a mail. */
  readonly url: URL
  readonly until: number
  readonly by: string
}

/** A browser, and what is true of it. */
interface Visitor {
  readonly browser: Browser
  who?: Person | undefined
  begun?: Begun | undefined
  /** The token of a form that is open. */
  form?: string | undefined
}

const VISITORS = 20
const PEOPLE = 15
const MINUTE = 60_000
/** Seconds. */
const MAX_AGE = 12 * 60 * 60
const INBOX = `${ORIGIN}/inbox`

/** Visitors of a site whose instances are of both libraries. Any of them answers a request. */
export class Fleet {
  /** Who began, and who ended it: how often. */
  readonly ways = new Map<string, number>()
  readonly #visitors: Visitor[]
  readonly #dice: Dice
  readonly #strategy: Strategy
  readonly #person: Answers = {}
  readonly #idp = createIdentityProvider(this.#person)
  readonly #logged: unknown[] = []
  #instances: Started[] = []
  #now = Date.UTC(2026, 10, 21, 12)
  #link = ''

  constructor(strategy: Strategy, seed: number) {
    this.#strategy = strategy
    this.#dice = dice(seed)
    this.#visitors = Array.from({ length: VISITORS }, () => ({ browser: new Browser() }))
  }

  /** All instances start anew. Auth.js takes no form and no mail of before, where the secrets are others. */
  start(instances: readonly Instance[], secret: string | string[]): void {
    this.#instances = instances.map(({ side, adapter }) => {
      const config = this.#config(side, adapter, secret)
      return {
        name: side.name,
        answer: async (request) => (await side.auth(request, config)) as Response,
      }
    })
    for (const visitor of this.#visitors) {
      visitor.form = undefined
      if (visitor.begun?.person.how === 'mail') visitor.begun = undefined
    }
  }

  #config(side: Side, adapter: Adapter, secret: string | string[]): AuthConfig {
    const setting: Setting = {
      side,
      idp: this.#idp,
      heard: () => {},
      mail: (link) => {
        this.#link = link
      },
    }
    const password = {
      id: 'password',
      name: 'Password',
      type: 'credentials',
      credentials: { name: {} },
      authorize: ({ name }: { name: string }) => ({ id: name, name, email: `${name}@x.example` }),
    }
    return {
      providers: [
        acme(setting, { checks: ['pkce', 'state', 'nonce'] }),
        plain(setting, { checks: ['pkce', 'state'] }),
        mail(setting),
        // Auth.js makes no stored session of a password.
        ...(this.#strategy === 'jwt' ? [password as never] : []),
      ],
      adapter,
      secret,
      trustHost: true,
      basePath: '/auth',
      session: { strategy: this.#strategy, maxAge: MAX_AGE, updateAge: 60 * 60 },
      callbacks: {
        jwt: ({ token, trigger, session }) =>
          trigger === 'update' ? { ...token, name: (session as { name: string }).name } : token,
      },
      logger: {
        error: (error: unknown) => void this.#logged.push(error),
        warn() {},
        debug() {},
      },
    }
  }

  /** Something happens to somebody, and is as it should be. */
  async step(): Promise<void> {
    this.#now += Math.floor(this.#dice.upTo(MINUTE))
    vi.setSystemTime(this.#now)
    const visitor = this.#dice.one(this.#visitors)
    await this.#dice.one(this.#choices(visitor))(visitor)
    expect(this.#logged).toEqual([])
  }

  #choices({ who, begun }: Visitor): ((visitor: Visitor) => Promise<void>)[] {
    if (begun && begun.until > this.#now) return [this.#read, this.#goOn, this.#goOn, this.#begin]
    const always = [this.#read, this.#begin, this.#begin]
    return who ? [...always, this.#read, this.#update, this.#signOut] : always
  }

  readonly #read = async (visitor: Visitor): Promise<void> => {
    const asked = Array.from({ length: this.#dice.one([1, 1, 3]) }, () => this.#any())
    const { browser, who } = visitor
    const sessions = await Promise.all(asked.map(({ answer }) => browser.session(answer)))
    for (const session of sessions) {
      expect(session?.user?.email).toBe(who?.email)
    }
  }

  /** Whoever is signed in does it again as who they are: accounts are linked by one kind of instance alone. */
  readonly #begin = async (visitor: Visitor): Promise<void> => {
    const person = visitor.who ?? this.#anybody()
    if (person.how === 'password') await this.#password(visitor, person)
    else if (person.how === 'mail') await this.#mail(visitor, person)
    else await this.#provider(visitor, person)
  }

  async #provider(visitor: Visitor, person: Person): Promise<void> {
    const { name, response } = await this.#post(visitor, `/auth/signin/${person.how}`)
    const url = new URL(response.headers.get('location') ?? '')
    expect(url.origin).toBe('https://idp.example')
    visitor.begun = { person, url, until: this.#now + 14 * MINUTE, by: name }
  }

  async #mail(visitor: Visitor, person: Person): Promise<void> {
    const { name, response } = await this.#post(visitor, '/auth/signin/mail', {
      email: person.email,
    })
    expect(response.headers.get('location')).toContain('/auth/verify-request')
    const url = new URL(this.#link)
    visitor.begun = { person, url, until: this.#now + 9 * MINUTE, by: name }
  }

  async #password(visitor: Visitor, person: Person): Promise<void> {
    const { name, response } = await this.#post(visitor, '/auth/callback/password', {
      name: person.name,
    })
    await this.#isSignedIn(visitor, person, response, ['', name])
  }

  /** Comes back from the provider, or opens the link. */
  readonly #goOn = async (visitor: Visitor): Promise<void> => {
    const { begun, browser } = visitor
    if (!begun) throw new Error('nothing was begun')
    const { person, by, url } = begun
    const { name, answer } = this.#any()
    if (person.how === 'mail') {
      const opened = await browser.get(answer, url)
      if (opened.status !== 200) return this.#isSignedIn(visitor, person, opened, [by, name])
      // Who asked elsewhere is asked to confirm it; any instance takes the form.
      const confirmed = this.#any()
      const form = { csrfToken: await tokenOf(opened) }
      const end = await browser.post(confirmed.answer, url, form)
      return this.#isSignedIn(visitor, person, end, [by, `${name} and ${confirmed.name}`])
    }
    const claims = { sub: person.name, name: person.name, email: person.email }
    Object.assign(this.#person, { claims, userinfo: claims })
    this.#idp.nonce = url.searchParams.get('nonce')
    const back = new URL(`${ORIGIN}/auth/callback/${person.how}?code=the-code`)
    back.searchParams.set('state', url.searchParams.get('state') ?? '')
    return this.#isSignedIn(visitor, person, await browser.get(answer, back), [by, name])
  }

  async #isSignedIn(
    visitor: Visitor,
    person: Person,
    response: Response,
    [from, to]: readonly [string, string],
  ): Promise<void> {
    expect(response.headers.get('location')).toBe(INBOX)
    const way = `${person.how}: ${from} to ${to}`
    this.ways.set(way, (this.ways.get(way) ?? 0) + 1)
    // Latchkey draws another token at a sign-in.
    Object.assign(visitor, { who: person, begun: undefined, form: undefined })
    await this.#read(visitor)
  }

  readonly #update = async (visitor: Visitor): Promise<void> => {
    const name = `name ${Math.floor(this.#dice.upTo(1000))}`
    const csrfToken = await this.#form(visitor)
    const { answer } = this.#any()
    const updated = await visitor.browser.send(answer, new URL('/auth/session', ORIGIN), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ csrfToken, data: { name } }),
    })
    expect(await updated.json()).toMatchObject({ user: { email: visitor.who?.email } })
    const session = await visitor.browser.session(this.#any().answer)
    expect(session?.user?.email).toBe(visitor.who?.email)
    if (this.#strategy === 'jwt') expect(session?.user?.name).toBe(name)
  }

  readonly #signOut = async (visitor: Visitor): Promise<void> => {
    await this.#post(visitor, '/auth/signout')
    expect(visitor.browser.names().filter((name) => name.includes('session-token'))).toEqual([])
    Object.assign(visitor, { who: undefined, begun: undefined, form: undefined })
    await this.#read(visitor)
  }

  async #post(
    visitor: Visitor,
    path: string,
    fields: Record<string, string> = {},
  ): Promise<{ name: string; response: Response }> {
    const form = { csrfToken: await this.#form(visitor), callbackUrl: '/inbox', ...fields }
    const { name, answer } = this.#any()
    return { name, response: await visitor.browser.post(answer, new URL(path, ORIGIN), form) }
  }

  /** The token of a page that is open, or of a new one. */
  async #form(visitor: Visitor): Promise<string> {
    if (visitor.form === undefined || this.#dice.chance(0.5)) {
      const page = await visitor.browser.get(
        this.#any().answer,
        new URL('/auth/signin?callbackUrl=/', ORIGIN),
      )
      visitor.form = await tokenOf(page)
    }
    return visitor.form
  }

  #any(): Started {
    return this.#dice.one(this.#instances)
  }

  #anybody(): Person {
    const how = this.#dice.one<How>(
      this.#strategy === 'jwt' ? ['acme', 'plain', 'mail', 'password'] : ['acme', 'plain', 'mail'],
    )
    const name = `${how}-${Math.floor(this.#dice.upTo(PEOPLE))}`
    return { how, name, email: `${name}@x.example` }
  }

  /** What the browsers of those who are signed in have for a session. */
  sessions(): string[] {
    return this.#visitors.flatMap(({ who, browser }) => {
      const value = browser.value('__Secure-authjs.session-token')
      return who && value !== undefined ? [value] : []
    })
  }

  /** Everybody is asked who they are, by every instance. */
  async everybodyIsThere(): Promise<void> {
    for (const { browser, who } of this.#visitors) {
      for (const { answer } of this.#instances) {
        expect((await browser.session(answer))?.user?.email).toBe(who?.email)
      }
    }
  }
}

/** The CSRF token of the forms on a page. */
async function tokenOf(page: Response): Promise<string> {
  const token = /name="csrfToken"[^>]*value="?([0-9a-f]{64})/.exec(await page.text())?.[1]
  if (token === undefined) throw new Error('the page has no token')
  return token
}
