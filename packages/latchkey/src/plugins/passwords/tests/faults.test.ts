import { describe, expect, test, vi } from 'vitest'
import {
  GOOD,
  OTHER,
  type PasswordsSite,
  passwordsSite,
} from '../../../../tests/support/passwords-site.ts'
import { wrapped } from '../../../../tests/support/recording.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { type Adapter, atomic } from '../../../model/adapter.ts'
import { emailCode } from '../../email-code/index.ts'
import { usernames } from '../../usernames/index.ts'
import type { PasswordsOptions } from '../index.ts'

// What a hash costs is no matter here.
vi.mock('../hashing/hasher.ts', () => ({
  createHasher: () => ({
    hash: async (password: string) => `$plain$${password}`,
    verify: async (password: string, stored?: string) => stored === `$plain$${password}`,
    parameters: async () => '$plain$',
    tag: async (text: string) => btoa(text),
    isWeaker: async () => false,
    engine: async () => 'plain',
    lacks: async () => [],
  }),
}))
vi.mock('../hashing/say-engine.ts', () => ({ sayEngine: () => {} }))

/** How a call of the store goes wrong: it throws or never answers, before its effect or after it. */
type Fault = 'throws before' | 'throws after' | 'hangs before' | 'hangs after'

/** A store one of whose calls goes wrong. */
function faulty() {
  const inner = memoryAdapter()
  let calls = 0
  let failsAt = Number.POSITIVE_INFINITY
  let how: Fault = 'throws before'
  let hang: (() => void) | undefined
  const goWrong = (): Promise<never> => {
    if (how.startsWith('throws')) throw new Error('the store is gone')
    hang?.()
    return new Promise(() => {})
  }
  const step =
    (run: (...args: unknown[]) => unknown) =>
    async (...args: unknown[]) => {
      const isNow = calls++ === failsAt
      if (isNow && how.endsWith('before')) return goWrong()
      const result = await run(...args)
      return isNow ? goWrong() : result
    }
  const outer = wrapped(inner, (_, run) => step(run)) as Adapter
  const { transaction: _, ...abilities } = inner[atomic] ?? {}
  const counted = Object.entries(abilities).map(([name, run]) => [
    name,
    typeof run === 'function' && name !== 'useRecords'
      ? step((run as (...args: unknown[]) => unknown).bind(inner[atomic]))
      : run,
  ])
  return {
    adapter: { ...outer, [atomic]: Object.fromEntries(counted) } as Adapter,
    /** Lets the call with this number go wrong, from now on. @returns a promise for the moment from which it hangs */
    fail(at: number, fault: Fault): Promise<undefined> {
      calls = 0
      failsAt = at
      how = fault
      return new Promise((resolve) => {
        hang = () => resolve(undefined)
      })
    },
    calls: () => calls,
  }
}

interface Flow {
  readonly options?: PasswordsOptions
  readonly before?: (site: PasswordsSite) => Promise<unknown>
  readonly act: (site: PasswordsSite) => Promise<Response>
  /** What holds after the flow was done, or repeated. */
  readonly after: (site: PasswordsSite) => Promise<void>
  /** Statuses of a refusal; everything else must be 2xx. */
  readonly refusals?: readonly number[]
}

const EMAIL = 'ada@example.com'

const signsIn = async (site: PasswordsSite, password: string): Promise<boolean> =>
  (await site.signIn(EMAIL, password, site.world.otherBrowser())).status === 200

async function askForLink(site: PasswordsSite): Promise<void> {
  await site.signUp()
  await site.json('password/forgot', { identifier: EMAIL })
  await site.settled()
  await site.world.get(site.link('password/reset'), { headers: { accept: 'text/html' } })
}

/** Chooses another password with a mailed link, as somebody does who cannot sign in. */
async function chooseAnother(site: PasswordsSite): Promise<void> {
  const browser = site.world.otherBrowser()
  const mails = site.mails.length
  await site.json('password/forgot', { identifier: EMAIL }, browser)
  await expect.poll(() => site.mails.length).toBeGreaterThan(mails)
  await browser.get(site.link('password/reset'), { headers: { accept: 'text/html' } })
  expect((await site.json('password/reset', { password: OTHER }, browser)).status).toBe(200)
  expect([await signsIn(site, GOOD), await signsIn(site, OTHER)]).toEqual([false, true])
}

const isProved = async ({ world }: PasswordsSite): Promise<boolean> =>
  Boolean((await world.config.adapter?.getUserByEmail?.(EMAIL))?.emailVerified)

const flows: Readonly<Record<string, Flow>> = {
  'PW-23: a sign-up that lets people in at once': {
    options: { verify: 'after' },
    act: (site) => site.json('password/sign-up', { email: EMAIL, password: GOOD }),
    async after(site) {
      expect(await site.world.session()).toBeNull()
      expect(await isProved(site)).toBe(false)
      if (!(await signsIn(site, GOOD))) await chooseAnother(site)
    },
  },
  'PW-23: a proof in the session of a user who was let in': {
    options: { verify: 'after' },
    async before(site) {
      await site.json('password/sign-up', { email: EMAIL, password: GOOD })
      await site.signIn()
    },
    act: (site) => site.json('password/verify', { code: site.code() }),
    // The code may be used up, and the address may be proved: then nobody is there to prove it.
    refusals: [400, 422],
    async after(site) {
      expect(await signsIn(site, GOOD)).toBe(true)
      if (await isProved(site)) return
      site.world.advance(61)
      await site.json('password/resend')
      expect((await site.json('password/verify', { code: site.code() })).status).toBe(200)
    },
  },
  'PW-23: a proof by somebody else than the user who was let in': {
    options: { verify: 'after' },
    async before(site) {
      await site.json('password/sign-up', { email: EMAIL, password: GOOD })
      const headers = { accept: 'text/html' }
      await site.world.get(site.link('password/verify'), { headers })
    },
    act: (site) => site.json('password/verify', { password: OTHER }),
    refusals: [400],
    async after(site) {
      const works = [await signsIn(site, GOOD), await signsIn(site, OTHER)]
      expect(works).not.toEqual([true, true])
      if (await isProved(site)) expect(works).toEqual([false, true])
      else await chooseAnother(site)
    },
  },
  'a sign-up': {
    act: (site) => site.json('password/sign-up', { email: EMAIL, password: GOOD }),
    async after(site) {
      expect(site.mails.length).toBeGreaterThan(0)
      expect(await site.world.session()).toBeNull()
    },
  },
  'the proof of an address': {
    before: (site) => site.json('password/sign-up', { email: EMAIL, password: GOOD }),
    act: (site) => site.json('password/verify', { code: site.code() }),
    // The code may be used up: then the person signs up again, or resets the password.
    refusals: [400],
    async after(site) {
      const user = await site.world.config.adapter?.getUserByEmail?.(EMAIL)
      const canSignIn = user !== null && (await signsIn(site, GOOD))
      if (canSignIn) return
      await site.json('password/forgot', { identifier: EMAIL })
      site.world.advance(61)
      const browser = site.world.otherBrowser()
      const again = await site.json('password/sign-up', { email: EMAIL, password: GOOD }, browser)
      expect(again.status).toBe(202)
    },
  },
  'a sign-in': {
    before: (site) => site.signUp(),
    act: (site) => site.signIn(EMAIL, GOOD, site.world.otherBrowser()),
    async after(site) {
      expect(await signsIn(site, GOOD)).toBe(true)
    },
  },
  'a wrong password': {
    before: (site) => site.signUp(),
    act: (site) => site.signIn(EMAIL, OTHER, site.world.otherBrowser()),
    refusals: [401],
    async after(site) {
      expect(await signsIn(site, OTHER)).toBe(false)
      expect(await signsIn(site, GOOD)).toBe(true)
    },
  },
  'a reset': {
    before: askForLink,
    act: (site) => site.json('password/reset', { password: OTHER }),
    refusals: [400],
    async after(site) {
      // One of the two works, and never both.
      const works = [await signsIn(site, GOOD), await signsIn(site, OTHER)]
      expect(works.filter(Boolean)).toHaveLength(1)
    },
  },
  'a code that is asked for by mail': {
    act: (site) => site.json('email-code/send', { email: EMAIL }),
    async after(site) {
      expect(site.mails.length).toBeGreaterThan(0)
      expect(await site.world.session()).toBeNull()
    },
  },
  'a sign-in with a code': {
    async before(site) {
      await site.signUp()
      site.world.jar.clear()
      await site.json('email-code/send', { email: EMAIL })
    },
    act: (site) => site.json('email-code/verify', { code: site.code() }),
    // The code may be used up: then another one is asked for.
    refusals: [400],
    async after(site) {
      expect(await signsIn(site, GOOD)).toBe(true)
      const code = site.code()
      const again = await site.json('email-code/verify', { code }, site.world)
      expect(again.status).not.toBe(200)
    },
  },
  'the choice of a user name': {
    before: (site) => site.signUp(),
    act: (site) => site.json('usernames/set', { name: 'lovelace' }),
    async after(site) {
      const named = await site.signIn('lovelace', GOOD, site.world.otherBrowser())
      expect(named.status).toBe(200)
      expect(await signsIn(site, GOOD)).toBe(true)
    },
  },
  'a change': {
    before: (site) => site.signUp(),
    act: (site) => site.json('password/change', { current: GOOD, password: OTHER }),
    refusals: [401, 409],
    async after(site) {
      const works = [await signsIn(site, GOOD), await signsIn(site, OTHER)]
      expect(works.filter(Boolean)).toHaveLength(1)
    },
  },
}

function openSite(adapter: Adapter, options: PasswordsOptions = {}, seed = 1): PasswordsSite {
  return passwordsSite(options, { adapter, plugins: [emailCode(), usernames()] }, { seed })
}

/** Another process of the site with the same store, and the same browser. */
function restarted(
  before: PasswordsSite,
  adapter: Adapter,
  options: PasswordsOptions | undefined,
): PasswordsSite {
  // It has nothing in common with the earlier one but the store, and draws other values.
  const site = openSite({ ...adapter }, options, 2)
  site.world.advance((before.world.now() - site.world.now()) / 1000)
  site.mails.push(...before.mails)
  for (const [name, value] of before.world.jar) site.world.jar.set(name, value)
  return site
}

/** Repeats a flow that went wrong, until it ends. */
async function repeat(flow: Flow, site: PasswordsSite, at: number): Promise<void> {
  const again = await flow.act(site)
  const may = [200, 202, ...(flow.refusals ?? [])]
  expect(may, `call ${at}, again: ${again.status}`).toContain(again.status)
}

/** Does work, and lets the time pass for which it waits. */
async function inNoTime<Result>(work: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const state = { isDone: false }
    const done = work().finally(() => {
      state.isDone = true
    })
    // Its failure is thrown below.
    done.catch(() => {})
    while (!state.isDone) await vi.advanceTimersByTimeAsync(1000)
    return await done
  } finally {
    vi.useRealTimers()
  }
}

function needNoSecret({ world: { log } }: PasswordsSite): void {
  const said = JSON.stringify(log.map(({ message, detail }) => [message, String(detail)]))
  for (const secret of [GOOD, OTHER]) expect(said).not.toContain(secret)
}

describe.each(Object.entries(flows))('T-ACC-47: while the store fails once, %s', (_, flow) => {
  test.each(['throws before', 'throws after'] as const)(
    'signs nobody in without the proof, keeps a way in, and can be repeated (%s its effect)',
    async (fault) => {
      let isPast = false
      for (let at = 0; !isPast; at++) {
        const store = faulty()
        const site = openSite(store.adapter, flow.options)
        await flow.before?.(site)
        void store.fail(at, fault)
        const first = await flow.act(site)
        isPast = store.calls() <= at
        void store.fail(Number.POSITIVE_INFINITY, fault)
        const allowed = [503, 500, ...(flow.refusals ?? [])]
        const isFine = first.status < 300 || allowed.includes(first.status)
        expect(isFine, `call ${at}: ${first.status}`).toBe(true)
        needNoSecret(site)
        if (first.status >= 500) await repeat(flow, site, at)
        await flow.after(site)
      }
    },
    120_000,
  )

  const hanging = [
    ['hangs before', 'in the same process'],
    ['hangs after', 'in the same process'],
    ['hangs before', 'after a kill'],
    ['hangs after', 'after a kill'],
  ] as const
  test.each(hanging)(
    'signs nobody in without the proof, keeps a way in, and can be repeated (%s its effect, %s)',
    async (fault, where) => {
      let isPast = false
      let hung = 0
      for (let at = 0; !isPast; at++) {
        const store = faulty()
        const site = openSite(store.adapter, flow.options)
        await flow.before?.(site)
        isPast = await inNoTime(async () => {
          const hangs = store.fail(at, fault)
          const first = await Promise.race([flow.act(site), hangs])
          const calls = store.calls()
          // Nobody waits for what hangs: the client is gone.
          void store.fail(Number.POSITIVE_INFINITY, fault)
          const killed = where === 'after a kill'
          const next = killed ? restarted(site, store.adapter, flow.options) : site
          if (!first) {
            hung++
            await repeat(flow, next, at)
          }
          needNoSecret(next)
          await flow.after(next)
          return first !== undefined && calls <= at
        })
      }
      expect(hung).toBeGreaterThan(2)
    },
    120_000,
  )
})
