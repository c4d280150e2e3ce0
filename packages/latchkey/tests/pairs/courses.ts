import type { World } from '../../src/testing/world.ts'
import { sealedByNextAuth4 } from '../support/next-auth-4.ts'
import type { Configuration } from './options.ts'
import { type Browser, DAY, HOUR, LIMIT, type Site, sessionsOf, tokensOf } from './site.ts'

/** Events, one after the other, and what must hold after each. */
export interface Course {
  /** Whether it says anything about a configuration. @default it does */
  readonly suits?: (choice: Configuration) => boolean
  play(site: Site): Promise<void>
}

const hasStore = ({ adapter }: Configuration): boolean => adapter !== 'none'
const hasSessions = ({ sessions }: Configuration): boolean => sessions === 'on'
/** Without the plugin `sessions`, a callback may leave out who the user is. */
const namesUser = ({ jwt, sessions }: Configuration): boolean =>
  jwt !== 'without sub' || sessions === 'on'
const hasTokens = ({ providerTokens }: Configuration): boolean => providerTokens !== 'off'

export const courses: Readonly<Record<string, Course>> = {
  'a visit every two days': {
    async play(site) {
      const browser = site.browser()
      await browser.signInAt('acme', 'carol')
      await expectSignedIn(browser, 'carol', site)
      const step = Math.min(2 * DAY, Math.floor(site.life / 2.5))
      const end = Math.min(site.absolute, 50 * DAY, 24 * step)
      for (let [age, visit] = [step, 1]; age < end; age += step, visit++) {
        site.advance(step)
        // The first deployment accepts both secrets; the old one is removed after the life of a session.
        if (site.choice.secret === 'rotated') {
          if (visit === 3) site.rotate()
          if (visit === 3 + Math.ceil(site.life / step)) site.rotate()
        }
        await expectSignedIn(browser, 'carol', site, `after ${age / HOUR} hours`)
        await expectListed(browser, 1, site)
        if (hasTokens(site.choice) && visit % 3 === 0) await expectToken(browser, site)
        if (visit % 5 === 0) await maintain(site)
        if (visit % 4 === 0) await expectQuiet(browser, site)
      }
      // Nobody comes until the session ends, nearly.
      if (end < site.absolute) {
        site.advance(site.life - 2 * 60)
        await expectSignedIn(browser, 'carol', site, 'shortly before the end')
        const kept = browser.copy()
        site.advance(site.life + 60)
        await expectNobody(kept, site, 'after the end')
        return
      }
      const kept = browser.copy()
      site.advance(step)
      await expectNobody(kept, site, 'after the absolute end')
    },
  },

  'sessions that are ended': {
    suits: hasSessions,
    async play(site) {
      const [first, second] = [site.browser(), site.browser()]
      await first.signIn('ada')
      site.advance(5)
      await second.signIn('ada')
      await expectSignedIn(first, 'ada', site)
      await expectSignedIn(second, 'ada', site)
      await expectListed(first, 2, site)
      const [here] = processesOf(site)
      const api = sessionsOf(here)
      const userId = await site.userId('ada')
      const { id } = await currentOf(second, here)
      await api.end({ userId, id })
      const copy = second.copy()
      await expectEnded(copy, site, 'ended')
      await expectSignedIn(first, 'ada', site)
      await expectListed(first, 1, site)
      // Each further sign-in of the user comes after the others.
      const others: Browser[] = [first]
      for (let i = 1; i <= LIMIT; i++) {
        site.advance(5)
        const other = site.browser()
        await other.signIn('ada')
        others.push(other)
      }
      const { limit } = site.choice
      if (limit === 'refuse') site.found.permit(/which is the limit/)
      const listed = await api.list({ userId })
      const most = limit === 'none' ? LIMIT + 1 : LIMIT
      check(listed.length === most, `${listed.length} sessions are listed, not ${most}`)
      const left =
        limit === 'evict' ? others.slice(1) : limit === 'refuse' ? others.slice(0, -1) : others
      const [one] = left
      if (limit === 'evict') await expectEnded(first.copy(), site, 'evicted')
      if (limit === 'refuse')
        check((await others.at(-1)?.who()) === null, 'a refused sign-in works')
      for (const each of left) await expectSignedIn(each, 'ada', site)
      await api.endAll({ userId })
      for (const each of left) await expectEnded(each.copy(), site, 'ended with all others')
      if (one) check((await api.list({ userId })).length === 0, 'ended sessions are listed')
    },
  },

  'sign-out, and another user in the same browser': {
    async play(site) {
      const browser = site.browser()
      await browser.signInAt('corp', 'carol')
      await expectSignedIn(browser, 'carol', site)
      await browser.signInAt('acme', 'dave')
      // With a store, a sign-in in a browser that is signed in links an account.
      const isLinked = hasStore(site.choice) && (await browser.who()) === 'carol@example.com'
      if (namesUser(site.choice)) check(isLinked === hasStore(site.choice), 'no account was linked')
      const who = isLinked ? 'carol' : 'dave'
      await expectSignedIn(browser, who, site)
      if (hasTokens(site.choice)) await expectToken(browser, site)
      await expectListed(browser, 1, site)
      const before = browser.copy()
      await browser.signIn('bob')
      await expectSignedIn(browser, 'bob', site)
      for (const [name, { value }] of before.jar) {
        if (MAY_STAY.test(name) || browser.jar.get(name)?.value !== value) continue
        throw new Error(`the cookie ${name} of one user remains for the next`)
      }
      if (hasTokens(site.choice)) await expectNoToken(browser, site)
      if (site.bound !== undefined) await expectEnded(before, site, 'replaced')
      const last = browser.copy()
      await signOut(browser, site)
      if (hasTokens(site.choice)) await expectNoToken(browser, site)
      if (site.bound !== undefined) await expectEnded(last, site, 'signed out')
      await browser.signInAt('acme', 'erin')
      await expectSignedIn(browser, 'erin', site)
      await signOut(browser, site)
    },
  },

  'a sign-in by mail': {
    suits: hasStore,
    async play(site) {
      const browser = site.browser()
      await browser.signInByMail('carol@example.com')
      await expectSignedIn(browser, 'carol', site)
      site.advance(2 * HOUR)
      await expectSignedIn(browser, 'carol', site)
      await browser.post('signout')
      await browser.signInByMail('carol@example.com')
      await expectSignedIn(browser, 'carol', site)
      if (site.choice.linking === 'by address') {
        await browser.post('signout')
        await browser.signInAt('acme', 'carol')
        await expectSignedIn(browser, 'carol', site)
      }
    },
  },

  'tokens of a provider': {
    suits: hasTokens,
    async play(site) {
      const browser = site.browser()
      await browser.signInAt('acme', 'carol')
      await expectSignedIn(browser, 'carol', site)
      const first = await expectToken(browser, site)
      site.advance(2 * HOUR)
      await expectSignedIn(browser, 'carol', site)
      const second = await expectToken(browser, site)
      check(first !== second || first === '', 'a token that expired is not renewed')
      const [here, other = here] = processesOf(site)
      await tokensOf(here).revoke(browser.asked(), 'acme')
      // Tokens in a cookie are gone with the next answer that can set it.
      if (site.choice.providerTokens === 'cookie') return
      for (const at of [here, other]) {
        await expectSignedIn(browser, 'carol', site)
        await expectNoToken(browser, site, at)
        site.advance(HOUR)
      }
      await browser.signInAt('acme', 'carol')
      await expectToken(browser, site)
    },
  },

  'parallel reads in all processes': {
    async play(site) {
      const browser = site.browser()
      await browser.signIn('ada')
      await expectSignedIn(browser, 'ada', site)
      for (let round = 0; round < 2; round++) {
        site.advance(Math.min(2 * DAY, Math.floor(site.life / 2.5)))
        const copies = processesOf(site).flatMap((at) =>
          [at, at].map((each) => [browser.copy(), each] as const),
        )
        const answers = await Promise.all(copies.map(([copy, at]) => copy.who(at)))
        check(
          answers.every((who) => who === 'ada@example.com'),
          `parallel reads see ${answers.join(', ')}`,
        )
        for (const [copy] of copies) await expectSignedIn(copy, 'ada', site, 'after parallel reads')
        const [last] = copies.at(-1) ?? []
        if (last) for (const [name, kept] of last.jar) browser.jar.set(name, kept)
      }
      await expectListed(browser, 1, site)
    },
  },

  'a stored session of Auth.js': {
    suits: ({ strategy }) => strategy === 'database',
    async play(site) {
      const user = await site.adapter?.getUserByEmail?.('ada@example.com')
      const [here] = processesOf(site)
      const token = 'a-token-that-auth-js-has-drawn'
      const expires = new Date(here.now() + 10 * DAY * 1000)
      await site.adapter?.createSession?.({ sessionToken: token, userId: user?.id ?? '', expires })
      site.found.isFromElsewhere = true
      const browser = site.browser()
      const cookie = here.core
        .plan(here.config)
        .cookies(here.origin.startsWith('https')).sessionToken
      browser.jar.set(cookie.name, { value: token })
      const copies = processesOf(site).map((at) => [browser.copy(), at] as const)
      const answers = await Promise.all(copies.map(([copy, at]) => copy.who(at)))
      check(
        answers.every((who) => who === 'ada@example.com'),
        `the first reads see ${answers.join(', ')}`,
      )
      // Without renaming, each process makes the new row, and the store tells the slower one.
      site.found.permit(/the store already has this session/)
      await expectSignedIn(browser, 'ada', site)
      site.advance(HOUR)
      await expectSignedIn(browser, 'ada', site)
      await expectListed(browser, 1, site)
      const copy = browser.copy()
      await browser.post('signout')
      await expectEnded(copy, site, 'signed out')
    },
  },

  'a session of next-auth 4': {
    suits: ({ acceptSessionsFrom }) => acceptSessionsFrom === 'next-auth@4',
    async play(site) {
      const user = await site.adapter?.getUserByEmail?.('ada@example.com')
      const userId = String(user?.id ?? 'ada')
      const account = { type: 'oauth', provider: 'acme', providerAccountId: 'ada' } as const
      if (user) await site.adapter?.linkAccount?.({ ...account, userId: user.id })
      site.found.isFromElsewhere = true
      const [here] = processesOf(site)
      const claims = {
        sub: userId,
        name: 'ada',
        email: 'ada@example.com',
        access_token: 'access-of-v4',
        refresh_token: 'refresh-of-v4',
        expires_at: Math.floor(here.now() / 1000) + 100 * DAY,
      }
      const browser = site.browser()
      const name = here.origin.startsWith('https') && site.choice.scheme !== 'https, plain names'
      browser.jar.set(`${name ? '__Secure-' : ''}next-auth.session-token`, {
        value: await sealedByNextAuth4(claims, { key: site.secret }),
      })
      for (let visit = 0; visit < 3; visit++) {
        await expectSignedIn(browser, 'ada', site, `at visit ${visit}`)
        if (site.choice.adoptFromSession === 'on') await expectToken(browser, site)
        await expectListed(browser, 1, site)
        site.advance(Math.min(2 * DAY, Math.floor(site.life / 2.5)))
      }
      await browser.post('signout')
      await expectNobody(browser, site, 'after the sign-out')
    },
  },
}

/** Where somebody came from, the browser of a mail, and who signed in with this browser, for the limits. */
const MAY_STAY = /callback-url|email-request|latchkey\.device/

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what)
}

function processesOf({ processes }: Site): readonly [World, ...World[]] {
  return processes as readonly [World, ...World[]]
}

/** Throws what was found wrong in the last steps. */
function expectNothingWrong(site: Site): void {
  const [first] = site.found.wrong
  if (first !== undefined) throw new Error(first)
}

/** At the edge first, where there is one, and then in each process. */
async function expectSignedIn(
  browser: Browser,
  name: string,
  site: Site,
  when = '',
): Promise<void> {
  const seen = await seenBy(browser, site)
  expectNothingWrong(site)
  for (const [where, who] of seen)
    check(who === `${name}@example.com`, `${name} is not signed in ${where} ${when}, but ${who}`)
}

async function expectNobody(browser: Browser, site: Site, when: string): Promise<void> {
  for (const [where, who] of await seenBy(browser, site))
    check(who === null, `${who} is signed in ${where} ${when}`)
  expectNothingWrong(site)
}

async function signOut(browser: Browser, site: Site): Promise<void> {
  await browser.post('signout')
  for (const name of browser.jar.keys())
    check(!OF_A_SESSION.test(name), `the cookie ${name} stays after the sign-out`)
  await expectNobody(browser, site, 'after the sign-out')
}

const OF_A_SESSION = /session-token|own\.session|provider-tokens|id-token/

async function seenBy(
  browser: Browser,
  { edge, processes }: Site,
): Promise<[string, string | null][]> {
  const seen: [string, string | null][] = []
  if (edge) seen.push(['at the edge', await browser.who(edge)])
  for (const [i, at] of processes.entries()) seen.push([`in process ${i}`, await browser.who(at)])
  return seen
}

/** Refused on every later read in every process. Without a store, the edge cannot know it. */
async function expectEnded(browser: Browser, site: Site, how: string): Promise<void> {
  const { bound } = site
  check(bound !== undefined, 'the configuration does not end sessions')
  site.advance(bound)
  for (let read = 0; read < 3; read++) {
    for (const [i, at] of site.processes.entries()) {
      const who = await browser.copy().who(at)
      check(who === null, `a session that was ${how} is accepted in process ${i}, read ${read}`)
    }
    site.advance(1)
  }
  expectNothingWrong(site)
}

async function currentOf(browser: Browser, at: World): Promise<{ id: string }> {
  const current = await sessionsOf(at).current(browser.asked())
  check(current !== null, 'the session is not listed')
  return current
}

/** The session is in the list of its user, which has so many. */
async function expectListed(browser: Browser, count: number, site: Site): Promise<void> {
  if (!hasSessions(site.choice)) return
  for (const at of site.processes) {
    const list = await sessionsOf(at).list(browser.asked())
    const isListed = list.length === count && list.filter(({ current }) => current).length === 1
    check(isListed, `${list.length} sessions are listed, not ${count}, or not the current one`)
  }
  expectNothingWrong(site)
}

async function expectToken(browser: Browser, site: Site): Promise<string> {
  let token = ''
  // Records are those of a user.
  if (!namesUser(site.choice) && site.choice.providerTokens === 'records') return token
  for (const at of site.processes) {
    const result = await tokensOf(at).get(browser.asked(), 'acme')
    browser.keep(result.setCookie)
    check(result.ok, `there is no token of the provider: ${result.ok ? '' : result.error}`)
    token = result.access_token
  }
  expectNothingWrong(site)
  return token
}

async function expectNoToken(
  browser: Browser,
  site: Site,
  ...where: readonly World[]
): Promise<void> {
  for (const at of where.length > 0 ? where : site.processes) {
    const result = await tokensOf(at).get(browser.asked(), 'acme')
    browser.keep(result.setCookie)
    check(!result.ok, 'there is a token of the provider')
  }
  expectNothingWrong(site)
}

/** Reads that change nothing write nothing. */
async function expectQuiet(browser: Browser, site: Site): Promise<void> {
  if (site.choice.updateAge === '0') return
  site.found.writes.length = 0
  for (const at of site.processes) {
    const answer = await browser.request(browser.path('session'), {}, at)
    const cookies = answer.headers.getSetCookie().map((line) => line.slice(0, 40))
    check(cookies.length === 0, `a read that changes nothing sets ${cookies.join()}`)
  }
  check(
    site.found.writes.length === 0,
    `a read that changes nothing writes: ${site.found.writes.join()}`,
  )
}

async function maintain(site: Site): Promise<void> {
  for (const { core, config } of site.processes) await core.plan(config).plugins?.maintain(2000)
  expectNothingWrong(site)
}
