import { describe, expect, test, vi } from 'vitest'
import { vault, vaultSite } from '../../../../tests/attacks/support/vault.ts'
import { withClientAddress } from '../../../http/origin/client-address.ts'
import { createClients } from '../address.ts'
import { accountRules } from '../rules/account-rules.ts'

const RIGHT = 'open sesame'
const HOUR = 3600
const DAY = 24 * HOUR

const siteOfPasswords = (
  limits = { 'vault.open': accountRules('password.sign-in')['password.sign-in'] ?? [] },
) => vaultSite([], { own: vault({ limits }) })

/** Addresses of different networks. */
const network = (n: number): string => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`

describe('T-ACC-30: wrong passwords from many networks', () => {
  test('do not keep the owner out of a browser in which the owner signed in before', async () => {
    const { open, world } = await siteOfPasswords()
    expect((await open(RIGHT)).status).toBe(200)
    for (let day = 0; day < 3; day++) {
      for (let n = 0; n < 200; n++)
        await open('a guess', { from: network(n), browser: world.otherBrowser() })
      expect((await open(RIGHT)).status).toBe(200)
      world.advance(DAY)
    }
  })

  test('cause at most one mail', async () => {
    const { open, world, told } = await siteOfPasswords()
    for (let day = 0; day < 4; day++) {
      for (let n = 0; n < 50; n++) {
        await open('a guess', { from: network(n), browser: world.otherBrowser() })
        world.advance(DAY / 50)
      }
    }
    expect(told).toHaveLength(1)
  })
})

describe('T-ACC-31: guesses from many networks', () => {
  test('at one account are 10 in a quarter of an hour, and 50 a day', async () => {
    const { open, worked, world } = await siteOfPasswords()
    for (let n = 0; n < 40; n++)
      await open('a guess', { from: network(n), browser: world.otherBrowser() })
    expect(worked).toHaveLength(10)
    for (let quarter = 1; quarter < 20; quarter++) {
      world.advance(15 * 60 + 1)
      for (let n = 0; n < 20; n++)
        await open('a guess', { from: network(n), browser: world.otherBrowser() })
    }
    expect(worked.length).toBeGreaterThan(40)
    expect(worked.length).toBeLessThanOrEqual(50)
  })

  test('at one account disable it for unknown browsers after 80 in all, and those under way', async () => {
    const { open, worked, world, host, ada } = await siteOfPasswords()
    for (let round = 0; round < 200; round++) {
      await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          open('a guess', { from: network(round * 12 + n), browser: world.otherBrowser() }),
        ),
      )
      world.advance(HOUR)
    }
    expect(worked.length).toBeGreaterThan(80)
    const page = await host().records.list({ kind: 'strikes', userId: ada.id, limit: 10 })
    expect(page.records).toHaveLength(1)
    expect(Number(page.records[0]?.data['disabledAt'])).toBeGreaterThan(0)
    expect((await open(RIGHT, { from: network(9) })).status).not.toBe(200)
  })

  test('with one password at many accounts are 30 in a quarter of an hour from each network', async () => {
    const { open, worked } = await siteOfPasswords()
    for (let n = 0; n < 60; n++) await open('a guess', { as: `user-${n}@example.com` })
    expect(worked).toHaveLength(30)
  })
})

describe('LIM-6: an identifier', () => {
  test('is refused alike, whether it has an account or not', async () => {
    const { open, world } = await siteOfPasswords()
    const statuses = async (as: string): Promise<number[]> => {
      const seen = []
      for (let n = 0; n < 12; n++)
        seen.push(
          (await open('a guess', { as, from: network(n), browser: world.otherBrowser() })).status,
        )
      return seen
    }
    expect(await statuses('ada@example.com')).toEqual(await statuses('nobody@example.com'))
  })

  test('has another rule for a known browser: 10 in a quarter of an hour', async () => {
    const { open, worked, world } = await siteOfPasswords()
    await open(RIGHT)
    world.advance(HOUR)
    for (let n = 0; n < 20; n++) await open('a guess', { from: network(n) })
    expect(worked).toHaveLength(11)
    const other = world.otherBrowser()
    expect((await open(RIGHT, { from: network(99), browser: other })).status).toBe(200)
  })
})

describe('LIM-6: the rule of a known browser', () => {
  test('goes on after a sign-in, so signing in buys no further guesses', async () => {
    const { open, worked, world } = await siteOfPasswords()
    await open(RIGHT)
    world.advance(HOUR)
    for (let n = 0; n < 20; n++) await open(n % 2 === 0 ? RIGHT : 'a guess', { from: network(n) })
    expect(worked).toHaveLength(11)
  })
})

describe('T-ACC-34: mails to one address', () => {
  test('are at most 15 a day over all kinds, from any number of networks', async () => {
    const { host, open, request } = await siteOfPasswords()
    await open('a guess')
    let sent = 0
    for (let n = 0; n < 60; n++) {
      const address = ['bob@example.com', 'BOB@example.com', ' bob@Example.com'][n % 3] ?? ''
      if (await host().attempts.mayMail(address, request(network(n)))) sent++
    }
    expect(sent).toBe(15)
    expect(await host().attempts.mayMail('eve@example.com', request('192.0.2.1'))).toBe(true)
  })

  test('are allowed again a day later, and to the owner in a known browser meanwhile', async () => {
    const { host, open, request, world } = await siteOfPasswords()
    await open(RIGHT)
    const stranger = { ...request('192.0.2.1'), cookies: { get: () => undefined, names: () => [] } }
    for (let n = 0; n < 15; n++) await host().attempts.mayMail('ada@example.com', stranger)
    expect(await host().attempts.mayMail('ada@example.com', stranger)).toBe(false)
    expect(await host().attempts.mayMail('ada@example.com', request('192.0.2.1'))).toBe(true)
    world.advance(DAY + 1)
    expect(await host().attempts.mayMail('ada@example.com', stranger)).toBe(true)
  })
})

describe('LIM-8: a limit that was reached', () => {
  test('is told once for a key and window', async () => {
    const security = vi.fn()
    const { open, world, ada } = await vaultSite([], { config: { events: { security } } })
    for (let n = 0; n < 9; n++) await open('a guess')
    const reached = () =>
      security.mock.calls.map(([event]) => event).filter(({ type }) => type === 'limit.reached')
    expect(reached()).toEqual([
      expect.objectContaining({ reason: 'vault.open by pair', outcome: 'refused', userId: ada.id }),
    ])
    for (let n = 0; n < 7; n++) await open('a guess', { as: 'nobody@example.com' })
    expect(reached().at(-1)).toMatchObject({ reason: 'vault.open by pair' })
    expect(reached().at(-1)?.userId).toBeUndefined()
    expect(reached().at(-1)?.address).toMatch(/^[\w-]{43}$/)
    world.advance(61)
    for (let n = 0; n < 7; n++) await open('a guess')
    expect(reached().length).toBeGreaterThan(2)
  })
})

describe('T-ACC-32: the address of a client', () => {
  const networkOf = async (
    address: string | undefined,
    headers: Record<string, string> = {},
    client?: Parameters<typeof createClients>[0],
  ) => {
    const clients = await createClients(client, [])
    const request = withClientAddress(new Request('https://app.example/', { headers }), address)
    return clients.networksOf(request)?.own
  }

  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['2001:db8:1:2:3::4', '2001:db8:1:2::/64'],
    ['[2001:DB8:1:2:ffff::1]:443', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::%eth0', '2001:db8:1:2::/64'],
  ])('LIM-2: %s is the network %s', async (given, prefix) => {
    expect(await networkOf(given)).toBe(prefix)
  })

  test('LIM-1: is the n-th entry from the right behind n proxies', async () => {
    const forwarded = { 'x-forwarded-for': '1.1.1.1, 203.0.113.7' }
    expect(await networkOf('10.0.0.1', forwarded, { hops: 1 })).toBe('203.0.113.7')
    const one = { 'x-forwarded-for': '203.0.113.7' }
    expect(await networkOf('192.0.2.9', one, { hops: 2 })).toBe('192.0.2.9')
  })
})
