import { describe, expect, test } from 'vitest'
import {
  passwordSignIn,
  providerSignIn,
  SESSION_COOKIE,
  strategies,
} from '../../../../tests/attacks/support/site.ts'
import {
  abilitiesOf,
  apiOf,
  DAY,
  idOf,
  isoDate,
  listOf,
  nameOf,
  postJson,
  recordOf,
  requestOf,
  siteOf,
  twoBrowsers,
} from '../../../../tests/support/sessions-site.ts'
import type { AuthConfig } from '../../../options/auth-config.ts'
import type { World } from '../../../testing/world.ts'

/** Takes the cookies of an answer, as its browser does. */
function take(world: World, { headers }: { headers: Headers }): void {
  for (const each of headers.getSetCookie()) {
    const [name = '', value = ''] = each.split(';', 1)[0]?.split('=', 2) ?? []
    world.jar.set(name, value)
  }
}

const renew = async (world: World) =>
  take(world, await apiOf(world).renew(requestOf(world), { amr: ['pwd', 'otp'] }))

describe.each(strategies)('a renewal of a %s session', (strategy) => {
  test('creates another token and name, and keeps its other facts', async () => {
    const { world } = await siteOf(strategy)
    const began = world.now()
    await passwordSignIn(world)
    const old = { id: await idOf(world), request: requestOf(world) }
    await postJson(world, 'rename', { id: old.id, name: 'Work' })
    world.advance(3 * DAY)
    await renew(world)
    const id = await idOf(world)
    expect(id).not.toBe(old.id)
    expect(await listOf(world)).toMatchObject([
      {
        id,
        name: 'Work',
        begun: isoDate(began),
        authTime: isoDate(world.now()),
        methods: ['pwd', 'otp'],
        expires: isoDate(world.now() + 30 * DAY * 1000),
        provider: 'credentials',
        current: true,
      },
    ])
    expect(await nameOf(world)).toBe('ada')
    expect(await apiOf(world).isFresh(requestOf(world))).toBe(true)
    expect(await apiOf(world).confirm(old.request)).toBeNull()
    expect((await recordOf(world, old.id))?.data).toMatchObject({ ended: { reason: 'replaced' } })
    const rows = (await abilitiesOf(world).listSessionsByUserId?.('ada')) ?? []
    expect(rows).toHaveLength(strategy === 'database' ? 1 : 0)
  })

  test('does not move its absolute end', async () => {
    const { world } = await siteOf(strategy, { options: { absoluteMaxAge: 10 * DAY } })
    const end = isoDate(world.now() + 10 * DAY * 1000)
    await passwordSignIn(world)
    world.advance(9 * DAY)
    await renew(world)
    expect((await listOf(world))[0]?.expires).toBe(end)
    world.advance(DAY)
    expect(await nameOf(world)).toBeNull()
  })

  test('keeps the claims of the application', async () => {
    const callbacks: AuthConfig['callbacks'] = {
      jwt: ({ token, account }) => ({ ...token, ...(account && { role: 'clerk' }) }),
      session: ({ session, token }) => ({ ...session, role: token?.['role'] }),
    }
    const { world } = await siteOf(strategy, { config: { callbacks } })
    await passwordSignIn(world)
    await renew(world)
    expect(await world.session()).toMatchObject(strategy === 'jwt' ? { role: 'clerk' } : {})
  })

  test('happens once for any number of simultaneous calls', async () => {
    const { world } = await siteOf(strategy, { options: { limit: 1, atLimit: 'refuse' } })
    await passwordSignIn(world)
    const request = requestOf(world)
    const all = await Promise.allSettled(
      Array.from({ length: 10 }, () => apiOf(world).renew(request, { amr: ['otp'] })),
    )
    const done = all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(done).toHaveLength(1)
    for (const each of done) take(world, each)
    expect(await listOf(world)).toHaveLength(1)
    expect(await nameOf(world)).toBe('ada')
  })

  test('ends no session of another browser at a limit, for any number of simultaneous calls', async () => {
    const { world, other } = await twoBrowsers(strategy, { options: { limit: 2 } })
    const request = requestOf(world)
    const all = await Promise.allSettled(
      Array.from({ length: 5 }, () => apiOf(world).renew(request, { amr: ['otp'] })),
    )
    const done = all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(done).toHaveLength(1)
    for (const each of done) take(world, each)
    expect([await nameOf(world), await nameOf(other)]).toEqual(['ada', 'ada'])
    expect(await listOf(world)).toHaveLength(2)
  })

  test('is refused without a session, or for one that ended', async () => {
    const { world, other } = await twoBrowsers(strategy)
    await apiOf(world).end({ userId: 'ada', id: await idOf(other) })
    for (const browser of [other, world.otherBrowser()]) {
      const renewed = apiOf(world).renew(requestOf(browser), { amr: ['otp'] })
      await expect(renewed).rejects.toMatchObject({ code: 'unauthenticated' })
    }
    expect(await listOf(world)).toHaveLength(1)
  })

  test('that cannot be stored leaves the session as it was', async () => {
    const { world } = await siteOf(strategy)
    await passwordSignIn(world)
    const id = await idOf(world)
    const { createRecord } = abilitiesOf(world)
    abilitiesOf(world).createRecord = () => Promise.reject(new Error('the store is away'))
    await expect(apiOf(world).renew(requestOf(world), { amr: ['otp'] })).rejects.toThrow()
    Object.assign(abilitiesOf(world), { createRecord })
    expect(await idOf(world)).toBe(id)
    expect(await listOf(world)).toHaveLength(1)
  })
})

describe.each(strategies)('the name of a %s session', (strategy) => {
  test('is sent to the browser with `exposeId`, and not without', async () => {
    const { world } = await siteOf(strategy, { options: { exposeId: true } })
    await passwordSignIn(world)
    expect(await world.session()).toMatchObject({ id: await idOf(world), user: { name: 'ada' } })
    expect(await apiOf(world).confirm(requestOf(world))).toMatchObject({ id: await idOf(world) })
    const { world: plain } = await siteOf(strategy)
    await passwordSignIn(plain)
    expect(await plain.session()).not.toHaveProperty('id')
  })
})

describe.each(strategies)('SES-19: another sign-in in the browser of a %s session', (strategy) => {
  test('ends it with that reason for any user, and a refused sign-in does not', async () => {
    const told: string[] = []
    const events: AuthConfig['events'] = {
      sessionEnded: ({ sid, userId, reason }) => void told.push(`${sid} ${userId} ${reason}`),
    }
    const { world } = await siteOf(strategy, { config: { events } })
    await passwordSignIn(world)
    const old = { id: await idOf(world), cookie: world.jar.get(SESSION_COOKIE) ?? '' }
    await passwordSignIn(world, 'bob', { password: 'wrong' })
    expect(told).toEqual([])
    expect(await nameOf(world)).toBe('ada')
    await passwordSignIn(world, 'bob')
    expect(told).toEqual([`${old.id} ada replaced`])
    world.jar.set(SESSION_COOKIE, old.cookie)
    expect(await apiOf(world).confirm(requestOf(world))).toBeNull()
    expect(await apiOf(world).list({ userId: 'ada' })).toEqual([])
  })
})

describe.each(strategies)('T-SESS-6: an account that is linked in a %s session', (strategy) => {
  test('makes it neither fresher nor stronger, while a sign-in with the account does', async () => {
    const { world } = await siteOf(strategy)
    const began = world.now()
    await passwordSignIn(world)
    world.advance(599)
    await providerSignIn(world, 'acme')
    expect(await nameOf(world)).toBe('ada')
    expect(await listOf(world)).toMatchObject([{ authTime: isoDate(began), methods: ['pwd'] }])
    world.advance(2)
    expect(await apiOf(world).isFresh(requestOf(world))).toBe(false)
    await providerSignIn(world, 'acme')
    expect(await listOf(world)).toMatchObject([
      { authTime: isoDate(world.now()), methods: ['fed'] },
    ])
  })
})

test.each([
  [['pwd'], 'password'],
  [['pwd', 'otp', 'mfa'], 'password, authenticator app'],
  [['pwd', 'email', 'mca', 'mfa'], 'password, code by email'],
  [['pwd', 'recovery', 'mfa'], 'password, recovery code'],
  [['fed', 'pop', 'user', 'mfa'], 'credentials, passkey'],
  // A passkey alone is named by its provider.
  [['pop', 'user'], 'credentials'],
])('the page of sessions says for the methods %j: with %s', async (amr, ways) => {
  const { world } = await siteOf('jwt')
  await passwordSignIn(world)
  take(world, await apiOf(world).renew(requestOf(world), { amr }))
  const page = await world.get('/auth/account/sessions', { headers: { accept: 'text/html' } })
  const [, shown = ''] = /with ((?:password|credentials)[^<]*)</.exec(await page.text()) ?? []
  expect(shown).toBe(ways)
})
