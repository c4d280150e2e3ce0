import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { definePlugin } from '../../../src/entries/plugin.ts'
import type { World } from '../../../src/entries/testing.ts'
import { emailCode } from '../../../src/plugins/email-code/index.ts'
import { usernames } from '../../../src/plugins/usernames/index.ts'
import { type Dice, dice } from '../../support/dice.ts'
import { type App, type TwoFactorSite, twoFactorSite } from '../../support/two-factor-site.ts'

const ADDRESSES = ['ada@example.com', 'bob@example.com', 'carol@example.com'] as const
const PASSWORDS = [
  'correct horse battery staple',
  'another rather long password',
  'something quite different again',
] as const
const NAMES = ['ada', 'bob', 'lovelace'] as const

const MINUTE = 60
/** Seconds. */
const RESEND = 60
const CODE_AGE = 10 * MINUTE
const RESET_AGE = 30 * MINUTE
const RECOVERY_SHOWN = 10 * MINUTE
const SIGN_UP_AGE = 24 * 60 * MINUTE
const PENDING_AGE = 10 * MINUTE
const FRESH = 10 * MINUTE
/** Guesses of one code. */
const MOST_TRIES = 5

/** What the model knows about a person. */
interface Person {
  password: string | undefined
  /** Grows with each new password, with which links to choose one end. */
  rev: number
  name: string | undefined
  app: App | undefined
}

/** A sign-up whose address is not proved. */
interface SignUp {
  readonly flow: string
  readonly password: string
  readonly code: string
  readonly link: string
  /** The address had an account when it began, so that no code is right. */
  readonly isExisting: boolean
  readonly sentAt: number
  tries: number
}

interface Code {
  readonly address: string
  readonly code: string
  readonly at: number
  tries: number
}

/** A step that goes on in a browser. */
interface Kept {
  readonly kind: 'sign-up' | 'link' | 'code' | 'forgot' | 'recovery codes'
  readonly until: number
  /** Of a sign-up. */
  readonly began?: { readonly flow: string; readonly address: string }
}

/** A browser keeps five steps, and the oldest is dropped first. */
const MOST_KEPT = 5
/** Seconds that a sealed value is accepted for after its end. */
const TOLERANCE = 15

interface Browser {
  readonly world: World
  /** Who is signed in, and when they proved it; `secondAt`: with a second factor. */
  session: { readonly address: string; readonly at: number; readonly secondAt?: number } | undefined
  /** The cookies of steps that go on, the newest first. */
  kept: Kept[]
  code: Code | undefined
  /** A sign-in that waits for the second factor. */
  pending: { readonly address: string; readonly at: number } | undefined
}

interface Reset {
  readonly address: string
  readonly token: string
  readonly rev: number
  readonly at: number
  isUsed: boolean
}

type Step = (walk: AccountWalk) => Promise<string>

/** Stands for the plugin `limits`: what is limited has tests of its own. */
const unlimited = definePlugin({
  name: 'limits',
  provides: ['limiter'],
  setUp: () => ({ provides: { limiter: { count: async () => ({ allowed: true }) } } }),
})

/** A site with accounts, three browsers, and what must be true of them. */
export class AccountWalk {
  readonly site: TwoFactorSite
  readonly dice: Dice
  readonly browsers: readonly Browser[]
  readonly people: Map<string, Person> = new Map()
  readonly signUps: Map<string, SignUp> = new Map()
  readonly resets: Reset[] = []
  /** How often each step had each end. */
  readonly taken: Map<string, number>

  constructor(seed: number, taken: Map<string, number>) {
    this.taken = taken
    this.dice = dice(seed)
    this.site = twoFactorSite(
      { limits: false },
      {
        plugins: [
          emailCode({ limits: false, perAddress: { limit: 100, window: 3600 } }),
          usernames(),
          unlimited,
        ],
      },
      { seed },
      { limits: false },
    )
    const { world } = this.site
    this.browsers = [world, world.otherBrowser(), world.otherBrowser()].map((each) => ({
      world: each,
      session: undefined,
      kept: [],
      code: undefined,
      pending: undefined,
    }))
  }

  /** Seconds. */
  get now(): number {
    return this.site.world.now() / 1000
  }

  get browser(): Browser {
    return this.dice.one(this.browsers)
  }

  address(): string {
    return this.dice.one(ADDRESSES)
  }

  password(): string {
    return this.dice.one(PASSWORDS)
  }

  keep(browser: Browser, kept: Kept): void {
    const open = browser.kept.filter(({ until }) => until + TOLERANCE > this.now)
    browser.kept = [kept, ...open.slice(0, MOST_KEPT - 1)]
  }

  /** The sign-up that began in a browser last. */
  beganIn(browser: Browser): Kept['began'] {
    return browser.kept.find(({ kind, until }) => kind === 'sign-up' && until > this.now)?.began
  }

  async send(
    { world }: Browser,
    path: string,
    fields: object = {},
  ): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }> {
    const response = await this.site.json(path, fields, world)
    const text = await response.text()
    const body = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {}
    return { status: response.status, body }
  }

  /** The newest mail to an address since the last step that matches. */
  async mailed(address: string, pattern: RegExp): Promise<RegExpExecArray> {
    for (let waits = 0; waits < 30_000; waits++) {
      for (const { to, text } of this.site.mails.toReversed()) {
        const found = to === address ? pattern.exec(text) : null
        if (found) return found
      }
      await pause(1)
    }
    throw new Error(`no mail to ${address} matches ${String(pattern)}`)
  }

  /** Ends the sessions of a person, and the sign-ins that wait for a second factor. */
  endSessions(address: string, except?: Browser): void {
    for (const browser of this.browsers) {
      if (browser !== except && browser.session?.address === address) browser.session = undefined
      if (browser.pending?.address === address) browser.pending = undefined
    }
  }

  /** What follows a right proof with one factor. @returns how it ended */
  proved(browser: Browser, address: string, body: Readonly<Record<string, unknown>>): string {
    const person = this.people.get(address)
    if (!person?.app) {
      expect(body).toMatchObject({ status: 'signed_in' })
      browser.session = { address, at: this.now }
      browser.pending = undefined
      return 'signed in'
    }
    expect(body).toMatchObject({ status: 'second_factor_required' })
    browser.pending = { address, at: this.now }
    return 'waits for the second factor'
  }

  async step(): Promise<void> {
    const [name, step] = this.dice.one(STEPS)
    this.site.mails.length = 0
    // Of two steps in one moment, nobody could say which is the newer one.
    this.site.world.advance(1)
    const end = await step(this)
    const took = `${name}: ${end}`
    this.taken.set(took, (this.taken.get(took) ?? 0) + 1)
    for (const [at, browser] of this.browsers.entries()) {
      const session = await browser.world.session()
      const email = session?.user?.['email']
      expect([took, at, email]).toEqual([took, at, browser.session?.address])
    }
    // Nobody who has no account gets a link to choose a password.
    for (const { to, text } of this.site.mails)
      if (text.includes('/password/reset?')) expect([...this.people.keys()]).toContain(to)
  }
}

function end(browser: Browser, ...kinds: readonly Kept['kind'][]): void {
  browser.kept = browser.kept.filter(({ kind }) => !kinds.includes(kind))
}

const signUp: Step = async (walk) => {
  const { browser } = walk
  const [email, password] = [walk.address(), walk.password()]
  const { status, body } = await walk.send(browser, 'password/sign-up', { email, password })
  expect(status).toBe(202)
  const flow = String(body['flow'])
  const began = { flow, address: email }
  walk.keep(browser, { kind: 'sign-up', until: walk.now + SIGN_UP_AGE, began })
  const before = walk.signUps.get(email)
  if (before && walk.now - before.sentAt < RESEND) return 'too soon for another mail'
  const isExisting = walk.people.has(email)
  const common = { flow, password, isExisting, sentAt: walk.now, tries: 0 }
  if (isExisting) {
    await walk.mailed(email, /already/i)
    walk.signUps.set(email, { ...common, code: '', link: '' })
    return 'has an account'
  }
  const [code] = await walk.mailed(email, /\b\d{6}\b/)
  const [, link = ''] = await walk.mailed(
    email,
    /https:\/\/app\.example(\/auth\/password\/verify\?\S*)/,
  )
  walk.signUps.set(email, { ...common, code, link })
  return 'mailed'
}

/** Creates the person of a sign-up that was proved. */
function finish(walk: AccountWalk, browser: Browser, address: string, password: string): void {
  walk.people.set(address, { password, rev: 1, name: undefined, app: undefined })
  browser.session = { address, at: walk.now }
  end(browser, 'sign-up', 'link')
  browser.pending = undefined
}

const verify: Step = async (walk) => typeSignUpCode(walk, walk.browser, walk.dice.chance(0.7))

const guessSignUpCode: Step = async (walk) => {
  const { browser } = walk
  for (let guess = 0; guess <= MOST_TRIES; guess++) await typeSignUpCode(walk, browser, false)
  return typeSignUpCode(walk, browser, true)
}

async function typeSignUpCode(
  walk: AccountWalk,
  browser: Browser,
  isMeant: boolean,
): Promise<string> {
  const began = walk.beganIn(browser)
  const signUp = began && walk.signUps.get(began.address)
  const isOwn = signUp !== undefined && signUp.flow === began?.flow
  const code = isMeant && signUp?.code ? signUp.code : '000000'
  const { status } = await walk.send(browser, 'password/verify', { code })
  if (!isOwn) {
    expect(status).toBe(400)
    return 'of nothing that began here'
  }
  const isTried = signUp.tries < MOST_TRIES
  if (isTried) signUp.tries++
  if (!isTried || signUp.isExisting || code !== signUp.code) {
    expect(status).toBe(400)
    return isTried ? 'wrong' : 'too many tries'
  }
  const { address } = began as { address: string }
  walk.signUps.delete(address)
  if (walk.people.has(address)) {
    expect(status).toBe(400)
    return 'the address has an account by now'
  }
  expect(status).toBe(200)
  finish(walk, browser, address, signUp.password)
  return 'done'
}

const openLink: Step = async (walk) => {
  const { browser } = walk
  const address = walk.address()
  const signUp = walk.signUps.get(address)
  if (!signUp?.link) return 'no link'
  const opened = await browser.world.get(signUp.link)
  expect(opened.status).toBe(303)
  walk.keep(browser, { kind: 'link', until: walk.now + RESET_AGE })
  const began = walk.beganIn(browser)
  const isHere = began?.flow === signUp.flow && began.address === address
  const password = walk.password()
  const { status } = await walk.send(
    browser,
    'password/verify',
    walk.dice.chance(0.5) && !isHere ? { password } : isHere ? {} : { password: '' },
  )
  if (status === 422) {
    // Elsewhere, a password must be chosen there; the link stays.
    expect(isHere).toBe(false)
    await browser.world.get('/auth/signin')
    return 'asks for a password'
  }
  walk.signUps.delete(address)
  if (walk.people.has(address)) {
    expect(status).toBe(400)
    return 'the address has an account by now'
  }
  expect(status).toBe(200)
  finish(walk, browser, address, isHere ? signUp.password : password)
  return isHere ? 'done where it began' : 'done elsewhere, with another password'
}

const signIn: Step = async (walk) => {
  const { browser } = walk
  const address = walk.address()
  const person = walk.people.get(address)
  const isByName = walk.dice.chance(0.3)
  const identifier = isByName ? walk.dice.one(NAMES) : address.toUpperCase()
  const [owner, found] = isByName
    ? ([...walk.people].find(([, { name }]) => name === identifier) ?? [])
    : [address, person]
  const password =
    walk.dice.chance(0.7) && found?.password !== undefined ? found.password : walk.password()
  const { status, body } = await walk.send(browser, 'password/sign-in', { identifier, password })
  if (!owner || found?.password !== password) {
    expect(status).toBe(401)
    expect(body).toMatchObject({ code: 'invalid_credentials' })
    return 'refused'
  }
  expect(status).toBe(200)
  return walk.proved(browser, owner, body)
}

const forgot: Step = async (walk) => {
  const { browser } = walk
  const address = walk.address()
  const { status } = await walk.send(browser, 'password/forgot', { identifier: address })
  expect(status).toBe(202)
  walk.keep(browser, { kind: 'forgot', until: walk.now + RESET_AGE })
  const person = walk.people.get(address)
  if (!person) return 'nobody'
  const [, token = ''] = await walk.mailed(address, /password\/reset\?token=([\w-]+)/)
  walk.resets.push({ address, token, rev: person.rev, at: walk.now, isUsed: false })
  if (walk.resets.length > 6) walk.resets.shift()
  return 'mailed'
}

const reset: Step = async (walk) => {
  if (walk.resets.length === 0) return 'no link'
  const link = walk.dice.one(walk.resets)
  const password = walk.password()
  const { status } = await walk.send(walk.browser, 'password/reset', {
    token: link.token,
    password,
  })
  const person = walk.people.get(link.address)
  const isOpen = !link.isUsed && person?.rev === link.rev && walk.now - link.at < RESET_AGE
  if (!isOpen) {
    expect(status).toBe(400)
    return 'dead'
  }
  expect(status).toBe(200)
  link.isUsed = true
  Object.assign(person, { password, rev: person.rev + 1 })
  walk.endSessions(link.address)
  return 'done'
}

const change: Step = async (walk) => {
  const { browser } = walk
  const { session } = browser
  const person = session && walk.people.get(session.address)
  const current =
    walk.dice.chance(0.7) && person?.password !== undefined ? person.password : walk.password()
  const password = walk.password()
  const { status } = await walk.send(browser, 'password/change', { current, password })
  if (!session || !person) {
    expect(status).toBe(401)
    return 'nobody is signed in'
  }
  if (person.password === undefined || person.password !== current) {
    expect(status).toBe(401)
    return 'wrong'
  }
  if (password === current) {
    expect(status).toBe(422)
    return 'unchanged'
  }
  expect(status).toBe(200)
  Object.assign(person, { password, rev: person.rev + 1 })
  walk.endSessions(session.address, browser)
  browser.session = { ...session, at: walk.now }
  return 'done'
}

/** The code that was mailed, unless the browser dropped its step for newer ones. */
function codeOf({ code, kept }: Browser): Code | undefined {
  return kept.some(({ kind }) => kind === 'code') ? code : undefined
}

const askCode: Step = async (walk) => {
  const { browser } = walk
  const email = walk.address()
  const { status } = await walk.send(browser, 'email-code/send', { email })
  expect(status).toBe(202)
  const code = codeOf(browser)
  end(browser, 'code')
  walk.keep(browser, { kind: 'code', until: walk.now + CODE_AGE })
  const isSame = code?.address === email && walk.now - code.at < CODE_AGE
  if (isSame && walk.now - code.at < RESEND) return 'too soon for another mail'
  const [typed] = await walk.mailed(email, /\b\d{6}\b/)
  browser.code = { address: email, code: typed, at: walk.now, tries: 0 }
  return 'mailed'
}

const typeCode: Step = async (walk) => typeOneCode(walk, walk.browser, walk.dice.chance(0.6))

/** More guesses than a code has, and then the code itself. */
const guessCode: Step = async (walk) => {
  const { browser } = walk
  for (let guess = 0; guess <= MOST_TRIES; guess++) await typeOneCode(walk, browser, false)
  return typeOneCode(walk, browser, true)
}

async function typeOneCode(walk: AccountWalk, browser: Browser, isMeant: boolean): Promise<string> {
  const code = codeOf(browser)
  const isRight = code !== undefined && isMeant
  const typed = isRight ? code.code : code?.code === '000000' ? '000001' : '000000'
  const { status, body } = await walk.send(browser, 'email-code/verify', { code: typed })
  if (!code || walk.now - code.at >= CODE_AGE) {
    expect(status).toBe(400)
    browser.code = undefined
    return 'there is none'
  }
  if (code.tries >= MOST_TRIES) {
    expect(status).toBe(429)
    return 'too many tries'
  }
  code.tries++
  if (!isRight) {
    expect(status).toBe(400)
    return 'wrong'
  }
  expect(status).toBe(200)
  const { address } = code
  browser.code = undefined
  end(browser, 'code')
  if (!walk.people.has(address))
    walk.people.set(address, { password: undefined, rev: 0, name: undefined, app: undefined })
  return walk.proved(browser, address, body)
}

const chooseName: Step = async (walk) => {
  const { browser } = walk
  const { session } = browser
  const name = walk.dice.one(NAMES)
  const { status } = await walk.send(browser, 'usernames/set', { name })
  if (!session) {
    expect(status).toBe(401)
    return 'nobody is signed in'
  }
  const person = walk.people.get(session.address) as Person
  const isTaken = [...walk.people.values()].some((each) => each !== person && each.name === name)
  if (person.name !== undefined && person.name !== name) {
    // Within 30 days a name is not changed.
    expect(status).toBe(429)
    return 'too early'
  }
  expect(status).toBe(isTaken ? 409 : 200)
  if (!isTaken) person.name = name
  return isTaken ? 'taken' : 'done'
}

const enrol: Step = async (walk) => {
  const { browser } = walk
  const { session } = browser
  const person = session && walk.people.get(session.address)
  const begun = await walk.send(browser, 'two-factor/enrol-totp', { name: 'Phone' })
  if (!session || !person) {
    // A sign-in that waits for the second factor sets up none.
    expect([401, 403]).toContain(begun.status)
    return 'nobody is signed in'
  }
  if (person.app) return 'has one'
  if (walk.now - session.at > FRESH) {
    expect(begun.status).toBe(403)
    return 'the proof is too old'
  }
  expect(begun.status).toBe(200)
  const { id, secret } = begun.body as { id: string; secret: string }
  const app = walk.site.app(secret, id)
  const isWrong = walk.dice.chance(0.3)
  const code = isWrong ? '000000' : app.code()
  const done = await walk.send(browser, 'two-factor/confirm-totp', { id, code })
  if (isWrong) {
    expect(done.status).toBe(400)
    return 'wrong'
  }
  expect(done.status).toBe(200)
  person.app = app
  walk.keep(browser, { kind: 'recovery codes', until: walk.now + RECOVERY_SHOWN })
  walk.endSessions(session.address, browser)
  browser.session = { ...session, at: walk.now, secondAt: walk.now }
  return 'done'
}

const typeFactor: Step = async (walk) => {
  const { browser } = walk
  const { pending } = browser
  const app = pending && walk.people.get(pending.address)?.app
  const isRight = walk.dice.chance(0.7)
  // A code works once.
  walk.site.world.advance(31)
  const code = isRight && app ? app.code() : '000000'
  const { status, body } = await walk.send(browser, 'two-factor/verify', { method: 'totp', code })
  if (!pending || !app || walk.now - pending.at >= PENDING_AGE) {
    expect([400, 401, 403]).toContain(status)
    browser.pending = undefined
    return 'nothing waits'
  }
  if (!isRight) {
    expect(status).toBe(400)
    return 'wrong'
  }
  expect([status, body]).toMatchObject([200, { status: 'signed_in' }])
  browser.session = { address: pending.address, at: walk.now, secondAt: walk.now }
  browser.pending = undefined
  const again = await walk.send(browser, 'two-factor/verify', { method: 'totp', code })
  expect(again.status).not.toBe(200)
  return 'done'
}

const removeFactor: Step = async (walk) => {
  const { browser } = walk
  const { session } = browser
  const person = session && walk.people.get(session.address)
  const { status } = await walk.send(browser, 'two-factor/remove', { all: true })
  if (!session || !person) {
    expect([401, 403]).toContain(status)
    return 'nobody is signed in'
  }
  if (!person.app) {
    expect(status).not.toBe(500)
    return 'has none'
  }
  if (session.secondAt === undefined || walk.now - session.secondAt > FRESH) {
    expect(status).toBe(403)
    return 'the proof is too old'
  }
  expect(status).toBe(204)
  person.app = undefined
  walk.endSessions(session.address, browser)
  return 'done'
}

const signOut: Step = async (walk) => {
  const { browser } = walk
  await browser.world.post('/auth/signout', {})
  browser.session = undefined
  browser.pending = undefined
  return 'done'
}

const wait: Step = async (walk) => {
  walk.site.world.advance(walk.dice.one([20, RESEND + 1, RESEND + 1, CODE_AGE + 1, RESET_AGE + 1]))
  return 'done'
}

const STEPS: readonly (readonly [name: string, step: Step])[] = [
  ['sign up', signUp],
  ['sign up', signUp],
  ['type the code of a sign-up', verify],
  ['type the code of a sign-up', verify],
  ['open the link of a sign-up', openLink],
  ['sign in', signIn],
  ['sign in', signIn],
  ['ask for a new password', forgot],
  ['reset the password', reset],
  ['change the password', change],
  ['ask for a code', askCode],
  ['type a code', typeCode],
  ['type a code', typeCode],
  ['guess a code', guessCode],
  ['guess the code of a sign-up', guessSignUpCode],
  ['choose a user name', chooseName],
  ['set up a second factor', enrol],
  ['type the second factor', typeFactor],
  ['type the second factor', typeFactor],
  ['remove the second factor', removeFactor],
  ['sign out', signOut],
  ['wait', wait],
]
