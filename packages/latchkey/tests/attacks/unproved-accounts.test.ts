import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { World } from '../../src/entries/testing.ts'
import { atomic } from '../../src/model/adapter.ts'
import { usernames } from '../../src/plugins/usernames/index.ts'
import { GOOD, OTHER, passwordsSite } from '../support/passwords-site.ts'
import { openRaceStore, type RaceStore, raceStoreNames } from '../support/race-stores.ts'
import { recordingAdapter } from '../support/recording.ts'
import { type StoreName, sharedStores } from '../support/shared-stores.ts'
import { appWith } from '../support/two-factor-site.ts'
import { type UnprovedSite, unprovedSite } from '../support/unproved-site.ts'

const html = { headers: { accept: 'text/html' } }
const DAY = 24 * 60 * 60
const strategies = ['jwt', 'database'] as const
const shared = sharedStores('unproved')
beforeAll(() => shared.open())
afterAll(() => shared.close())
const STORES: readonly StoreName[] = ['memory', 'SQLite', 'PostgreSQL']
let sites = 0

const siteOn = (name: StoreName, setting: Parameters<typeof unprovedSite>[0] = {}): UnprovedSite =>
  unprovedSite({ adapter: shared.adapter(name), seed: ++sites, ...setting })

const siteAlone = (setting: Parameters<typeof unprovedSite>[0] = {}): UnprovedSite =>
  unprovedSite({ seed: ++sites, ...setting })

/** Everything that an account of this site can have, and that its owner must not find. */
const FULL = {
  isProved: false,
  passkeys: 1,
  providers: ['other'],
  password: 1,
  totp: 1,
  recovery: 5,
  keys: 1,
  changes: 1,
  unproved: 1,
}
const EMPTY = { passkeys: 0, totp: 0, recovery: 0, keys: 0, changes: 0, unproved: 0 }

/** Opens a mailed link, as a browser does. */
const open = (browser: World, link: string): Promise<Response> => browser.get(link, html)

type Way = (site: UnprovedSite, owner: World) => Promise<Response>

/** Each proof of the address by somebody who is not signed in as the user. */
const ways: readonly (readonly [
  string,
  Way,
  { readonly password: number; readonly providers: string[] },
])[] = [
  [
    'with the link of the sign-up',
    async (site, owner) => {
      await open(owner, site.link('password/verify'))
      const page = await (await open(owner, '/auth/password/verify')).text()
      expect(page).toContain('all earlier ways into the account are removed')
      return site.json('password/verify', { password: OTHER }, owner)
    },
    { password: 1, providers: [] },
  ],
  [
    'OTC-7: with a mailed code',
    async (site, owner) => {
      await site.settled()
      await site.json('email-code/send', { email: site.email }, owner)
      await site.settled()
      return site.json('email-code/verify', { code: site.code() }, owner)
    },
    { password: 0, providers: [] },
  ],
  [
    'with a mailed sign-in link',
    async (site, owner) => {
      await owner.post('/auth/signin/link', { email: site.email })
      const { text } = await site.mailed('Sign in', site.email)
      return open(owner, text.slice(site.world.origin.length))
    },
    { password: 0, providers: [] },
  ],
  [
    'with a provider that proves it, where proven addresses link',
    (site, owner) => site.idp.signIn(owner),
    { password: 0, providers: ['acme'] },
  ],
  [
    'PW-31: with a link to choose a password',
    async (site, owner) => {
      await site.json('password/forgot', { identifier: site.email }, owner)
      await site.mailed('Choose a new password', site.email)
      await open(owner, site.link('password/reset'))
      await site.json('password/reset', { password: OTHER }, owner)
      return site.signIn(site.email, OTHER, owner)
    },
    { password: 1, providers: [] },
  ],
]

describe.each(STORES)('PW-23: on %s', (name) => {
  describe.each(strategies)('with %s sessions', (strategy) => {
    test('PW-23, T-ACC-3: until the proof, nothing can be added to the account, and a page says what to do', async () => {
      const site = siteOn(name, { strategy })
      await site.begin()
      expect((await site.signIn()).status).toBe(200)
      const statuses = await site.fill(site.world)
      expect(statuses).toEqual(Object.fromEntries(Object.keys(statuses).map((path) => [path, 403])))
      expect(Object.keys(statuses)).toHaveLength(8)
      expect(await site.content()).toMatchObject({ ...EMPTY, password: 1, unproved: 1 })
      const refused = await site.json('api-keys/create', { name: 'program' })
      expect(await refused.json()).toMatchObject({
        code: 'address_unproved',
        title: 'Confirm your email address first.',
        next: '/auth/password/verify',
      })
      const form = await site.world.post('/auth/api-keys/create', { name: 'program' }, html)
      expect([form.status, form.headers.get('location')]).toEqual([303, '/auth/password/verify'])
      const page = await (await open(site.world, '/auth/password/verify')).text()
      expect(page).toContain('Until then, you cannot change this address')
      expect(page).toContain('action="/auth/password/resend"')
      // A provider that the visitor chose on the sign-in page is not linked either.
      const back = await site.other.signIn(site.world)
      expect(await back.json()).toMatchObject({ code: 'address_unproved' })
      expect(await site.content()).toMatchObject({ providers: [] })
      expect((await site.world.get('/auth/webauthn-options/passkey?action=register')).status).toBe(
        403,
      )

      await site.json('password/verify', { code: site.code() })
      expect((await site.json('api-keys/create', { name: 'program' })).status).toBe(201)
    })

    test('PW-23, T-ACC-3: until the proof, no app is set up while a sign-in of another account waits in the browser', async () => {
      const site = siteOn(name, { strategy })
      await site.begin()
      await site.signIn()
      const browser = site.world.otherBrowser()
      const eve = `eve-of-${site.email}`
      const ask = async (path: string, fields: object, where: World) =>
        (await (await site.json(path, fields, where)).json()) as Record<string, string>
      await ask('password/sign-up', { email: eve, password: GOOD }, browser)
      const { text } = await site.mailed('', eve)
      await site.signIn(eve, GOOD, browser)
      await ask('password/verify', { code: /\b\d{6}\b/.exec(text)?.[0] }, browser)
      const { id = '', secret = '' } = await ask('two-factor/enrol-totp', {}, browser)
      await ask(
        'two-factor/confirm-totp',
        { id, code: appWith(secret, site.world).code() },
        browser,
      )
      await site.signIn(eve)
      expect((await site.world.get('/auth/two-factor', html)).status).toBe(200)
      expect(await ask('two-factor/enrol-totp', { name: 'Mine' }, site.world)).toMatchObject({
        code: 'address_unproved',
      })
      expect(
        await ask('two-factor/confirm-totp', { id, code: '123456' }, site.world),
      ).toMatchObject({ code: 'address_unproved' })
    })

    test('PW-23: the proof in the session of the user leaves everything as it was, by the code and by the link', async () => {
      for (const isByLink of [false, true]) {
        const site = siteOn(name, { strategy, options: { requireVerified: false } })
        await site.begin()
        await site.signIn()
        const code = site.code()
        await site.fill(site.world)
        const before = await site.content()
        expect(before).toMatchObject(FULL)
        if (isByLink) {
          await open(site.world, site.link('password/verify'))
          const page = await (await open(site.world, '/auth/password/verify')).text()
          expect(page).toContain('Confirm address')
          expect((await site.world.post('/auth/password/verify', {}, html)).status).toBe(303)
        } else expect((await site.json('password/verify', { code })).status).toBe(200)
        expect(await site.content()).toEqual({ ...before, isProved: true, unproved: 0 })
        expect(await site.world.session()).not.toBeNull()
        expect(site.mails.map(({ subject }) => subject).join()).not.toContain('taken over')
      }
    })

    test.each(ways)(
      'T-ACC-1, T-ACC-2, T-ACC-3: a stranger loses the account to the owner of the address who comes %s',
      async (_, arrive, kept) => {
        const site = siteOn(name, { strategy, options: { requireVerified: false } })
        const stranger = site.world
        await site.begin()
        await site.signIn()
        await site.fill(stranger)
        expect(await site.content()).toMatchObject(FULL)
        const second = stranger.otherBrowser()
        site.world.advance(61)
        const owner = stranger.otherBrowser()
        expect((await arrive(site, owner)).status).toBeLessThan(400)
        expect((await owner.session())?.user).toMatchObject({ email: site.email })
        expect(await site.content()).toMatchObject({ ...EMPTY, ...kept, isProved: true })
        expect(await stranger.session()).toBeNull()
        expect((await site.signIn(site.email, GOOD, second)).status).toBe(401)
        await site.other.signIn(second)
        expect((await second.session())?.user?.['email'] ?? null).not.toBe(site.email)
        const { text } = await site.mailed('taken over by its address', site.email)
        for (const what of ['a password', 'a passkey', 'a second factor', 'an API key', 'other'])
          expect(text).toContain(what)
        expect(site.events.map(({ type }) => type)).toContain('account.reset')
      },
    )
  })
})

test('T-ACC-48: another proof removes nothing of an account whose address is proved', async () => {
  const site = siteAlone()
  await site.begin()
  await site.signIn()
  await site.json('password/verify', { code: site.code() })
  await site.fill(site.world)
  const before = await site.content()
  expect(before).toMatchObject({ ...FULL, isProved: true, unproved: 0 })
  const owner = site.world.otherBrowser()
  await owner.post('/auth/signin/link', { email: site.email })
  const { text } = await site.mailed('Sign in', site.email)
  await open(owner, text.slice(site.world.origin.length))
  expect(await site.content()).toEqual(before)
  expect(await site.world.session()).not.toBeNull()
})

test('T-ACC-1: the code of the sign-up, where nobody is signed in as the user, works only with another password', async () => {
  const site = siteAlone({ options: { requireVerified: false } })
  await site.begin()
  const stranger = site.world.otherBrowser()
  await site.signIn(site.email, GOOD, stranger)
  const code = site.code()
  await site.fill(stranger)
  const page = await (await open(site.world, '/auth/password/verify')).text()
  expect(page).toContain('You can sign in already')
  expect(page).not.toContain('name="code"')
  const without = await site.json('password/verify', { code })
  expect(await without.json()).toMatchObject({ code: 'password_refused' })
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  expect((await site.json('password/verify', { code: wrong, password: OTHER })).status).toBe(400)
  expect(await site.content()).toMatchObject(FULL)
  expect((await site.json('password/verify', { code, password: OTHER })).status).toBe(200)
  expect(await site.content()).toMatchObject({ ...EMPTY, name: null, isProved: true, password: 1 })
  expect(await stranger.session()).toBeNull()
  expect((await site.signIn(site.email, GOOD, stranger)).status).toBe(401)
})

test('T-ACC-15, PW-30: a link to choose a password is dead after the address was proved elsewhere with a new password', async () => {
  const site = siteAlone()
  await site.begin()
  const owner = site.world.otherBrowser()
  await site.json('password/forgot', { identifier: site.email }, owner)
  await site.mailed('Choose a new password', site.email)
  const reset = new URL(site.link('password/reset'), site.world.origin)
  await open(owner, site.link('password/verify'))
  expect((await site.json('password/verify', { password: OTHER }, owner)).status).toBe(200)
  const token = reset.searchParams.get('token')
  const finder = site.world.otherBrowser()
  const late = await site.json('password/reset', { token, password: GOOD }, finder)
  expect(await late.json()).toMatchObject({ status: 400, code: 'invalid_code' })
  expect((await site.signIn(site.email, OTHER, finder)).status).toBe(200)
})

test.each([
  ['proves the address elsewhere', false],
  ['proves the address in the session of the sign-up', true],
])(
  'T-ACC-3: the user name of a sign-up belongs to the account afterwards if its owner %s: %s',
  async (_, isHere) => {
    const site = passwordsSite({ verify: 'after' }, { plugins: [usernames()] })
    const begun = { email: 'ada@example.com', password: GOOD, username: 'mallory' }
    expect((await site.json('password/sign-up', begun)).status).toBe(202)
    const owner = isHere ? site.world : site.world.otherBrowser()
    if (isHere) await site.signIn()
    await open(owner, site.link('password/verify'))
    const chosen = isHere ? {} : { password: OTHER }
    expect((await site.json('password/verify', chosen, owner)).status).toBe(200)
    const browser = site.world.otherBrowser()
    const signedIn = await site.signIn('mallory', isHere ? GOOD : OTHER, browser)
    expect(signedIn.status).toBe(isHere ? 200 : 401)
  },
)

test('PW-23: a provider that does not prove the address does not open the account', async () => {
  const site = siteAlone()
  await site.begin()
  site.idp.profile = { ...site.idp.profile, email_verified: false }
  const owner = site.world.otherBrowser()
  await site.idp.signIn(owner)
  expect(await owner.session()).toBeNull()
  expect(await site.content()).toMatchObject({ isProved: false, password: 1, providers: [] })
})

/** Two processes with one store. */
async function processesOn(store: RaceStore): Promise<readonly [UnprovedSite, UnprovedSite]> {
  const seed = ++sites
  const [first, second] = [1, 2].map(() => unprovedSite({ adapter: store.adapter(), seed }))
  if (!first || !second) throw new Error('there are two')
  await first.begin()
  await first.signIn()
  return [first, second]
}

describe.each(raceStoreNames)('PW-23: on %s, users who did not prove the address', (name) => {
  let store: RaceStore
  beforeAll(async () => {
    store = await openRaceStore(name, 'unproved_races')
  })
  afterAll(() => store[Symbol.asyncDispose]())

  const isThere = async ({ adapter, email }: UnprovedSite): Promise<boolean> =>
    ((await adapter.getUserByEmail?.(email)) ?? null) !== null

  test('are deleted after 7 days with everything, once, and others are not', async () => {
    const [first, second] = await processesOn(store)
    const userId = String((await first.adapter.getUserByEmail?.(first.email))?.id)
    const proved = unprovedSite({ adapter: store.adapter(), seed: ++sites })
    await proved.begin()
    await proved.signIn()
    await proved.json('password/verify', { code: proved.code() })
    for (const site of [first, second, proved]) site.world.advance(7 * DAY - 1)
    await first.maintain()
    expect(await isThere(first)).toBe(true)
    for (const site of [first, second, proved]) site.world.advance(1)
    await Promise.all([first.maintain(), second.maintain(), proved.maintain()])
    expect([await isThere(first), await isThere(proved)]).toEqual([false, true])
    const { listRecords } = first.adapter[atomic] ?? {}
    for (const kind of ['password', 'unproved', 'session', 'device'])
      expect((await listRecords?.({ kind, userId, limit: 10 }))?.records).toEqual([])
    const all = [first, second, proved].flatMap(({ events }) => events)
    expect(all.filter(({ type }) => type === 'user.deleted')).toEqual([
      expect.objectContaining({ userId, reason: 'unproved' }),
    ])
    expect(await first.world.session()).toBeNull()
    expect((await first.signIn()).status).toBe(401)
    expect((await first.begin()).status).toBe(202)
    expect(await isThere(first)).toBe(true)
  })

  test('prove it once with one mail, in their session or elsewhere, however many do it at once', async () => {
    const [first, second] = await processesOn(store)
    const code = first.code()
    const link = first.link('password/verify')
    const here = [first.world, first.world.otherBrowser(), second.world]
    for (const browser of here) await first.signIn(first.email, GOOD, browser)
    const owners = Array.from({ length: 4 }, () => second.world.otherBrowser())
    for (const browser of owners) await open(browser, link)
    const answers = await Promise.all([
      ...here.map((browser) => first.json('password/verify', { code }, browser)),
      ...owners.map((browser) => second.json('password/verify', { password: OTHER }, browser)),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const isHere = answers.slice(0, here.length).some(({ status }) => status === 200)
    expect((await first.signIn(first.email, isHere ? GOOD : OTHER)).status).toBe(200)
    expect((await first.signIn(first.email, isHere ? OTHER : GOOD)).status).toBe(401)
    expect(await first.content()).toMatchObject({ isProved: true, password: 1, unproved: 0 })
  })

  test('are not deleted if the proof is at the same time and succeeds, and otherwise are', async () => {
    for (let round = 0; round < 10; round++) {
      const [first, second] = await processesOn(store)
      first.world.advance(7 * DAY - 60)
      second.world.advance(7 * DAY)
      await first.signIn()
      first.world.advance(60)
      // With a new code, since that of the sign-up is too old.
      await first.json('password/resend')
      const [answer] = await Promise.all([
        first.json('password/verify', { code: first.code() }),
        second.maintain(),
      ])
      const user = await first.adapter.getUserByEmail?.(first.email)
      expect(Boolean(user?.emailVerified)).toBe(answer.status === 200)
      expect(user ?? null).toEqual(answer.status === 200 ? expect.anything() : null)
    }
  })
})

test('PW-23: after the deletion began no proof is accepted, and while a proof is stored nobody is deleted', async () => {
  const site = siteAlone()
  await site.begin()
  await site.signIn()
  const user = await site.adapter.getUserByEmail?.(site.email)
  const key = { kind: 'unproved', key: String(user?.id) }
  const { getRecord, replaceRecord } = site.adapter[atomic] ?? {}
  const set = async (data: object): Promise<void> => {
    const record = await getRecord?.(key)
    if (!record) throw new Error('there is no record')
    await replaceRecord?.({
      ...record,
      data: { ...record.data, ...data },
      version: record.version + 1,
    })
  }
  await set({ state: 'deleting' })
  expect((await site.json('password/verify', { code: site.code() })).status).toBe(400)
  const owner = site.world.otherBrowser()
  await owner.post('/auth/signin/link', { email: site.email })
  const { text } = await site.mailed('Sign in', site.email)
  expect((await owner.get(text.slice(site.world.origin.length))).status).toBe(409)
  expect((await site.content())['isProved']).toBe(false)
  site.world.advance(8 * DAY)
  await set({ state: 'proving', since: site.world.now() })
  await site.maintain()
  expect(await site.adapter.getUserByEmail?.(site.email)).not.toBeNull()
  // A process that stopped before it stored the proof does not keep the user for ever.
  site.world.advance(3600)
  await site.maintain()
  expect(await site.adapter.getUserByEmail?.(site.email)).toBeNull()
})

test('PW-23: a handler of the event postpones the deletion, until it was refused ten times', async () => {
  let asked = 0
  const events = {
    deleteUser() {
      asked++
      throw new Error('not now')
    },
  }
  const site = siteAlone({ events })
  await site.begin()
  site.world.advance(7 * DAY)
  for (let times = 0; times < 10; times++) await site.maintain()
  expect([asked, (await site.content())['password']]).toEqual([10, 1])
  await site.maintain()
  expect(await site.adapter.getUserByEmail?.(site.email)).toBeNull()
})

test('PW-23: with `unprovedLifetime: false` nobody is deleted, and addresses that the application proves count', async () => {
  const site = siteAlone({ options: { unprovedLifetime: false } })
  await site.begin()
  site.world.advance(1000 * DAY)
  await site.maintain()
  expect(await site.content()).toMatchObject({ password: 1, unproved: 1 })
  // As an application does that proves addresses itself.
  const user = await site.adapter.getUserByEmail?.(site.email)
  await site.adapter.updateUser?.({ id: String(user?.id), emailVerified: new Date() })
  await site.signIn()
  expect((await site.json('api-keys/create', { name: 'program' })).status).toBe(201)
  expect(await site.facts(site.world)).not.toHaveProperty('address')
})

test.each(strategies)(
  'PW-23: a mailed link or code, opened in the session of the user, leaves everything as it was, with %s sessions',
  async (strategy) => {
    for (const isLink of [true, false]) {
      const site = siteAlone({ strategy, options: { requireVerified: false } })
      await site.begin()
      await site.signIn()
      await site.fill(site.world)
      const before = await site.content()
      await site.settled()
      if (isLink) {
        await site.world.post('/auth/signin/link', { email: site.email })
        const { text } = await site.mailed('Sign in', site.email)
        await open(site.world, text.slice(site.world.origin.length))
      } else {
        await site.json('email-code/send', { email: site.email })
        await site.settled()
        await site.json('email-code/verify', { code: site.code() })
      }
      expect(await site.content()).toMatchObject({ ...before, isProved: true, unproved: 1 })
      // Maintenance forgets it after the proof was stored.
      site.world.advance(3600)
      await site.maintain()
      expect(await site.content()).toMatchObject({ ...before, isProved: true, unproved: 0 })
    }
  },
)

describe.each(strategies)('with %s sessions', (strategy) => {
  test('PW-23, ACC-13: the fact `address` of each session is gone after the proof, without another sign-in', async () => {
    const site = siteAlone({ strategy, startsAt: Date.now() - 60_000 })
    await site.begin()
    await site.signIn()
    const other = site.world.otherBrowser()
    await site.signIn(site.email, GOOD, other)
    const known = { address: 'unproved', amr: ['pwd'] }
    for (const browser of [site.world, other])
      expect(await site.facts(browser)).toMatchObject(known)
    if (strategy === 'jwt') expect(await site.facts(site.world, 'edge')).toMatchObject(known)
    await site.json('password/verify', { code: site.code() })
    for (const browser of [site.world, other]) {
      expect(await site.facts(browser)).toMatchObject({ amr: ['pwd'] })
      expect(await site.facts(browser)).not.toHaveProperty('address')
    }
    if (strategy === 'database') return
    expect(await site.facts(site.world, 'edge')).not.toHaveProperty('address')
    // Without the store nobody knows of the proof before the other session is written again.
    expect(await site.facts(other, 'edge')).toMatchObject(known)
    other.advance(2 * DAY)
    await other.session()
    expect(await site.facts(other, 'edge')).not.toHaveProperty('address')
  })
})

test('T-ACC-7, PW-23: a sign-up has the same answer for each address, with as many calls of the store and mails', async () => {
  const results: object[] = []
  for (const of of ['unknown', 'proved', 'unproved']) {
    const { adapter } = recordingAdapter()
    const site = siteAlone({ adapter })
    // What a process stores once is stored already.
    await site.json('password/sign-up', { email: 'first@example.com', password: GOOD })
    const owner = site.world.otherBrowser()
    if (of !== 'unknown') await site.begin(owner)
    if (of === 'proved') {
      await site.signIn(site.email, GOOD, owner)
      await site.json('password/verify', { code: site.code() }, owner)
    }
    site.world.advance(61)
    const { log } = site.world
    log.length = 0
    const mails = site.mails.length
    const browser = site.world.otherBrowser()
    const fields = { email: site.email, password: OTHER }
    const answer = await site.json('password/sign-up', fields, browser)
    // The profile of a new user is stored after the response.
    const isOfProfile = (detail: unknown): boolean => JSON.stringify(detail).includes('"profile"')
    const calls = log.filter(
      ({ message, detail }) => message.startsWith('adapter_') && !isOfProfile(detail),
    ).length
    const body = (await answer.text()).replaceAll(/"flow":"[^"]*"/g, '')
    const page = await (await open(browser, '/auth/password/verify')).text()
    results.push({
      status: answer.status,
      body,
      headers: [...answer.headers.keys()],
      calls,
      mails: site.mails.length - mails,
      page: page.replaceAll(/value="[^"]*"/g, '').replaceAll(site.email, ''),
    })
    expect(site.mails.at(-1)?.subject).toContain(
      of === 'unknown' ? 'is your code' : 'You have an account',
    )
    // The password of the account is as it was.
    if (of !== 'unknown') {
      expect((await site.signIn(site.email, OTHER, browser)).status).toBe(401)
      expect((await site.signIn(site.email, GOOD, owner)).status).toBe(200)
    }
  }
  const [unknown, proved, unproved] = results
  expect(proved).toEqual(unknown)
  expect(unproved).toEqual(unknown)
})
