import { expect } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createWorld, type World } from '../../src/entries/testing.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { oauth, oidc } from '../../src/providers/define.ts'
import Passkey from '../../src/providers/passkey.ts'
import {
  type CeremonyOptions,
  type Credential,
  createAuthenticator,
} from '../support/authenticator.ts'
import { type Dice, dice } from '../support/dice.ts'
import { type OptionsBody, send } from '../support/passkeys.ts'
import { recordingEvents, wrapped } from '../support/recording.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  ISSUER,
  key,
  type Misbehaviour,
  simulateProvider,
} from '../support/simulated-provider.ts'
import { type Answer, type Edge, type EventName, edgeOf, type Machine } from './flows.ts'

const ORIGIN = 'https://app.example'
const PASSWORD = 'open sesame'

const MINUTE = 60
const DAY = 24 * 60 * MINUTE

/** Seconds that a sealed value is accepted for after its end. */
const TOLERANCE = 15

/** Who has a password, and so is known from the beginning; the others come by themselves. */
const MEMBERS = ['ada', 'bob']
const PEOPLE = [...MEMBERS, 'carol', 'dora', 'eve', 'frank']

/** How users are called who have lost their address. */
const RELEASED = 'released '

// ── what the model knows ───────────────────────────────────────────────────────────────────

interface Browser {
  readonly name: string
  readonly world: World
  session: BrowserSession | undefined
  hasCsrf: boolean
  callbackUrl: string | undefined
  /** The mail that it asked for last. */
  asked: Mail | undefined
  challenge: Challenge | undefined
}

interface BrowserSession {
  /** Whose it is. */
  email: string
  /** The address of that user when they signed in. */
  readonly sealedEmail: string
  writtenAt: number
  readonly row: Row | undefined
}

/** A stored session. */
interface Row {
  endsAt: number
}

interface Attempt {
  state: string
  /** Does the browser still have its cookie? */
  isKept: boolean
  readonly browser: Browser
  readonly provider: string
  readonly begunAt: number
  begunBy: string | undefined
  readonly target: string
  readonly url: URL
}

interface Mail {
  state: string
  readonly browser: Browser
  readonly address: string
  readonly askedAt: number
  readonly target: string
  readonly link: URL
  readonly code: string
  attempts: number
}

interface Challenge {
  state: string
  readonly drawnAt: number
  readonly options: CeremonyOptions
  /** Whose passkey is made. */
  address: string
  /** Who was signed in. */
  begunBy: string | undefined
}

/** What was proven, as the decision is told. */
type Proof =
  | { kind: 'password'; email: string }
  | { kind: 'address'; email: string }
  | { kind: 'account'; key: string; email: string; begunBy: string | undefined }
  | { kind: 'passkey'; owner: string }
  | { kind: 'new passkey'; email: string; begunBy: string | undefined; credential: Credential }

/** What one step must have done. */
interface Expectation {
  readonly answer: Answer
  readonly target: string
  readonly events: readonly EventName[]
  /** Cookies that were set and cleared, `+name` and `-name`. */
  readonly cookies: readonly string[]
}

type Decision = 'agrees' | 'refuses' | 'throws' | 'sends elsewhere'

// ── the walk ───────────────────────────────────────────────────────────────────────────────

/** Edges that any walk has gone along. */
export const visited: Set<Edge> = new Set()

/** Three browsers in one world, and what the model says of them. */
export class Walk {
  readonly strategy: 'jwt' | 'database'
  readonly random: Dice
  readonly browsers: Browser[]
  readonly first: World
  readonly recorded = recordingEvents()
  readonly authenticator = createAuthenticator(ORIGIN)
  readonly op: ReturnType<typeof simulateProvider>
  readonly sentMails: { url: string; code: string }[] = []
  decision: Decision = 'agrees'

  /** Addresses of users, and whether they were proven. */
  readonly users = new Map<string, { verified: boolean }>()
  /** Accounts and passkeys, by the address of their user. */
  readonly accounts = new Map<string, string>()
  readonly passkeys = new Map<Credential, string>()
  readonly rows = new Set<Row>()
  readonly mailsStored = new Set<Mail>()
  attempts: Attempt[] = []
  mails: Mail[] = []
  /** When attempts at codes were made, by address. */
  readonly guesses = new Map<string, number[]>()

  /** What the store holds, counted from outside. */
  readonly stored = { sessions: 0, users: 0, accounts: 0, passkeys: 0, mails: 0 }

  constructor(strategy: 'jwt' | 'database', seed: number) {
    this.strategy = strategy
    this.random = dice(seed)
    this.op = simulateProvider(() => this.first.now(), FAST)
    this.first = createWorld(this.#config(), { origin: ORIGIN, fetch: this.#fetch })
    const worlds = [this.first, this.first.otherBrowser(), this.first.otherBrowser()]
    this.browsers = worlds.map((world, index) => ({
      name: `browser ${index + 1}`,
      world,
      session: undefined,
      hasCsrf: false,
      callbackUrl: undefined,
      asked: undefined,
      challenge: undefined,
    }))
  }

  get now(): number {
    return this.first.now() / 1000
  }

  #config(): Partial<AuthConfig> {
    const counts: Readonly<Record<string, [keyof Walk['stored'], number]>> = {
      createUser: ['users', 1],
      linkAccount: ['accounts', 1],
      createSession: ['sessions', 1],
      deleteSession: ['sessions', -1],
      createAuthenticator: ['passkeys', 1],
      createVerificationToken: ['mails', 1],
      useVerificationToken: ['mails', -1],
    }
    const adapter = wrapped(memoryAdapter(), (name, method) => async (...args) => {
      const result = await method(...args)
      const [what, by] = counts[name] ?? []
      if (what && by && result) this.stored[what] += by
      return result
    })
    return {
      adapter,
      session: { strategy: this.strategy },
      events: this.recorded.events,
      callbacks: {
        signIn: () => {
          if (this.decision === 'throws') throw new Error('the application is tired')
          if (this.decision === 'sends elsewhere') return '/elsewhere'
          return this.decision === 'agrees'
        },
      },
      providers: [
        {
          id: 'credentials',
          name: 'Password',
          type: 'credentials',
          credentials: { username: {}, password: {} },
          authorize: async ({ username, password }) =>
            password === PASSWORD ? await adapter.getUserByEmail(String(username)) : null,
        },
        {
          id: 'email',
          name: 'Email',
          type: 'email',
          code: true,
          sendVerificationRequest: ({ url, code = '' }) => {
            this.sentMails.push({ url, code })
          },
        },
        oauth<{ id: string; email: string }>({
          id: 'acme',
          name: 'Acme',
          clientId: 'client',
          checks: ['pkce', 'state'],
          authorization: 'https://acme.example/authorize',
          token: 'https://acme.example/token',
          userinfo: 'https://acme.example/user',
          profile: (profile) => profile,
        }),
        oidc({
          id: 'op',
          name: 'OP',
          issuer: ISSUER,
          clientId: CLIENT_ID,
          clientSecret: CLIENT_SECRET,
          checks: ['pkce', 'state', 'nonce'],
        }),
        Passkey(),
      ],
    }
  }

  /** Acme gives a token for a name, and the OpenID provider is simulated in full. */
  readonly #fetch: typeof fetch = async (input, init = {}) => {
    const request = new Request(input, init)
    const { host, pathname } = new URL(request.url)
    if (host !== 'acme.example') return this.op.fetch(input, init)
    if (pathname === '/token') {
      const code = new URLSearchParams(await request.text()).get('code')
      return code === 'nobody'
        ? Response.json({ error: 'invalid_grant' }, { status: 400 })
        : Response.json({ access_token: code, token_type: 'bearer' })
    }
    const id = request.headers.get('authorization')?.slice('Bearer '.length)
    return Response.json({ id, email: `${id}@example.com` })
  }

  async begin(): Promise<void> {
    const { adapter } = this.first.config
    for (const name of MEMBERS) {
      const email = `${name}@example.com`
      await adapter?.createUser?.({ id: name, email, emailVerified: null })
      this.users.set(email, { verified: false })
    }
  }

  // ── what the model says ──────────────────────────────────────────────────────────────────

  edge(machine: Machine, from: string, on: string, holds: Record<string, boolean> = {}): Edge {
    const edge = edgeOf(machine, from, on, (condition) => {
      if (!(condition in holds)) throw new Error(`the walk does not know whether: ${condition}`)
      return holds[condition] === true
    })
    visited.add(edge)
    return edge
  }

  /** What the application says, as conditions of edges. */
  said(): Record<string, boolean> {
    return {
      'the `signIn` callback refuses': this.decision === 'refuses',
      'the `signIn` callback throws': this.decision === 'throws',
      'the `signIn` callback returns a URL': this.decision === 'sends elsewhere',
    }
  }

  denies(): boolean {
    return this.decision === 'refuses' || this.decision === 'throws'
  }

  sessionState({ session }: Browser): 'none' | 'active' | 'renewal due' | 'expired' {
    if (!session) return 'none'
    const age = this.now - session.writtenAt
    const over =
      this.strategy === 'jwt' ? age >= 30 * DAY + TOLERANCE : (session.row?.endsAt ?? 0) <= this.now
    if (over) return 'expired'
    return age >= DAY ? 'renewal due' : 'active'
  }

  /** Who is signed in; a stored session that is over is removed when somebody looks. */
  signedIn(browser: Browser): string | undefined {
    const state = this.sessionState(browser)
    if (state === 'expired' && browser.session?.row) this.rows.delete(browser.session.row)
    return state === 'active' || state === 'renewal due' ? browser.session?.email : undefined
  }

  /** Cookies that come with any visit. */
  ambient(browser: Browser, target: string): string[] {
    const cookies = browser.hasCsrf ? [] : ['+csrf-token']
    browser.hasCsrf = true
    if (browser.callbackUrl !== target) cookies.push('+callback-url')
    browser.callbackUrl = target
    return cookies
  }

  /** Where a visitor goes who says nothing of it. */
  kept(browser: Browser): string {
    return browser.callbackUrl ?? ORIGIN
  }

  /** What the decision makes of a proof, and of the store. */
  decide(browser: Browser, proof: Proof, target: string, cookies: readonly string[]): Expectation {
    const current = this.decision === 'agrees' ? this.signedIn(browser) : undefined
    const user = this.users.get('email' in proof ? proof.email : '')
    const owner = proof.kind === 'account' ? this.accounts.get(proof.key) : undefined
    const isNew = proof.kind === 'new passkey'
    const edge = this.edge('decision', 'proven', 'decide', {
      ...this.said(),
      'a password': proof.kind === 'password',
      'a verified address of a user': proof.kind === 'address' && user?.verified === true,
      'an address that another user entered with a passkey and never verified':
        proof.kind === 'address' && current !== proof.email && this.isClaimed(proof.email),
      'an address of a user, not verified before':
        proof.kind === 'address' && user?.verified === false,
      'an address that no user has': proof.kind === 'address',
      'an account of the current user': owner !== undefined && owner === current,
      'an account of another user than the current one':
        owner !== undefined && current !== undefined,
      'an account, without a current user': owner !== undefined,
      'a new account, and the current user started the sign-in':
        proof.kind === 'account' && current !== undefined && current === proof.begunBy,
      'a new account, and the current user did not start the sign-in':
        proof.kind === 'account' && current !== undefined,
      'a new account with the address of another user':
        proof.kind === 'account' && user !== undefined,
      'a new account with an address that no user has': proof.kind === 'account',
      'a passkey of another user than the current one':
        proof.kind === 'passkey' && current !== undefined && current !== proof.owner,
      'a passkey': proof.kind === 'passkey',
      'a new passkey, and the current user is not the one who requested it':
        isNew && current !== proof.begunBy,
      'a new passkey, and the current user requested it': isNew && current !== undefined,
      'a new passkey with an address of another user': isNew && user !== undefined,
      'a new passkey with an address that no user has': isNew,
    })
    const answer = edge.answer ?? never()
    if (edge.to !== 'signed in') return { answer, target, cookies, events: [] }

    const email = proof.kind === 'passkey' ? proof.owner : (owner ?? joined(proof, current))
    if (edge.events?.join() === 'updateUser,createUser,signIn') this.release(email)
    if (edge.events?.includes('createUser')) this.users.set(email, { verified: false })
    if (proof.kind === 'address') this.users.set(email, { verified: true })
    if (proof.kind === 'account') this.accounts.set(proof.key, email)
    if (isNew) {
      this.passkeys.set(proof.credential, email)
      this.accounts.set(`passkey ${proof.credential.id}`, email)
    }
    this.beginSession(browser, email)
    return {
      answer,
      target,
      events: edge.events ?? [],
      cookies: [...new Set([...cookies, '+session-token', '+csrf-token'])],
    }
  }

  /** Did somebody give the address with a passkey, and never prove it? */
  isClaimed(email: string): boolean {
    return this.users.get(email)?.verified === false && [...this.passkeys.values()].includes(email)
  }

  /** Who is signed in is asked for wherever an address is only claimed. */
  lookAtClaim(browser: Browser, email: string): void {
    if (this.isClaimed(email)) this.signedIn(browser)
  }

  /** The user keeps everything but the address; from now on the model calls them something else. */
  release(email: string): void {
    const name = `${RELEASED}${this.users.size}`
    const renamed = (of: string | undefined): string | undefined => (of === email ? name : of)
    this.users.set(name, { verified: false })
    for (const of of [this.accounts, this.passkeys] as Map<unknown, string>[]) {
      for (const [key, owner] of of) if (owner === email) of.set(key, name)
    }
    for (const { session, challenge } of this.browsers) {
      if (session) session.email = renamed(session.email) ?? session.email
      if (challenge) challenge.begunBy = renamed(challenge.begunBy)
      if (challenge?.begunBy === name) challenge.address = name
    }
    for (const attempt of this.attempts) attempt.begunBy = renamed(attempt.begunBy)
  }

  beginSession(browser: Browser, email: string): void {
    const state = this.sessionState(browser)
    if (state === 'none') this.edge('session', 'none', 'sign in')
    if (state === 'active') this.edge('session', 'active', 'sign in again')
    if (browser.session?.row) this.rows.delete(browser.session.row)
    const row = this.strategy === 'database' ? { endsAt: this.now + 30 * DAY } : undefined
    if (row) this.rows.add(row)
    browser.session = { email, sealedEmail: email, writtenAt: this.now, row }
  }

  // ── what visitors do; each step tells what must come of it ─────────────────────────────────

  /** Lets time pass, and things grow old. */
  wait(seconds: number): void {
    const before = new Map(this.browsers.map((browser) => [browser, this.sessionState(browser)]))
    this.first.advance(seconds)
    for (const [browser, was] of before) {
      const is = this.sessionState(browser)
      if (was === 'active' && (is === 'renewal due' || is === 'expired'))
        this.edge('session', 'active', 'one day passes')
      if ((was === 'active' || was === 'renewal due') && is === 'expired') {
        this.edge('session', 'renewal due', '30 days pass')
      }
    }
    for (const attempt of this.attempts) {
      if (attempt.state !== 'started' || this.now < attempt.begunAt + 15 * MINUTE + TOLERANCE)
        continue
      attempt.state = this.edge('provider', 'started', '15 minutes pass').to
    }
    for (const mail of this.mails) {
      if (mail.state !== 'sent' || this.now < mail.askedAt + 10 * MINUTE) continue
      mail.state = this.edge('mail', 'sent', '10 minutes pass').to
    }
    for (const { challenge } of this.browsers) {
      if (!challenge?.state.startsWith('challenge')) continue
      if (this.now < challenge.drawnAt + 15 * MINUTE + TOLERANCE) continue
      challenge.state = this.edge('passkey', challenge.state, '15 minutes pass').to
    }
  }

  async beginProvider(browser: Browser, provider: string, path: string): Promise<void> {
    const target = ORIGIN + path
    this.form(browser)
    const { to, answer = never() } = this.edge('provider', 'none', 'start')
    const begunBy = this.signedIn(browser)
    const cookies = this.ambient(browser, target)
    const open = this.attempts.filter((each) => each.browser === browser && each.isKept)
    if (open.length >= 5) {
      // One that is too old still has its cookie, which cannot be read.
      const age = ({ state, begunAt }: Attempt): number => (state === 'started' ? begunAt : 0)
      const [oldest = never()] = open.toSorted((one, other) => age(one) - age(other))
      if (oldest.state === 'started') {
        oldest.state = this.edge('provider', 'started', 'five others start').to
      }
      oldest.isKept = false
      cookies.push('-sign-in')
    }
    const response = await browser.world.post(`/auth/signin/${provider}`, { callbackUrl: path })
    const url = new URL(response.headers.get('location') ?? '')
    this.attempts.push({
      state: to,
      isKept: true,
      browser,
      provider,
      begunAt: this.now,
      begunBy,
      target,
      url,
    })
    await this.judge(response, {
      answer,
      target,
      events: [],
      cookies: [...cookies, '+sign-in'],
    })
  }

  /** The provider answers: agreed, with a code for somebody or for nobody, or declined. */
  async answerProvider(
    browser: Browser,
    attempt: Attempt,
    who: string,
    on: 'return with a code' | 'return with an error',
  ): Promise<void> {
    const { provider, url } = attempt
    const edge = this.edge('provider', attempt.state, on, {
      'in another browser': attempt.browser !== browser,
      'the provider refuses the code': who === 'nobody',
    })
    const cookies = this.ambient(browser, this.kept(browser))
    if (attempt.browser === browser && attempt.isKept) {
      cookies.push('-sign-in')
      attempt.isKept = false
    }
    attempt.state = edge.to === 'proven' ? 'used' : edge.to
    const email = provider === 'op' ? `${who}@op.example` : `${who}@example.com`
    const { target, begunBy } = attempt
    const proof = { kind: 'account', key: `${provider} ${who}`, email, begunBy } as const
    const expected = edge.answer
      ? { answer: edge.answer, target, cookies, events: [] }
      : this.decide(browser, proof, target, cookies)
    this.op.misbehaviour = { ...FAST, claims: { sub: who, email } }
    const params = provider === 'op' ? this.op.authorize(url) : acmeAnswer(url, who)
    if (who === 'nobody') params.set('code', 'nobody')
    if (on === 'return with an error') {
      params.delete('code')
      params.set('error', 'access_denied')
    }
    await this.judge(await browser.world.get(`/auth/callback/${provider}?${params}`), expected)
  }

  async askForMail(browser: Browser, address: string, path: string): Promise<void> {
    const target = ORIGIN + path
    this.form(browser)
    const edge = this.edge('mail', 'none', 'request a mail', {
      // What is no address is not asked about.
      ...(address.includes('@') ? this.said() : SILENT),
      'the address is invalid': !address.includes('@'),
    })
    const cookies = this.ambient(browser, target)
    this.lookAtClaim(browser, address)
    const response = await browser.world.post('/auth/signin/email', {
      email: address,
      callbackUrl: path,
    })
    const { answer = never() } = edge
    if (edge.to === 'sent') this.mailSent(browser, address, target, edge.to)
    await this.judge(response, {
      answer,
      target,
      events: [],
      cookies: edge.to === 'sent' ? [...cookies, '+email-request'] : cookies,
    })
  }

  mailSent(browser: Browser, address: string, target: string, state: string): void {
    const earlier = browser.asked
    const isRecalled = earlier && this.now < earlier.askedAt + 10 * MINUTE + TOLERANCE
    if (isRecalled && earlier.address === address) {
      if (earlier.state === 'sent') {
        earlier.state = this.edge('mail', 'sent', 'the same browser requests another mail').to
      }
      this.mailsStored.delete(earlier)
    }
    const { url, code } = this.sentMails.pop() ?? never()
    const mail: Mail = {
      state,
      browser,
      address,
      askedAt: this.now,
      target,
      link: new URL(url),
      code,
      attempts: 0,
    }
    this.mails.push(mail)
    this.mailsStored.add(mail)
    browser.asked = mail
  }

  async openMail(
    browser: Browser,
    mail: Mail,
    on: 'open the link' | 'press the button',
  ): Promise<void> {
    if (on === 'press the button') this.form(browser)
    const edge = this.edge('mail', mail.state, on, {
      'in the browser of the request': browser.asked === mail,
    })
    const cookies = this.ambient(browser, mail.target)
    const { pathname, search } = mail.link
    const request = (): Promise<Response> =>
      on === 'open the link'
        ? browser.world.get(pathname + search)
        : browser.world.post(pathname + search)
    await this.finishMail(browser, mail, edge, mail.target, cookies, request)
  }

  async typeCode(browser: Browser, mail: Mail, right: boolean): Promise<void> {
    this.form(browser)
    const isAsked = browser.asked === mail
    const counts = isAsked && mail.state === 'sent'
    const guesses = (this.guesses.get(mail.address) ?? []).filter((at) => at > this.now - DAY)
    const tooMany = counts && (mail.attempts >= 5 || guesses.length >= 10)
    if (counts && mail.attempts < 5) {
      mail.attempts++
      if (guesses.length < 10) guesses.push(this.now)
    }
    this.guesses.set(mail.address, guesses)
    const edge = this.edge('mail', 'sent', 'enter the code', {
      'in another browser': !isAsked,
      'after too many attempts': tooMany,
      'the code is wrong': !right,
    })
    const target = this.kept(browser)
    const cookies = this.ambient(browser, target)
    const wrong = String((Number(mail.code) + 1) % 1_000_000).padStart(6, '0')
    const code = right ? mail.code : wrong
    await this.finishMail(browser, mail, edge, target, cookies, () =>
      browser.world.post('/auth/callback/email', { code }),
    )
  }

  async finishMail(
    browser: Browser,
    mail: Mail,
    edge: Edge,
    target: string,
    cookies: readonly string[],
    request: () => Promise<Response>,
  ): Promise<void> {
    // A token is gone once it was looked for, also when it is too old.
    if (edge.to === 'proven' || edge.on === 'press the button') {
      this.mailsStored.delete(mail)
      this.lookAtClaim(browser, mail.address)
    }
    mail.state = edge.to === 'proven' ? 'used' : edge.to
    if (edge.answer) {
      await this.judge(await request(), { answer: edge.answer, target, cookies, events: [] })
      return
    }
    const proof = { kind: 'address', email: mail.address } as const
    const decided = this.decide(browser, proof, target, cookies)
    const isRefused = this.denies() || decided.answer === 'signin?error=AccountNotLinked'
    const forgotten = browser.asked && !isRefused ? ['-email-request'] : []
    if (!isRefused) browser.asked = undefined
    await this.judge(await request(), {
      ...decided,
      cookies: [...decided.cookies, ...forgotten],
    })
  }

  async password(browser: Browser, who: string, right: boolean): Promise<void> {
    this.form(browser)
    const email = `${who}@example.com`
    const edge = this.edge('password', 'none', 'submit the form', {
      'the credentials are wrong': !right,
    })
    const target = this.kept(browser)
    const cookies = this.ambient(browser, target)
    const expected = edge.answer
      ? { answer: edge.answer, target, cookies, events: [] }
      : this.decide(browser, { kind: 'password', email }, target, cookies)
    const fields = { username: email, password: right ? PASSWORD : 'wrong' }
    await this.judge(await browser.world.post('/auth/callback/credentials', fields), expected)
  }

  async askForPasskey(
    browser: Browser,
    action: 'register' | 'sign in',
    address: string,
  ): Promise<void> {
    const current = this.signedIn(browser)
    const edge = this.edge('passkey', 'none', `request options to ${action}`, {
      'the address belongs to a user': current === undefined && this.users.has(address),
    })
    const { answer = never() } = edge
    const target = this.kept(browser)
    const cookies = this.ambient(browser, target)
    const params = action === 'register' ? { action, email: address } : { action: 'authenticate' }
    const path = `/auth/webauthn-options/passkey?${new URLSearchParams(params)}`
    const response = await browser.world.get(path)
    const drawn = edge.to !== 'none'
    await this.judge(response, {
      answer,
      target,
      events: [],
      cookies: drawn ? [...cookies, '+challenge'] : cookies,
    })
    if (!drawn) return
    const { options } = (await response.json()) as OptionsBody
    browser.challenge = {
      state: edge.to,
      drawnAt: this.now,
      options,
      address: current ?? address,
      begunBy: current,
    }
  }

  async usePasskey(browser: Browser, credential: Credential, rightly: boolean): Promise<void> {
    const { challenge } = browser
    const edge = this.edge('passkey', challenge?.state ?? 'none', 'sign in', {
      'with a wrong signature': !rightly,
      // Who is signed in is asked for their own passkeys.
      'with a passkey of another user than requested':
        challenge?.begunBy !== undefined && challenge.begunBy !== this.passkeys.get(credential),
    })
    const options = challenge?.options ?? { challenge: 'AAAA' }
    const data = this.authenticator.get(
      { challenge: options.challenge, rpId: 'app.example' },
      rightly ? {} : { challenge: 'bm90IHRoZSBvbmU' },
      credential,
    )
    const owner = this.passkeys.get(credential) ?? never()
    await this.finishPasskey(browser, edge, 'authenticate', data, { kind: 'passkey', owner })
  }

  async makePasskey(browser: Browser): Promise<void> {
    const { challenge } = browser
    const edge = this.edge('passkey', challenge?.state ?? 'none', 'register')
    const drawn = challenge?.state === 'challenge to register'
    const options = drawn
      ? challenge.options
      : { challenge: challenge?.options.challenge ?? 'AAAA', rp: { id: 'app.example' } }
    const data = this.authenticator.create(options)
    const credential = this.authenticator.credentials.at(-1) ?? never()
    const { address = '', begunBy } = challenge ?? {}
    const proof = { kind: 'new passkey', email: address, begunBy, credential } as const
    await this.finishPasskey(browser, edge, 'register', data, proof)
  }

  async finishPasskey(
    browser: Browser,
    edge: Edge,
    action: string,
    data: object,
    proof: Proof,
  ): Promise<void> {
    const target = this.kept(browser)
    const cookies = this.ambient(browser, target)
    if (browser.challenge) {
      cookies.push('-challenge')
      browser.challenge = undefined
    }
    const expected = edge.answer
      ? { answer: edge.answer, target, cookies, events: [] }
      : this.decide(browser, proof, target, cookies)
    await this.judge(await send(browser.world, action, data), expected)
  }

  async session(browser: Browser, on: 'read' | 'update' | 'sign out'): Promise<void> {
    if (on !== 'read') this.form(browser)
    const state = this.sessionState(browser)
    this.signedIn(browser)
    const edge = this.edge('session', state, on)
    const { answer = never(), events = [] } = edge
    // What the browser wanted before is no target of a sign-out.
    const target = on === 'sign out' ? ORIGIN : this.kept(browser)
    const cookies: string[] = on === 'sign out' ? this.ambient(browser, target) : []
    const { session } = browser
    if (session && edge.to === 'active') {
      const writes = state === 'renewal due' || (on === 'update' && this.strategy === 'jwt')
      if (writes) {
        cookies.push('+session-token')
        session.writtenAt = this.now
        if (session.row) session.row.endsAt = this.now + 30 * DAY
      }
    } else if (session) {
      cookies.push('-session-token')
      if (session.row) this.rows.delete(session.row)
      browser.session = undefined
    }
    const response =
      on === 'read'
        ? await browser.world.get('/auth/session')
        : await browser.world.post(on === 'update' ? '/auth/session' : '/auth/signout')
    await this.judge(response, { answer, target, events, cookies })
    if (answer === 'the session' || answer === 'null') {
      const body = (await response.json()) as { user?: { email?: string } } | null
      // What is sealed in a cookie keeps the address that it was sealed with.
      const email = this.strategy === 'jwt' ? session?.sealedEmail : session?.email
      const shown = email?.startsWith(RELEASED)
        ? expect.stringMatching(/@unproven\.invalid$/)
        : email
      expect(body?.user?.email).toEqual(answer === 'null' ? undefined : shown)
    }
  }

  /** A form's token is fetched before it is posted. */
  form(browser: Browser): void {
    this.ambient(browser, this.kept(browser))
  }

  // ── comparing ────────────────────────────────────────────────────────────────────────────

  /** Answers that were compared. */
  judged = 0

  async judge(response: Response, { answer, target, events, cookies }: Expectation): Promise<void> {
    this.judged++
    expect(await shown(response.clone(), target)).toBe(answer)
    expect(this.recorded.names()).toEqual(events)
    expect(cookiesOf(response)).toEqual([...cookies].sort())
    expect(this.stored).toEqual({
      sessions: this.rows.size,
      users: this.users.size,
      accounts: this.accounts.size,
      passkeys: this.passkeys.size,
      mails: this.mailsStored.size,
    })
  }

  // ── what happens next ────────────────────────────────────────────────────────────────────

  async step(): Promise<void> {
    const { random } = this
    const browser = random.one(this.browsers)
    const who = random.one(PEOPLE)
    const path = random.one(['/', '/inbox', '/settings?tab=2'])
    this.decision = random.chance(0.85)
      ? 'agrees'
      : random.one(['refuses', 'throws', 'sends elsewhere'])
    this.attempts = this.attempts.filter((each, at, all) => each.isKept || at >= all.length - 14)
    this.mails = this.mails.slice(-8)
    const deeds: readonly (readonly [weight: number, deed: () => Promise<void>])[] = [
      [8, async () => this.wait(random.one(WAITS))],
      [10, () => this.beginProvider(browser, random.one(['acme', 'op']), path)],
      [14, () => this.someAnswer(browser, who)],
      [7, () => this.askForMail(browser, random.chance(0.95) ? `${who}@example.com` : who, path)],
      [10, () => this.someMail(browser)],
      [3, () => this.password(browser, random.one(MEMBERS), random.chance(0.8))],
      [8, () => this.somePasskey(browser, `${who}@example.com`)],
      [6, () => this.session(browser, 'read')],
      [3, () => this.session(browser, 'update')],
      [5, () => this.session(browser, 'sign out')],
      [1, () => this.manyTabs(browser, path)],
      [1, () => this.guess(browser)],
    ]
    const total = deeds.reduce((sum, [weight]) => sum + weight, 0)
    let at = random.upTo(total)
    for (const [weight, deed] of deeds) {
      if (at < weight) return deed()
      at -= weight
    }
  }

  async someAnswer(browser: Browser, who: string): Promise<void> {
    const { random } = this
    const attempt = random.one(this.attempts)
    if (!attempt) return
    // Only what the browser has begun can be declined in the model; the rest is as for an agreement.
    const declined = attempt.state === 'started' && random.chance(0.15)
    const there = random.chance(0.85) ? attempt.browser : browser
    const nobody = !declined && random.chance(0.1)
    await this.answerProvider(
      there,
      attempt,
      nobody ? 'nobody' : who,
      declined ? 'return with an error' : 'return with a code',
    )
  }

  async someMail(browser: Browser): Promise<void> {
    const { random } = this
    const mail = random.one(this.mails)
    if (!mail) return
    const there = random.chance(0.7) ? mail.browser : browser
    if (mail.state !== 'sent') return this.openMail(there, mail, 'press the button')
    if (random.chance(0.4)) return this.openMail(there, mail, 'open the link')
    if (random.chance(0.4)) return this.openMail(there, mail, 'press the button')
    // A browser that asked for another mail has another code.
    if (there.asked === mail || !there.asked) return this.typeCode(there, mail, random.chance(0.6))
    return undefined
  }

  async guess(browser: Browser): Promise<void> {
    await this.askForMail(browser, 'eve@example.com', '/')
    const mail = browser.asked
    if (mail?.state !== 'sent') return
    for (let attempt = 0; attempt < 6; attempt++) await this.typeCode(browser, mail, false)
  }

  async manyTabs(browser: Browser, path: string): Promise<void> {
    for (let tab = 0; tab < 6; tab++) await this.beginProvider(browser, 'acme', path)
  }

  async somePasskey(browser: Browser, address: string): Promise<void> {
    const { random } = this
    const credential = random.one([...this.passkeys.keys()])
    if (!browser.challenge || random.chance(0.1)) {
      const action = random.one(['register', 'sign in'] as const)
      if (!browser.challenge && random.chance(0.1)) return this.makePasskey(browser)
      if (!browser.challenge && credential && random.chance(0.1)) {
        return this.usePasskey(browser, credential, true)
      }
      // Two who are new with one address: only one of them can be.
      const rival = this.browsers.find(
        ({ challenge }) => challenge?.state === 'challenge to register',
      )
      const wanted = rival?.challenge && random.chance(0.5) ? rival.challenge.address : address
      return this.askForPasskey(browser, action, wanted)
    }
    const registers = browser.challenge.state === 'challenge to register'
    if (registers === random.chance(0.85) || !credential) return this.makePasskey(browser)
    return this.usePasskey(browser, credential, random.chance(0.9))
  }
}

const WAITS = [20, 20, 70, 70, 70, 200, 200, 700, 1000, DAY + 70, DAY + 70, 31 * DAY]

/** Elliptic curves sign in a tenth of the time. */
const FAST: Misbehaviour = {
  metadata: { id_token_signing_alg_values_supported: ['ES256'] },
  signWith: () => key('walk', 'ES256'),
}

const SILENT = {
  'the `signIn` callback refuses': false,
  'the `signIn` callback throws': false,
  'the `signIn` callback returns a URL': false,
}

function joined(proof: Proof, current: string | undefined): string {
  if (proof.kind === 'passkey') return proof.owner
  if (proof.kind === 'password' || proof.kind === 'address') return proof.email
  return current ?? proof.email
}

function acmeAnswer(url: URL, who: string): URLSearchParams {
  return new URLSearchParams({ code: who, state: url.searchParams.get('state') ?? '' })
}

/** What the visitor sees, in the words of the model. */
async function shown(response: Response, target: string): Promise<Answer> {
  if (response.status === 400) return '400'
  if (response.headers.get('content-type')?.startsWith('text/html')) return 'a page with a button'
  if (response.status === 200) {
    const body = (await response.json()) as object | null
    if (body === null) return 'null'
    return 'options' in body ? 'options' : 'the session'
  }
  const location = response.headers.get('location') ?? ''
  if (location === target) return 'the target'
  const { origin, pathname, searchParams } = new URL(location)
  if (origin !== ORIGIN) return 'the provider'
  if (pathname === '/elsewhere') return 'the URL of the callback'
  const error = searchParams.get('error')
  const page = pathname.replace('/auth/', '')
  return (error === null ? page : `${page}?error=${error}`) as Answer
}

/** Names of the cookies that were set and cleared, without prefixes. */
function cookiesOf(response: Response): string[] {
  return (
    response.headers
      .getSetCookie()
      .map((line) => {
        const name = line.slice(0, line.indexOf('='))
        const plain = name.replace(/^__(?:Secure|Host)-/, '').replace(/^(?:authjs|latchkey)\./, '')
        const sign = /; Max-Age=0(?:;|$)/.test(line) ? '-' : '+'
        return sign + plain.replace(/^sign-in\..*/, 'sign-in')
      })
      // A preference of the browser, which decides nothing.
      .filter((name) => name !== '+last-used')
      .sort()
  )
}

function never(): never {
  throw new Error('the model contradicts itself')
}
