import { describe, expect, test } from 'vitest'
import { vaultSite } from '../../../../tests/attacks/support/vault.ts'
import { limits } from '../index.ts'

const RIGHT = 'open sesame'
const NO_RULES = limits({ rules: { 'vault.open': false, post: false } })

describe('LIM-5: wrong proofs in a row', () => {
  test('disable the way in for unknown browsers after 80, with one mail to the owner', async () => {
    const { open, told, world, ada } = await vaultSite([NO_RULES])
    for (let i = 0; i < 79; i++) await open('a guess', { browser: world.otherBrowser() })
    expect((await open(RIGHT, { browser: world.otherBrowser() })).status).toBe(200)
    for (let i = 0; i < 80; i++) await open('a guess', { browser: world.otherBrowser() })
    expect(told).toEqual([ada.id])
    for (let i = 0; i < 3; i++)
      expect((await open(RIGHT, { browser: world.otherBrowser() })).status).toBe(403)
    expect(told).toHaveLength(1)
  })

  test('of strangers leave a browser alone in which the owner signed in before', async () => {
    const { open, world } = await vaultSite([NO_RULES])
    expect((await open(RIGHT)).status).toBe(200)
    for (let i = 0; i < 80; i++) await open('a guess', { browser: world.otherBrowser() })
    expect((await open(RIGHT, { browser: world.otherBrowser() })).status).toBe(403)
    expect((await open(RIGHT)).status).toBe(200)
  })

  test('in a known browser throw it out of the known ones, and leave others alone', async () => {
    const { open, world, isKnown } = await vaultSite([NO_RULES])
    const other = world.otherBrowser()
    await open(RIGHT)
    await open(RIGHT, { browser: other })
    expect(await isKnown()).toBe(true)
    for (let i = 0; i < 80; i++) await open('a guess')
    expect(await isKnown()).toBe(false)
    expect(await isKnown(other)).toBe(true)
    expect((await open(RIGHT, { browser: other })).status).toBe(200)
    expect((await open(RIGHT, { browser: world.otherBrowser() })).status).toBe(200)
  })

  test('go on after a sign-in, which gives the browser a new cookie', async () => {
    const { open, world, host, ada, request, isKnown } = await vaultSite([NO_RULES])
    await open(RIGHT)
    const another = () => host().attempts.strikes('another way')
    for (let round = 0; round < 4; round++) {
      const cookie = world.jar.get('__Host-latchkey.device')
      for (let i = 0; i < 20; i++) {
        expect(await isKnown()).toBe(true)
        await another().wrong(ada.id, request('192.0.2.1'))
      }
      if (round === 3) break
      expect((await open(RIGHT)).status).toBe(200)
      expect(world.jar.get('__Host-latchkey.device')).not.toBe(cookie)
    }
    expect(await isKnown()).toBe(false)
  })

  test('LIM-5: of a browser that was forgotten do not count against it after the next sign-in', async () => {
    const { open, host, ada, request, isKnown } = await vaultSite([NO_RULES])
    const another = () => host().attempts.strikes('another way')
    for (let i = 0; i < 3; i++) await open(RIGHT)
    for (let i = 0; i < 80; i++) await another().wrong(ada.id, request('192.0.2.1'))
    expect(await isKnown()).toBe(false)
    await open(RIGHT)
    expect(await another().isDisabled(ada.id, request('192.0.2.1'))).toBe(false)
    expect(await another().wrong(ada.id, request('192.0.2.1'))).toMatchObject({ count: 1 })
  })

  test('are forgotten by a right one in the same pool, and not in another', async () => {
    const { open, world } = await vaultSite([NO_RULES])
    await open(RIGHT)
    for (let i = 0; i < 79; i++) await open('a guess', { browser: world.otherBrowser() })
    expect((await open(RIGHT)).status).toBe(200)
    await open('a guess', { browser: world.otherBrowser() })
    expect((await open(RIGHT, { browser: world.otherBrowser() })).status).toBe(403)
  })

  test('are each counted when 100 arrive at once', async () => {
    const { world, ada, open, told, host } = await vaultSite([NO_RULES])
    await world.get('/auth/session')
    await Promise.all(
      Array.from({ length: 100 }, () => open('a guess', { browser: world.otherBrowser() })),
    )
    const page = await host().records.list({ kind: 'strikes', userId: ada.id, limit: 10 })
    expect(page.records.map(({ data }) => data['count'])).toEqual([100])
    expect(told).toEqual([ada.id])
  })
})

describe('a known browser', () => {
  test('is one in which the user signed in, until it is forgotten', async () => {
    const { open, world, isKnown, ada, host } = await vaultSite()
    expect(await isKnown()).toBe(false)
    await open(RIGHT)
    expect(await isKnown()).toBe(true)
    expect(await isKnown(world, 'somebody else')).toBe(false)
    expect(await isKnown(world.otherBrowser())).toBe(false)
    await host().attempts.forgetBrowsers(ada.id)
    expect(await isKnown()).toBe(false)
    await open(RIGHT)
    expect(await isKnown()).toBe(true)
  })

  test('is known for 400 days after the last sign-in', async () => {
    const { open, world, isKnown } = await vaultSite()
    await open(RIGHT)
    world.advance(300 * 86_400)
    await open(RIGHT)
    world.advance(399 * 86_400)
    expect(await isKnown()).toBe(true)
    world.advance(2 * 86_400)
    expect(await isKnown()).toBe(false)
  })

  test.each(['jwt', 'database'] as const)(
    'MF-18: is forgotten for the user who signs out with `forget`, and for no other, strategy %s',
    async (strategy) => {
      const { open, world, isKnown, ada, adapter, host } = await vaultSite([], {
        config: { session: { strategy } },
      })
      const bob = await adapter.createUser?.({
        id: crypto.randomUUID(),
        email: 'bob@example.com',
        emailVerified: new Date(0),
      })
      expect((await open(RIGHT, { as: 'bob@example.com' })).status).toBe(200)
      expect(await isKnown(world, bob?.id)).toBe(true)
      expect((await open(RIGHT)).status).toBe(200)
      expect(await isKnown(world, bob?.id)).toBe(true)
      const page = await world.get('/auth/signout', { headers: { accept: 'text/html' } })
      expect(await page.text()).not.toContain('name="forget"')
      await world.post('/auth/signout', { forget: '0' })
      expect(await isKnown()).toBe(true)
      await open(RIGHT)
      await world.post('/auth/signout', { forget: '1' })
      expect(await isKnown(world, ada.id)).toBe(false)
      const left = await host().records.list({ kind: 'device', userId: ada.id, limit: 9 })
      expect(left.records).toEqual([])
      expect(await isKnown(world, bob?.id)).toBe(true)
      await world.post('/auth/signout', { forget: '1' })
      expect(world.jar.has('__Host-latchkey.device')).toBe(false)
    },
  )

  test('LIM-5: is mended by a reset: all pools are clear', async () => {
    const { open, world, host, ada } = await vaultSite([NO_RULES])
    for (let i = 0; i < 80; i++) await open('a guess', { browser: world.otherBrowser() })
    expect((await open(RIGHT)).status).toBe(403)
    await host().attempts.strikes('something else').clear(ada.id)
    expect((await open(RIGHT)).status).toBe(403)
    await host().attempts.strikes('word').clear(ada.id)
    expect((await open(RIGHT)).status).toBe(200)
  })
})
