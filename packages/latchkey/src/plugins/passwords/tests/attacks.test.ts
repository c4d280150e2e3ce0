import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  GOOD,
  OTHER,
  type PasswordsSite,
  passwordsSite,
} from '../../../../tests/support/passwords-site.ts'
import { recordingAdapter } from '../../../../tests/support/recording.ts'
import { type StoreName, sharedStores } from '../../../../tests/support/shared-stores.ts'
import { tokensApi } from '../../../../tests/support/tokens-site.ts'
import { type Adapter, atomic } from '../../../model/adapter.ts'
import { tokens } from '../../tokens/index.ts'

const html = { headers: { accept: 'text/html' } }
const stores = sharedStores('attacks')
beforeAll(() => stores.open())
afterAll(() => stores.close())

const STORES: readonly StoreName[] = ['memory', 'SQLite', 'Redis']
let sites = 0

/** A site on a store that others use, too, and addresses that nobody else has there. */
function siteOn(name: StoreName): { site: PasswordsSite; addressOf: (person: string) => string } {
  const number = ++sites
  const secret = `the secret of site ${number}, 0123456789abcdef`
  const site = passwordsSite({}, { adapter: stores.adapter(name), secret }, { seed: number })
  return { site, addressOf: (person) => `${person}-${number}@example.com` }
}

/** Everything that records hold, as text. */
async function everyRecord(adapter: Adapter | undefined): Promise<string> {
  const { listRecords } = adapter?.[atomic] ?? {}
  const all: unknown[] = []
  for (const kind of ['password', 'sign-up', 'password-reset', 'device', 'strikes'])
    all.push(...((await listRecords?.({ kind, limit: 100 }))?.records ?? []))
  return JSON.stringify(all)
}

describe.each(STORES)('an account that somebody else began, on %s', (name) => {
  test('T-ACC-1: the owner who comes by a mail link finds nothing of an attacker who signed up with the address', async () => {
    const { site, addressOf } = siteOn(name)
    const victimAddress = addressOf('victim')
    const attacker = site.world
    await site.json('password/sign-up', { email: victimAddress, password: OTHER, name: 'Mallory' })
    const { adapter } = attacker.config
    // As a sign-in by mail or with a provider does.
    await adapter?.createUser?.({
      id: `owner of ${victimAddress}`,
      email: victimAddress,
      emailVerified: new Date(attacker.now()),
      name: null,
    })
    expect((await site.json('password/verify', { code: site.code() })).status).toBe(400)
    expect((await site.signIn(victimAddress, OTHER)).status).toBe(401)
    expect(await adapter?.getUser?.(`owner of ${victimAddress}`)).toMatchObject({ name: null })
    expect(await attacker.session()).toBeNull()
  })

  test('T-ACC-2, T-ACC-3: a reset by the owner ends the session and the ways in of the person who made the account', async () => {
    const { site, addressOf } = siteOn(name)
    const victimAddress = addressOf('victim')
    const { adapter } = site.world.config
    await adapter?.createUser?.({
      id: `user ${victimAddress}`,
      email: victimAddress,
      emailVerified: null,
    })
    await adapter?.linkAccount?.({
      userId: `user ${victimAddress}`,
      provider: 'mallory',
      providerAccountId: victimAddress,
      type: 'oauth',
    })
    const { createLatchkey } = await import('../../../entries/index.ts')
    const { api } = createLatchkey(site.world.config as never) as never as {
      api: { passwords: { set(id: string, password: string, options: object): Promise<void> } }
    }
    await api.passwords.set(`user ${victimAddress}`, OTHER, {})
    const attacker = site.world
    expect((await site.signIn(victimAddress, OTHER, attacker)).status).toBe(200)
    expect(await attacker.session()).not.toBeNull()
    const owner = site.world.otherBrowser()
    await site.json('password/forgot', { identifier: victimAddress }, owner)
    await site.settled()
    await owner.get(site.link('password/reset'), html)
    expect((await site.json('password/reset', { password: GOOD }, owner)).status).toBe(200)
    expect(await attacker.session()).toBeNull()
    expect((await site.signIn(victimAddress, OTHER, attacker)).status).toBe(401)
    const account = { provider: 'mallory', providerAccountId: victimAddress }
    expect(await adapter?.getUserByAccount?.(account)).toBeNull()
  })

  test('T-ACC-16: a step that was planted into the browser of a victim finishes only the account that it names', async () => {
    const { site, addressOf } = siteOn(name)
    const victimAddress = addressOf('victim')
    const attacker = site.world
    await site.json('password/sign-up', { email: addressOf('mallory'), password: OTHER })
    const code = site.code()
    const victim = attacker.otherBrowser()
    await site.signUp(victimAddress, GOOD, victim)
    for (const [name, value] of attacker.jar)
      if (name.includes('latchkey.flow')) victim.jar.set(name, value)
    const page = await (await victim.get('/auth/password/verify', html)).text()
    expect(page).toContain(addressOf('mallory'))
    await site.json('password/verify', { code }, victim)
    expect(await victim.session()).toMatchObject({ user: { email: addressOf('mallory') } })
    // The account of the victim is as it was.
    expect((await site.signIn(victimAddress, GOOD, victim.otherBrowser())).status).toBe(200)
    expect((await site.signIn(victimAddress, OTHER, victim.otherBrowser())).status).toBe(401)
  })
})

describe('whether an address has an account', () => {
  /** Does something with a known and an unknown address, and returns what the store was asked each time. */
  async function calls(
    act: (site: PasswordsSite, email: string) => Promise<Response>,
  ): Promise<{ names: string[]; status: number; body: string; headers: string[] }[]> {
    const results = []
    for (const email of ['known@example.com', 'other@example.com']) {
      const { adapter } = recordingAdapter()
      const site = passwordsSite({}, { adapter })
      await site.signUp('known@example.com')
      site.world.advance(61)
      const names: string[] = []
      const { log } = site.world
      log.length = 0
      const response = await act(site, email)
      names.push(
        ...log
          .filter(({ message }) => message.startsWith('adapter_'))
          .map(({ message }) => message),
      )
      const body = (await response.text()).replaceAll(/"flow":"[^"]*"/g, '')
      results.push({ names, status: response.status, body, headers: [...response.headers.keys()] })
      await site.settled()
    }
    return results
  }

  test.each([
    [
      'a sign-up',
      (site: PasswordsSite, email: string) =>
        site.json('password/sign-up', { email, password: OTHER }, site.world.otherBrowser()),
    ],
    [
      'a sign-in with a wrong password',
      (site: PasswordsSite, email: string) =>
        site.signIn(email, 'wrong', site.world.otherBrowser()),
    ],
  ] as const)(
    'T-ACC-7, T-PWD-3: %s asks the store for the same, and has the same answer',
    async (_, act) => {
      const [known, unknown] = await calls(act)
      expect(known?.names.length).toBeGreaterThan(2)
      expect(known).toEqual(unknown)
    },
  )

  test('T-ACC-7: a request for a link has the same answer, before the store is asked who it is for', async () => {
    const [known, unknown] = await calls((site, email) =>
      site.json('password/forgot', { identifier: email }, site.world.otherBrowser()),
    )
    for (const part of ['status', 'body', 'headers'] as const)
      expect(known?.[part]).toEqual(unknown?.[part])
  })

  test('T-ACC-8: a reached limit refuses known and unknown names alike', async () => {
    const site = passwordsSite()
    await site.signUp()
    for (const name of ['ada@example.com', 'nobody@example.com']) {
      const browser = site.world.otherBrowser()
      const statuses: number[] = []
      for (let tries = 0; tries < 11; tries++)
        statuses.push((await site.signIn(name, 'wrong', browser)).status)
      expect(statuses).toEqual([...Array<number>(10).fill(401), 429])
    }
  })
})

describe.each(STORES)('a copied store, of %s,', (name) => {
  test('T-ACC-14: has no password hash that can be read, and no value that works as a token or code', async () => {
    const { site, addressOf } = siteOn(name)
    await site.signUp(addressOf('ada'))
    await site.json('password/forgot', { identifier: addressOf('ada') })
    await site.settled()
    const other = site.world.otherBrowser()
    await site.json('password/sign-up', { email: addressOf('bob'), password: OTHER }, other)
    const code = site.code()
    const dump = await everyRecord(site.world.config.adapter)
    expect(dump.length).toBeGreaterThan(500)
    expect(dump).not.toMatch(/\$argon2|\$scrypt/)
    expect(dump).not.toContain(code)
    const token = new URL(site.link('password/reset'), 'https://app.example').searchParams.get(
      'token',
    )
    expect(dump).not.toContain(token)
    const values = new Set(dump.match(/[\w-]{20,}/g))
    for (const value of values) {
      const reset = await site.json('password/reset', {
        token: value.slice(0, 200),
        password: OTHER,
      })
      expect([400, 429]).toContain(reset.status)
    }
  })

  test('T-ACC-20: codes of many sign-ups of one address are guessed at most ten times a day', async () => {
    const { site, addressOf } = siteOn(name)
    let compared = 0
    for (let begun = 0; begun < 3; begun++) {
      const browser = site.world.otherBrowser()
      await site.json('password/sign-up', { email: addressOf('victim'), password: OTHER }, browser)
      const right = site.code()
      for (let tries = 0; tries < 7; tries++) {
        const code = String((Number(right) + tries + 1) % 1_000_000).padStart(6, '0')
        const { status } = await site.json('password/verify', { code }, browser)
        if (status === 400) compared++
      }
      site.world.advance(61)
    }
    expect(compared).toBeLessThanOrEqual(10)
  })
})

test('T-ACC-3: a reset by the owner ends the API keys of the person who made the account', async () => {
  const site = passwordsSite({}, { plugins: [tokens({ apiKeys: { scopes: ['read'] } })] })
  const { world } = site
  const { createLatchkey } = await import('../../../entries/index.ts')
  const { api } = createLatchkey(world.config as never) as never as {
    api: {
      passwords: { set(id: string, password: string, options: object): Promise<void> }
    }
  }
  const user = { id: 'claimed', email: 'ada@example.com', emailVerified: null }
  await world.config.adapter?.createUser?.(user)
  await api.passwords.set(user.id, OTHER, {})
  await site.signIn(user.email, OTHER)
  const made = await site.json('api-keys/create', { name: 'program', scopes: ['read'] })
  const { token } = (await made.json()) as { token: string }
  const owner = world.otherBrowser()
  await site.json('password/forgot', { identifier: user.email }, owner)
  await site.settled()
  await owner.get(site.link('password/reset'), html)
  world.advance(1)
  expect((await site.json('password/reset', { password: GOOD }, owner)).status).toBe(200)
  const keys = tokensApi(world)
  expect(await keys.verifyKey(token)).toMatchObject({ ok: false })
})
