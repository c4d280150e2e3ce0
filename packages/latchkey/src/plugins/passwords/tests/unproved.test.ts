import { describe, expect, test, vi } from 'vitest'
import {
  GOOD,
  OTHER,
  type PasswordsSite,
  passwordsSite,
} from '../../../../tests/support/passwords-site.ts'
import { definePlugin, type Host } from '../../../entries/plugin.ts'
import { atomic } from '../../../model/adapter.ts'
import { usernames } from '../../usernames/index.ts'
import { type PasswordsOptions, passwords } from '../index.ts'

const html = { headers: { accept: 'text/html' } }
const EMAIL = 'ada@example.com'
const DAY = 24 * 60 * 60

const letIn = (options: PasswordsOptions = {}, ...further: unknown[]): PasswordsSite =>
  passwordsSite({ verify: 'after', limits: false, ...options }, ...(further as []))

const signUp = (site: PasswordsSite, browser = site.world, fields = {}): Promise<Response> =>
  site.json('password/sign-up', { email: EMAIL, password: GOOD, ...fields }, browser)

const isProved = async ({ world }: PasswordsSite): Promise<boolean> =>
  Boolean((await world.config.adapter?.getUserByEmail?.(EMAIL))?.emailVerified)

const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe.each(['jwt', 'database'] as const)('with %s sessions', (strategy) => {
  test('PW-23: a user signs in before the address is proved, but not by the sign-up, and proves it in the session', async () => {
    const site = letIn({}, { session: { strategy } })
    const begun = await signUp(site, site.world, { name: 'Ada' })
    expect(begun.status).toBe(202)
    expect(await begun.json()).toMatchObject({ status: 'mail_sent' })
    expect(await site.world.session()).toBeNull()
    const user = await site.world.config.adapter?.getUserByEmail?.(EMAIL)
    expect(user).toMatchObject({ email: EMAIL, emailVerified: null, name: 'Ada' })
    const page = await (await site.world.get('/auth/password/verify', html)).text()
    expect(page).toContain('You can sign in already')
    expect(page).toContain('href="/auth/signin?callbackUrl=https%3A%2F%2Fapp.example"')
    expect((await site.signIn(EMAIL, OTHER)).status).toBe(401)
    expect((await site.signIn()).status).toBe(200)
    const form = await (await site.world.get('/auth/password/verify', html)).text()
    expect(form).toContain('is deleted after 7 days')
    const refused = await site.json('password/verify', { code: wrong(site.code()) })
    expect(await refused.json()).toMatchObject({ status: 400, code: 'invalid_code' })
    const proved = await site.json('password/verify', { code: site.code() })
    expect([proved.status, await proved.json()]).toEqual([
      200,
      { status: 'signed_in', url: 'https://app.example' },
    ])
    expect(await isProved(site)).toBe(true)
    expect(await site.world.session()).not.toBeNull()
    expect((await site.signIn(EMAIL, GOOD, site.world.otherBrowser())).status).toBe(200)
    expect(site.events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['signup.begun', 'signup.finished', 'code.wrong', 'address.proved']),
    )
  })
})

test('PW-23, PW-24: the application is told of the user at once, with the further fields, and the user has the name', async () => {
  const made: object[] = []
  const site = letIn(
    { fields: [{ name: 'company', label: 'Company' }] },
    { events: { createUser: ({ user }: { user: object }) => void made.push(user) } },
  )
  await signUp(site, site.world, { company: 'Acme' })
  await vi.waitFor(
    () => expect(made).toEqual([expect.objectContaining({ email: EMAIL, company: 'Acme' })]),
    30_000,
  )
  const named = letIn({}, { plugins: [usernames()] })
  await signUp(named, named.world, { username: 'ada' })
  expect((await named.signIn('ada')).status).toBe(200)
})

test('PW-23: five wrong codes end the code, and a new one comes in the session, at most once a minute', async () => {
  const site = letIn()
  await signUp(site)
  await site.signIn()
  const first = site.code()
  for (let tries = 0; tries < 5; tries++)
    expect((await site.json('password/verify', { code: wrong(first) })).status).toBe(400)
  expect((await site.json('password/verify', { code: first })).status).toBe(400)
  expect((await site.json('password/resend')).status).toBe(202)
  expect(site.mails).toHaveLength(1)
  site.world.advance(60)
  const again = await site.world.post('/auth/password/resend', {}, html)
  expect(again.headers.get('location')).toBe('/auth/password/verify')
  expect(site.mails).toHaveLength(2)
  expect(site.mails[1]?.text).toContain('You can sign in already')
  expect((await site.json('password/verify', { code: site.code() })).status).toBe(200)
})

test('PW-23: where nobody is signed in, a new mail comes to the browser that signed up, and to others a notice', async () => {
  const site = letIn()
  await signUp(site)
  const first = site.code()
  site.world.advance(60)
  const stranger = site.world.otherBrowser()
  await signUp(site, stranger, { password: OTHER })
  expect(site.mails[1]?.subject).toContain('You have an account')
  site.world.advance(60)
  await site.json('password/resend', {}, stranger)
  expect(site.mails[2]?.subject).toContain('You have an account')
  // The sign-up of the stranger ended nothing of the first one.
  await site.signIn()
  expect((await site.json('password/verify', { code: first })).status).toBe(200)

  const other = letIn()
  await signUp(other)
  other.world.advance(60)
  await other.json('password/resend')
  expect(other.mails).toHaveLength(2)
  await other.signIn()
  expect((await other.json('password/verify', { code: other.code() })).status).toBe(200)
})

test('PW-23: a mail that could not be sent can be asked for again at once', async () => {
  const site = letIn()
  await signUp(site)
  await site.signIn()
  site.world.advance(60)
  const { push } = site.mails
  site.mails.push = () => {
    throw new Error('no mail service')
  }
  expect((await site.json('password/resend')).status).toBe(503)
  site.mails.push = push
  await site.json('password/resend')
  expect(site.mails).toHaveLength(2)
})

test('PW-23: code and link work for 24 hours and once, and a new mail ends them', async () => {
  const site = letIn()
  await signUp(site)
  const [code, link] = [site.code(), site.link('password/verify')]
  site.world.advance(DAY)
  await site.signIn()
  expect((await site.json('password/verify', { code })).status).toBe(400)
  await site.world.get(link, html)
  expect((await site.world.get('/auth/password/verify', html)).status).toBe(400)
  await site.json('password/resend')
  const next = site.link('password/verify')
  await site.world.get(link, html)
  expect((await site.world.get('/auth/password/verify', html)).status).toBe(400)
  const owner = site.world.otherBrowser()
  for (const browser of [site.world, owner]) await browser.get(next, html)
  const [one, other] = await Promise.all([
    site.world.post('/auth/password/verify', {}, html),
    site.json('password/verify', { password: OTHER }, owner),
  ])
  expect([one.status, other.status].filter((status) => status < 400)).toHaveLength(1)
  expect(await isProved(site)).toBe(true)
})

test('T-ACC-6: scanners that open the link prove nothing', async () => {
  const site = letIn()
  await signUp(site)
  const scanner = site.world.otherBrowser()
  for (const init of [{}, { method: 'HEAD' }, html])
    expect((await scanner.get(site.link('password/verify'), init)).status).toBeLessThan(400)
  expect((await scanner.get('/auth/password/verify', html)).status).toBe(200)
  expect(await isProved(site)).toBe(false)
})

test('PW-23: the link in another browser asks for a password, says how to keep everything, and takes no name of a stranger', async () => {
  const site = letIn()
  await signUp(site, site.world, { name: 'Mallory' })
  const owner = site.world.otherBrowser()
  await owner.get(site.link('password/verify'), html)
  const page = await (await owner.get('/auth/password/verify', html)).text()
  expect(page).toContain('Sign in, and everything stays')
  expect(page).toContain('/auth/signin?callbackUrl=')
  const short = await owner.post('/auth/password/verify', { password: 'short' }, html)
  expect([short.status, await short.text()]).toEqual([422, expect.stringContaining('at least 15')])
  await owner.post('/auth/password/verify', { password: OTHER, name: 'Ada' }, html)
  expect((await owner.session())?.user).toMatchObject({ email: EMAIL, name: 'Ada' })
  expect((await site.signIn(EMAIL, GOOD)).status).toBe(401)
})

test('PW-23: users wait for their proof after the site went back to `first`', async () => {
  const site = letIn()
  await signUp(site)
  await site.signIn()
  const { adapter } = site.world.config
  const later = passwordsSite({ limits: false }, { adapter })
  for (const [name, value] of site.world.jar) later.world.jar.set(name, value)
  const page = await (await later.world.get('/auth/password/verify', html)).text()
  expect(page).toContain('Confirm your address')
  expect((await later.json('password/verify', { code: site.code() })).status).toBe(200)
  expect(await isProved(later)).toBe(true)
})

test('PW-23: a damaged record lets its user add nothing, and deletes nobody', async () => {
  const site = letIn({}, { plugins: [things] })
  await signUp(site)
  await site.signIn()
  const { adapter } = site.world.config
  const user = await adapter?.getUserByEmail?.(EMAIL)
  const key = { kind: 'unproved', key: String(user?.id) }
  const record = await adapter?.[atomic]?.getRecord?.(key)
  if (!record) throw new Error('there is no record')
  await adapter?.[atomic]?.replaceRecord?.({ ...record, data: { at: 'never' }, version: 2 })
  expect((await site.json('things/add')).status).toBe(403)
  site.world.advance(8 * DAY)
  await site.world.core.plan(site.world.config).plugins?.maintain(60_000)
  expect(await adapter?.getUserByEmail?.(EMAIL)).not.toBeNull()
})

/** A plugin of somebody else, with a route for proved users and a check of its own. */
const things = definePlugin<'things', object, Host>({
  name: 'things',
  routes: {
    'things/add': {
      POST: { who: 'user', proved: true, run: async () => () => ({ json: { status: 'added' } }) },
    },
    'things/check': {
      POST: {
        who: 'user',
        run: async () => async (call, host) => {
          await host.users.needProved(String(call.current?.user.id))
          return { json: { status: 'passed' } }
        },
      },
    },
  },
  setUp: (host) => ({ own: host }),
})

test('PW-23: plugins of others refuse users until the proof, by a word on the route or a call, unless `requireVerified` is false', async () => {
  for (const requireVerified of [true, false]) {
    const site = letIn({ requireVerified }, { plugins: [things] })
    await signUp(site)
    await site.signIn()
    for (const path of ['things/add', 'things/check']) {
      const answer = await site.json(path)
      expect(answer.status).toBe(requireVerified ? 403 : 200)
      if (requireVerified)
        expect(await answer.json()).toMatchObject({
          code: 'address_unproved',
          next: '/auth/password/verify',
        })
    }
    const page = await (await site.world.get('/auth/password/verify', html)).text()
    expect(page.includes('Until then, you cannot')).toBe(requireVerified)
    await site.json('password/verify', { code: site.code() })
    for (const path of ['things/add', 'things/check'])
      expect((await site.json(path)).status).toBe(200)
  }
  const first = passwordsSite({}, { plugins: [things] })
  await first.signUp()
  expect((await first.json('things/add')).status).toBe(200)
})

test.each([
  [{ verify: 'later' }, "`verify` must be 'first' or 'after', got \"later\""],
  [{ requireVerified: 1 }, '`requireVerified` must be true or false, got 1'],
  [
    { unprovedLifetime: 0 },
    '`unprovedLifetime` must be false or a whole number of seconds from 1 on, got 0',
  ],
  [{ unprovedLifetime: '7d' }, '`unprovedLifetime` must be false or a whole number of seconds'],
])('PW-23: the start refuses %j', (options, message) => {
  expect(() => passwords(options as object)).toThrow(message)
})
