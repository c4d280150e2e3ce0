import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { World } from '../../src/entries/testing.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { authenticate, register } from '../support/passkeys.ts'
import {
  createFaultSite,
  type FaultSite,
  PASSPHRASE,
  SECRETS,
  type Setting,
} from './support/fault-site.ts'
import { createFaults, type Fault, type Faults } from './support/faults.ts'
import { approve, errorOf, locationOf, providerSignIn } from './support/site.ts'

// Each way through the site is gone once while the calls out of the core are counted: of the adapter,
// of the network, of what the application and its providers are asked, of the log, the clock and the
// dice. Then it is gone again for each of them and each way in which it can fail. The rule:
//
// - no answer that refuses sets a session, and no answer but the last one does;
// - a session that is set is that of who was proven, and everything else that belongs to the sign-in
//   has happened, too; which failing calls it may follow is written down in `harmless` and `decisive`;
// - the store has no user without account, no account without user and no passkey without account;
// - no secret is told to the log or shown;
// - nothing is thrown out of `Auth`, and no promise is left without a handler;
// - whoever was refused is signed in at the next attempt.

/** A way through the site, from its beginning. */
interface Flow {
  /** Who is signed in at its end. */
  readonly who: string | undefined
  /** Who the application may take them for, if it does not know who is signed in already. */
  readonly alone?: string
  readonly config?: Partial<AuthConfig> & { origin?: string }
  /** What a store without transactions refuses at start. */
  readonly needsTransactions?: boolean
  /** What happened before, and cannot fail any more. */
  readonly before?: (site: FaultSite, world: World) => Promise<unknown>
  /** @returns the answers, of which the last one ends it. */
  readonly walk: (site: FaultSite, world: World) => Promise<Response[]>
  /** Another way in of the same person, where this one is over. */
  readonly orElse?: (site: FaultSite, world: World) => Promise<unknown>
  /** Did it come to its end? @default a session was set */
  readonly ended?: (last: Response) => boolean
}

const password = (world: World): Promise<Response> =>
  world.post('/auth/callback/credentials', { username: 'ada', password: PASSPHRASE })

async function byProvider(world: World, id: string, subject = 'carol'): Promise<Response[]> {
  const begun = await world.post(`/auth/signin/${id}`, { callbackUrl: '/inbox' })
  if (!locationOf(begun).includes('/authorize?')) return [begun]
  return [begun, await world.get(approve(begun, subject))]
}

async function askForMail({ mails }: FaultSite, world: World): Promise<Response[]> {
  mails.splice(0)
  return [await world.post('/auth/signin/email', { email: 'Erin@example.com' })]
}

function linkOf({ mails }: FaultSite): string {
  const { pathname, search } = new URL(mails.at(-1)?.url ?? 'https://app.example/no-mail')
  return pathname + search
}

async function pressButton(site: FaultSite, world: World): Promise<Response[]> {
  const page = await world.get(linkOf(site))
  const csrfToken = /name="csrfToken" value="([^"]*)"/.exec(await page.text())?.[1] ?? ''
  return [page, await world.postWithoutCsrf(linkOf(site), { csrfToken })]
}

const PROXY = 'https://proxy.example'
const proxies = new WeakMap<FaultSite, FaultSite>()

async function throughProxy(site: FaultSite, world: World): Promise<Response[]> {
  const proxy = proxies.get(site)
  const begun = await world.post('/auth/signin/acme')
  if (!proxy || !locationOf(begun).includes('/authorize?')) return [begun]
  const handedOver = await proxy.world.get(approve(begun, 'carol'))
  const { origin, pathname, search } = new URL(locationOf(handedOver), PROXY)
  if (origin === PROXY) return [begun, handedOver]
  return [begun, handedOver, await world.get(pathname + search)]
}

const signIns: Readonly<Record<string, Flow>> = {
  'a first sign-in with OAuth': {
    who: 'carol@example.com',
    walk: (_, world) => byProvider(world, 'acme'),
  },
  'a first sign-in with OpenID Connect': {
    who: 'carol@corp.example',
    walk: (_, world) => byProvider(world, 'corp'),
  },
  'a first sign-in with requests of the provider': {
    who: 'dora@example.com',
    walk: (_, world) => byProvider(world, 'own', 'dora'),
  },
  'a later sign-in with OAuth': {
    who: 'carol@example.com',
    before: (_, world) => providerSignIn(world.otherBrowser(), 'acme'),
    walk: (_, world) => byProvider(world, 'acme'),
  },
  'linking with OAuth': {
    who: 'ada@example.com',
    alone: 'carol@example.com',
    before: (_, world) => password(world),
    walk: (_, world) => byProvider(world, 'acme'),
  },
  'a sign-in through a redirect proxy': {
    who: 'carol@example.com',
    config: { origin: 'https://preview.example', redirectProxyUrl: `${PROXY}/auth` },
    async before(site) {
      const { faults, setting } = site
      const config = { origin: PROXY, redirectProxyUrl: `${PROXY}/auth` }
      proxies.set(site, await createFaultSite(faults, setting, config))
    },
    walk: throughProxy,
  },
  'asking for a mail': {
    who: undefined,
    walk: askForMail,
    ended: (last) => locationOf(last).includes('/auth/verify-request'),
  },
  'the link of a mail': {
    who: 'erin@example.com',
    before: askForMail,
    walk: async (site, world) => [await world.get(linkOf(site))],
  },
  'the link of a mail in another browser': {
    who: 'erin@example.com',
    before: (site, world) => askForMail(site, world.otherBrowser()),
    walk: pressButton,
  },
  'the code of a mail': {
    who: 'erin@example.com',
    needsTransactions: true,
    before: askForMail,
    walk: async ({ mails }, world) => [
      await world.post('/auth/callback/email', { code: mails.at(-1)?.code ?? '' }),
    ],
  },
  'a password': { who: 'ada@example.com', walk: async (_, world) => [await password(world)] },
  'a new passkey of a new user': {
    who: 'frank@example.com',
    walk: async ({ authenticator }, world) => [
      await register(world, authenticator, 'frank@example.com'),
    ],
    orElse: ({ authenticator }, world) => authenticate(world, authenticator),
  },
  'a new passkey of somebody signed in': {
    who: 'ada@example.com',
    before: (_, world) => password(world),
    walk: async ({ authenticator }, world) => [await register(world, authenticator)],
  },
  'a passkey': {
    who: 'frank@example.com',
    before: async ({ authenticator }, world) =>
      authenticator.credentials.length > 0 ||
      (await register(world.otherBrowser(), authenticator, 'frank@example.com')),
    walk: async ({ authenticator }, world) => [await authenticate(world, authenticator)],
  },
}

/** What else a visitor does who is signed in; none of it signs anybody in. */
const visits: Readonly<Record<string, Flow>> = Object.fromEntries(
  Object.entries({
    'reading the session': (world: World) => world.get('/auth/session'),
    'updating the session': (world: World) => world.post('/auth/session', { data: '{}' }),
    'signing out': (world: World) => world.post('/auth/signout'),
    'asking for a CSRF token': (world: World) => world.otherBrowser().get('/auth/csrf'),
    'asking for the providers': (world: World) => world.otherBrowser().get('/auth/providers'),
    'opening the sign-in page': (world: World) => world.otherBrowser().get('/auth/signin'),
    'opening the sign-out page': (world: World) => world.otherBrowser().get('/auth/signout'),
    'opening the error page': (world: World) => world.otherBrowser().get('/auth/error'),
    'opening the page after a mail': (world: World) =>
      world.otherBrowser().get('/auth/verify-request'),
    'asking for options of a passkey': (world: World) =>
      world.get('/auth/webauthn-options/passkey?action=register'),
  }).map(([name, ask]): [string, Flow] => [
    name,
    {
      who: name === 'signing out' ? undefined : 'ada@example.com',
      before: async (_, world) => {
        await password(world)
        // Then the session is due to be extended.
        world.advance(2 * 24 * 60 * 60)
      },
      walk: async (_, world) => [await ask(world)],
    },
  ]),
)

type Row = readonly [call: RegExp, fault: RegExp, why: string]

/** What may fail while the same person is signed in and everything else happens. */
const harmless: readonly Row[] = [
  [/^events\./, /./, 'is told of what has happened'],
  [/^logger\./, /./, 'the console is told'],
  [/^redirect$/, /^answers/, 'the site itself is a target, too'],
  [/^signIn$/, /an object$/, 'whatever is neither no nor a target is a yes'],
  [/^account$/, /^answers/, 'no token is stored'],
  [/^supplement$/, /./, 'adds what nobody is known by'],
  [/^token\.conform$/, /(?:nothing|null)$/, 'the answer is left as it is'],
  [/^sendVerificationRequest$/, /^answers/, 'says nothing'],
  [/^fetch$/, /as a page$/, 'a profile or a key set is JSON whatever it is called'],
  [/^generateSessionToken$/, /a text$/, 'is the token'],
  [/^(?:adapter|atomic)\.(?!get|list|useV|count)/, /^answers/, 'has happened'],
  [/^adapter\.get/, /^answers/, 'is somebody whom the store does not know'],
  [
    /^adapter\.|^atomic\.(?:transaction|updateAccount)/,
    /throws|rejects/,
    'is looked at again: was somebody faster?',
  ],
]

/** What says who somebody is: another answer of it makes it somebody else, or nobody. */
const decisive: readonly Row[] = [
  [/^(?:encode|decode|jwt|authorize)$/, /^answers/, 'says whose session it is'],
  [/^adapter\.get(?:User|SessionAndUser)$/, /(?:nothing|null)$/, 'says that nobody is signed in'],
]

const isIn = (table: readonly Row[], call: string, fault: string): boolean =>
  table.some(([calls, faults]) => calls.test(call) && faults.test(fault))

// ── time, and what nobody caught ───────────────────────────────────────────────────────────────

const timers = new Set<AbortController>()
const unhandled: unknown[] = []
const noteUnhandled = (reason: unknown): void => void unhandled.push(reason)
const wholeTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function timeUp(): void {
  for (const timer of timers) timer.abort(new DOMException('too late', 'TimeoutError'))
  timers.clear()
}

function watch(): void {
  process.on('unhandledRejection', noteUnhandled)
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    expect(milliseconds).toBeLessThanOrEqual(10_000)
    const timer = new AbortController()
    timers.add(timer)
    return timer.signal
  })
}

function unwatch(): void {
  process.off('unhandledRejection', noteUnhandled)
  vi.restoreAllMocks()
  timers.clear()
}

// ── one run ────────────────────────────────────────────────────────────────────────────────────

interface Walked {
  readonly site: FaultSite
  readonly world: World
  readonly answers: readonly Response[]
  readonly effects: readonly string[]
  readonly events: readonly string[]
  /** Who is signed in afterwards, when everything works again. */
  readonly who: unknown
}

async function walkOnce(
  faults: Faults,
  flow: Flow,
  setting: Setting,
  at?: number,
  fault?: Fault,
): Promise<Walked> {
  const site = await createFaultSite(faults, setting, flow.config)
  const { world } = site
  await flow.before?.(site, world)
  site.effects()
  faults.begin(at, fault)
  // A browser goes no further where it is not told how.
  const answers = await flow.walk(site, world).catch((): Response[] => [])
  faults.end()
  await wholeTurn()
  const events = faults.calls.map((call) => call.name).filter((name) => name.startsWith('events.'))
  return { site, world, answers, effects: site.effects(), events, who: await whoIs(world) }
}

async function whoIs(world: World): Promise<unknown> {
  return (await world.session())?.user?.['email']
}

function setsSession(answer: Response): boolean {
  return answer.headers
    .getSetCookie()
    .some((cookie) => /session-token=[^;]/.test(cookie) && !/max-age=0/i.test(cookie))
}

const isRefusal = (answer: Response): boolean => answer.status >= 400 || errorOf(answer) !== null

/** T-AUD-1: the secrets that the log was told, or that the answer shows. */
async function leaksOf({ site, answers }: Walked): Promise<string[]> {
  const log = site.logged()
  const last = answers.at(-1)
  const shown = last && !last.bodyUsed ? `${locationOf(last)} ${await last.clone().text()}` : ''
  return [
    ...site
      .secrets()
      .filter((secret) => log.includes(secret))
      .map((secret) => `logs ${secret}`),
    ...SECRETS.filter((secret) => shown.includes(secret)).map((secret) => `shows ${secret}`),
  ]
}

/** Where the rule is broken. */
async function judge(
  flow: Flow,
  right: Walked,
  walked: Walked,
  call: string,
  fault: string,
): Promise<string[]> {
  const { site, world, answers, effects, events, who } = walked
  const { ended = setsSession } = flow
  const last = answers.at(-1)
  const wrong = site.thrown.map((error) => `out of Auth: ${String(error)}`)
  for (const reason of unhandled.splice(0)) wrong.push(`unhandled: ${String(reason)}`)
  wrong.push(...(await leaksOf(walked)))
  for (const orphan of await site.orphans()) wrong.push(`left behind: ${orphan}`)
  const early = answers.filter(
    (answer) => setsSession(answer) && (isRefusal(answer) || answer !== last),
  )
  if (early.length > 0) wrong.push('a session, and a refusal')

  const isDecisive = isIn(decisive, call, fault)
  const possible = [undefined, flow.who, ...(isDecisive ? [flow.alone] : [])]
  if (!possible.includes(who as string)) wrong.push(`signed in: ${String(who)}`)
  if (last && ended(last)) {
    if (!isDecisive && !isIn(harmless, call, fault)) wrong.push('came to its end')
    if (!isDecisive && who !== flow.who) wrong.push('a session of nobody')
    if (!isDecisive && effects.join() !== right.effects.join()) wrong.push(`did ${effects.join()}`)
    // Whoever finds what a write left behind that failed cannot know that it is new.
    const isTold = events.join() === right.events.join() || fault === 'is done and rejects'
    if (!isDecisive && !isTold) wrong.push(`told ${events.join()}`)
  } else if (flow.who !== undefined && !(await canRetry(flow, site, world))) {
    wrong.push('locked out')
  }
  return wrong
}

/** Who is signed in stays so, or is signed out because they asked or because the answer says so. */
async function judgeVisit(
  flow: Flow,
  _right: Walked,
  walked: Walked,
  call: string,
  fault: string,
): Promise<string[]> {
  const { site, answers, who } = walked
  const wrong = site.thrown.map((error) => `out of Auth: ${String(error)}`)
  for (const reason of unhandled.splice(0)) wrong.push(`unhandled: ${String(reason)}`)
  wrong.push(...(await leaksOf(walked)))
  const [answer] = answers
  const hasGone = answer && !isRefusal(answer)
  if (who !== undefined && who !== 'ada@example.com') wrong.push(`signed in: ${String(who)}`)
  if (!isIn(decisive, call, fault)) {
    if (who === undefined && flow.who !== undefined) wrong.push('signed out')
    if (who !== undefined && flow.who === undefined && hasGone) wrong.push('not signed out')
  }
  const shown = await answer?.text()
  if (call !== 'session' && shown?.includes('out of order')) wrong.push('shows the error')
  return wrong
}

async function canRetry(flow: Flow, site: FaultSite, world: World): Promise<boolean> {
  const again = world.otherBrowser()
  await flow.before?.(site, again)
  await flow.walk(site, again).catch(() => [])
  if ((await whoIs(again)) === flow.who) return true
  const other = world.otherBrowser()
  await flow.orElse?.(site, other)
  return (await whoIs(other)) === flow.who
}

/** The others are the same whatever the sessions and the store are. */
const DEPENDENT = /^(?:adapter|atomic|encode|decode|jwt|session|generateSessionToken)/

const settings: readonly Setting[] = [
  { strategy: 'database', transactions: true },
  { strategy: 'jwt', transactions: false },
]

/** Goes a way once for each call and each of its faults. @returns where the rule is broken. */
async function failEach(flow: Flow, setting: Setting, judged: typeof judge): Promise<string[]> {
  const faults = createFaults(timeUp)
  const right = await walkOnce(faults, flow, setting)
  expect([right.who, right.answers.filter(isRefusal)]).toEqual([flow.who, []])
  const calls = [...faults.calls]
  const wrong: string[] = []
  for (const [at, call] of calls.entries()) {
    if (setting !== settings[0] && !DEPENDENT.test(call.name)) continue
    for (const fault of call.faults) {
      const walked = await walkOnce(faults, flow, setting, at, fault)
      const found = await judged(flow, right, walked, call.name, fault.name)
      wrong.push(...found.map((what) => `${at}. ${call.name} ${fault.name}: ${what}`))
    }
  }
  return wrong
}

describe.each(settings)(
  'T-FLOW-3, T-AUD-1: with $strategy sessions and transactions: $transactions, one call fails in',
  (setting) => {
    beforeEach(watch)
    afterEach(unwatch)

    const possible = Object.entries(signIns).filter(
      ([, { needsTransactions }]) => setting.transactions || !needsTransactions,
    )
    test.for(possible)('%s', { timeout: 120_000 }, async ([, flow]) => {
      expect(await failEach(flow, setting, judge)).toEqual([])
    })
  },
)

describe.each(settings)(
  'T-FLOW-3, T-AUD-1: with $strategy sessions and transactions: $transactions, one call fails while',
  (setting) => {
    beforeEach(watch)
    afterEach(unwatch)

    test.for(Object.entries(visits))('%s', { timeout: 120_000 }, async ([, flow]) => {
      expect(await failEach(flow, setting, judgeVisit)).toEqual([])
    })
  },
)
