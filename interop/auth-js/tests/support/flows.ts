import { createWorld, type World } from '../../../../packages/latchkey/src/entries/testing.ts'
import Credentials from '../../../../packages/latchkey/src/providers/credentials.ts'
import { email, oidc } from '../../../../packages/latchkey/src/providers/define.ts'
import Passkey from '../../../../packages/latchkey/src/providers/passkey.ts'
import { createAuthenticator } from '../../../../packages/latchkey/tests/support/authenticator.ts'
import { authenticate, register } from '../../../../packages/latchkey/tests/support/passkeys.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  ISSUER,
  simulateProvider,
} from '../../../../packages/latchkey/tests/support/simulated-provider.ts'
import type { Store } from './stores.ts'

export type Strategy = 'database' | 'jwt'

/** Something that somebody does on a site. */
export interface Flow {
  readonly name: string
  readonly strategies: readonly Strategy[]
  /** Throws when it goes otherwise than it should. */
  readonly run: (site: Site) => Promise<void>
  /** How often it is tried, each time on an empty store: who is faster is chance. @default 1 */
  readonly rounds?: number
  /** What is configured besides OAuth. */
  readonly providers?: readonly ('mail' | 'credentials' | 'passkey')[]
}

const BOTH: readonly Strategy[] = ['database', 'jwt']
const STORED: readonly Strategy[] = ['database']
const ADA = 'ada@example.com'
const ORIGIN = 'https://app.example'
const DAY = 24 * 60 * 60

/** A site on a store, and what its users do. */
export class Site {
  readonly world: World
  readonly store: Store
  readonly #provider: ReturnType<typeof simulateProvider>
  readonly #mails: string[] = []

  constructor(store: Store, strategy: Strategy, wanted: NonNullable<Flow['providers']>) {
    this.store = store
    this.#provider = simulateProvider(() => this.world.now())
    const client = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }
    const others = {
      mail: () =>
        email({
          id: 'mail',
          name: 'Mail',
          sendVerificationRequest: async ({ url }) => void this.#mails.push(url),
        }),
      credentials: () =>
        Credentials({
          credentials: {},
          authorize: async () => (await store.adapter.getUserByEmail?.(ADA)) ?? null,
        }),
      passkey: () => Passkey(),
    }
    this.world = createWorld(
      {
        adapter: store.adapter,
        session: { strategy },
        providers: [
          oidc({ id: 'one', name: 'One', issuer: ISSUER })(client),
          oidc({ id: 'two', name: 'Two', issuer: ISSUER })(client),
          ...wanted.map((name) => others[name]()),
        ],
        ...(wanted.includes('passkey') ? { experimental: { enableWebAuthn: true } } : {}),
      },
      { fetch: this.#provider.fetch },
    )
  }

  /** Goes to a provider and comes back. @returns where that ends. */
  async oauth(browser: World = this.world, id = 'one'): Promise<string> {
    const begun = await browser.post(`/auth/signin/${id}`)
    const there = new URL(locationOf(begun))
    if (there.origin !== ISSUER) return there.href
    const answer = this.#provider.authorize(there)
    return locationOf(await browser.get(`/auth/callback/${id}?${answer}`))
  }

  /** Asks for a link and gives it. */
  async mailedLink(browser: World = this.world, address = ADA): Promise<string> {
    await browser.post('/auth/signin/mail', { email: address })
    const link = this.#mails.at(-1)
    if (!link) throw new Failure('no mail is sent')
    return link
  }

  /** Opens a link, and presses the button where somebody asks whether that is meant. */
  async open(link: string): Promise<void> {
    const page = await (await this.world.get(link)).text()
    const csrfToken = /name="csrfToken" value="(\w+)"/.exec(page)?.[1]
    if (csrfToken) await this.world.postWithoutCsrf(link, { csrfToken })
  }

  async expectSignedIn(browser: World = this.world): Promise<void> {
    const session = await browser.session()
    if (!session) throw new Failure('nobody is signed in')
    if (session.user?.['email'] !== ADA) throw new Failure('the session lacks the address')
  }

  async expectNobody(browser: World = this.world): Promise<void> {
    if (await browser.session()) throw new Failure('somebody is signed in')
  }

  /** Whom an account leads to. */
  async owner(provider: string): Promise<string | undefined> {
    const key = { provider, providerAccountId: 'ada' }
    return (await this.store.adapter.getUserByAccount?.(key))?.id
  }

  async expectUsers(expected: number): Promise<void> {
    const users = await this.store.users()
    if (users > expected) throw new Failure('there is a user too many')
    if (users < expected) throw new Failure('the user is gone')
  }
}

/** A flow that went wrong, in words for the page. */
class Failure extends Error {}

export const flows: readonly Flow[] = [
  {
    name: 'first sign-in with OAuth',
    strategies: BOTH,
    async run(site) {
      await site.oauth()
      await site.expectSignedIn()
      await site.expectUsers(1)
    },
  },
  {
    name: 'a second sign-in with OAuth, in another browser',
    strategies: BOTH,
    async run(site) {
      await site.oauth()
      const other = site.world.otherBrowser()
      await site.oauth(other)
      await site.expectSignedIn(other)
      await site.expectSignedIn()
      await site.expectUsers(1)
    },
  },
  {
    name: 'another provider is linked while signed in',
    strategies: BOTH,
    async run(site) {
      await site.oauth()
      await site.oauth(site.world, 'two')
      await site.expectSignedIn()
      const [one, two] = [await site.owner('one'), await site.owner('two')]
      if (one === undefined || one !== two) throw new Failure('the account is not linked')
      await site.expectUsers(1)
    },
  },
  {
    name: 'two first sign-ins at the same moment',
    strategies: BOTH,
    rounds: 12,
    async run(site) {
      const browsers = [site.world, site.world.otherBrowser()]
      await Promise.all(browsers.map((browser) => site.oauth(browser)))
      await site.expectUsers(1)
      // Who came second may have to try again.
      for (const browser of browsers) if (!(await browser.session())) await site.oauth(browser)
      for (const browser of browsers) await site.expectSignedIn(browser)
      await site.expectUsers(1)
    },
  },
  {
    name: 'a mailed link',
    strategies: BOTH,
    providers: ['mail'],
    async run(site) {
      await site.open(await site.mailedLink())
      await site.expectSignedIn()
      await site.expectUsers(1)
      const stored = await site.store.adapter.getUserByEmail?.(ADA)
      if (!(stored?.emailVerified instanceof Date)) throw new Failure('the address is not verified')
    },
  },
  {
    name: 'a mailed link, a second time',
    strategies: BOTH,
    providers: ['mail'],
    async run(site) {
      const link = await site.mailedLink()
      await site.world.get(link)
      await site.world.post('/auth/signout')
      await site.open(link)
      await site.expectNobody()
    },
  },
  {
    name: 'a mailed link, 20 times at the same moment',
    strategies: BOTH,
    rounds: 3,
    providers: ['mail'],
    async run(site) {
      const link = await site.mailedLink()
      const ends = await Promise.all(Array.from({ length: 20 }, () => site.world.get(link)))
      const used = ends.filter((end) => end.headers.get('location') === ORIGIN).length
      if (used !== 1) throw new Failure(used === 0 ? 'no use succeeds' : 'several uses succeed')
      await site.expectUsers(1)
    },
  },
  {
    name: 'a mailed link, after somebody tried another one for the address',
    strategies: STORED,
    providers: ['mail'],
    async run(site) {
      const link = await site.mailedLink()
      const wrong = new URL(link)
      wrong.searchParams.set('token', '0'.repeat(64))
      await site.open(wrong.href)
      await site.open(link)
      await site.expectSignedIn()
    },
  },
  {
    name: 'a mailed link for who has signed in with OAuth',
    strategies: BOTH,
    providers: ['mail'],
    async run(site) {
      await site.oauth()
      await site.world.post('/auth/signout')
      await site.open(await site.mailedLink())
      await site.expectSignedIn()
      await site.expectUsers(1)
    },
  },
  {
    name: 'a session is extended, and ends',
    strategies: STORED,
    async run(site) {
      await site.oauth()
      const expiry = async () => Date.parse((await site.world.session())?.expires ?? '')
      const before = await expiry()
      site.world.advance(2 * DAY)
      await expiry()
      if (!((await expiry()) > before + DAY)) throw new Failure('it is not extended')
      // The jar drops an expired cookie; a thief would not.
      const cookies = [...site.world.jar]
      const records = await site.store.records()
      site.world.advance(31 * DAY)
      for (const [name, value] of cookies) site.world.jar.set(name, value)
      await site.expectNobody()
      if ((await site.store.records()) >= records) throw new Failure('the record stays')
    },
  },
  {
    name: 'sign-out',
    strategies: BOTH,
    async run(site) {
      await site.oauth()
      await site.world.post('/auth/signout')
      await site.expectNobody()
    },
  },
  {
    name: 'sign-out, twice at the same moment',
    strategies: STORED,
    rounds: 5,
    async run(site) {
      await site.oauth()
      const cookies = new Map(site.world.jar)
      const browsers = [site.world, site.world.otherBrowser()]
      for (const [name, value] of cookies) browsers[1]?.jar.set(name, value)
      const ends = await Promise.all(browsers.map((browser) => browser.post('/auth/signout')))
      if (ends.some((end) => locationOf(end) !== ORIGIN)) throw new Failure('one of them fails')
      for (const [name, value] of cookies) site.world.jar.set(name, value)
      await site.expectNobody()
    },
  },
  {
    name: 'credentials with a stored session',
    strategies: STORED,
    providers: ['credentials'],
    async run(site) {
      await site.store.adapter.createUser?.({
        id: 'd5a1f6d2-8a39-4c6c-9d5b-6d3d29e2b1aa',
        name: 'Ada',
        email: ADA,
        emailVerified: null,
      })
      await site.world.post('/auth/callback/credentials')
      await site.expectSignedIn()
      if ((await site.store.records()) < 2) throw new Failure('no session is stored')
    },
  },
  {
    name: 'a passkey is registered, and signs in',
    strategies: BOTH,
    providers: ['passkey'],
    async run(site) {
      const authenticator = createAuthenticator(ORIGIN)
      await register(site.world, authenticator, ADA)
      await site.expectSignedIn()
      await site.world.post('/auth/signout')
      await authenticate(site.world, authenticator)
      await site.expectSignedIn()
      await site.expectUsers(1)
    },
  },
  {
    name: 'a copied passkey, whose counter is behind, is refused',
    strategies: STORED,
    providers: ['passkey'],
    async run(site) {
      const authenticator = createAuthenticator(ORIGIN)
      await register(site.world, authenticator, ADA)
      for (const counter of [10, 5]) {
        await site.world.post('/auth/signout')
        await authenticate(site.world, authenticator, { counter })
        if (counter === 10) await site.expectSignedIn()
      }
      await site.expectNobody()
    },
  },
  {
    name: 'the application deletes a user who is signed in twice, with two accounts',
    strategies: BOTH,
    async run(site) {
      const other = site.world.otherBrowser()
      await site.oauth()
      await site.oauth(site.world, 'two')
      await site.oauth(other)
      const id = (await site.owner('one')) ?? ''
      await site.store.adapter.deleteUser?.(id)
      const left = await site.store.records()
      if (left > 0) throw new Failure('records of the user stay')
      await site.oauth(other)
      await site.expectSignedIn(other)
    },
  },
]

function locationOf(response: Response): string {
  return new URL(response.headers.get('location') ?? '', ORIGIN).href.replace(/\/$/, '')
}
