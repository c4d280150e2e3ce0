import { describe, expect, test } from 'vitest'
import {
  createSite,
  passwordSignIn,
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
  recordOf,
  requestOf,
  siteOf,
} from '../../../../tests/support/sessions-site.ts'
import type { AuthConfig } from '../../../options/auth-config.ts'
import { sessions } from '../index.ts'

const MINUTE = 60

/** What the browser was told of its session's cookie last. */
async function cookieOf(answer: Response): Promise<string> {
  return answer.headers.getSetCookie().find((each) => each.startsWith(SESSION_COOKIE)) ?? ''
}

const expiresOf = (cookie: string): string => {
  const [, date = ''] = /expires=([^;]*)/i.exec(cookie) ?? []
  return date && isoDate(Date.parse(date))
}

describe.each(strategies)('T-SESS-3, SES-15: the absolute end of %s sessions', (strategy) => {
  test('limits cookie, row and record from the sign-in on', async () => {
    const { world } = await siteOf(strategy, { options: { absoluteMaxAge: 10 * DAY } })
    const end = isoDate(world.now() + 10 * DAY * 1000)
    const answer = await passwordSignIn(world)
    expect(expiresOf(await cookieOf(answer))).toBe(end)
    const [session] = await listOf(world)
    expect(session?.expires).toBe(end)
    expect((await world.session())?.expires).toBe(end)
    const record = await recordOf(world, session?.id ?? '')
    expect(record?.data).toMatchObject({ abs: Date.parse(end) / 1000, until: Date.parse(end) })
    expect(record?.expires).toEqual(new Date(Date.parse(end) + DAY * 1000))
    const [row] = (await abilitiesOf(world).listSessionsByUserId?.('ada')) ?? []
    if (strategy === 'database') expect(row?.expires).toEqual(new Date(end))
  })

  test('is not passed by any extension', async () => {
    const { world } = await siteOf(strategy, { options: { absoluteMaxAge: 40 * DAY } })
    const end = isoDate(world.now() + 40 * DAY * 1000)
    await passwordSignIn(world)
    const id = await idOf(world)
    world.advance(20 * DAY)
    expect(expiresOf(await cookieOf(await world.get('/auth/session')))).toBe(end)
    expect((await recordOf(world, id))?.data).toMatchObject({ until: Date.parse(end) })
    for (let day = 20; day < 39; day++) {
      world.advance(DAY)
      expect((await world.session())?.expires).toBe(end)
    }
    world.advance(DAY - 1)
    expect(await nameOf(world)).toBe('ada')
    world.advance(1)
    expect(await nameOf(world)).toBeNull()
    expect(await apiOf(world).list({ userId: 'ada' })).toEqual([])
  })

  test('is reported with its reason once, by the read that finds it', async () => {
    const told: string[] = []
    const events: AuthConfig['events'] = {
      sessionEnded: ({ sid, reason }) => void told.push(`${sid} ${reason}`),
    }
    const options = { absoluteMaxAge: 10 * DAY }
    const { world } = await siteOf(strategy, { options, config: { events } })
    await passwordSignIn(world)
    const id = await idOf(world)
    const kept = world.jar.get(SESSION_COOKIE) ?? ''
    world.advance(10 * DAY)
    for (let i = 0; i < 2; i++) {
      world.jar.set(SESSION_COOKIE, kept)
      expect(await nameOf(world)).toBeNull()
    }
    expect(told).toEqual([`${id} absolute`])
    expect((await recordOf(world, id))?.data).toMatchObject({ ended: { reason: 'absolute' } })
  })

  test('that comes before the record is gone also refuses a request of code', async () => {
    const { world } = await siteOf(strategy, { options: { absoluteMaxAge: 10 * DAY } })
    await passwordSignIn(world)
    const request = requestOf(world)
    world.advance(10 * DAY + 1)
    expect(await apiOf(world).current(request)).toBeNull()
    expect(await apiOf(world).confirm(request)).toBeNull()
  })

  test('is absent with `false`', async () => {
    const { world } = await siteOf(strategy, { options: { absoluteMaxAge: false } })
    await passwordSignIn(world)
    for (let month = 0; month < 12; month++) {
      world.advance(29 * DAY)
      expect(await nameOf(world)).toBe('ada')
    }
    expect((await recordOf(world, await idOf(world)))?.data).not.toHaveProperty('abs')
  })

  test('is 90 days after the sign-in by default', async () => {
    const { world } = await siteOf(strategy)
    await passwordSignIn(world)
    for (let month = 0; month < 3; month++) {
      expect(await nameOf(world)).toBe('ada')
      world.advance(29.5 * DAY)
    }
    world.advance(2 * DAY)
    expect(await nameOf(world)).toBeNull()
  })

  test('of a session from before the plugin counts from the creation of its record', async () => {
    const { world: before, adapter } = await createSite({ strategy })
    await passwordSignIn(before)
    const { world } = await siteOf(strategy, { adapter, options: { absoluteMaxAge: 10 * DAY } })
    for (const [name, value] of before.jar) world.jar.set(name, value)
    world.advance(2 * DAY)
    const end = isoDate(world.now() + 10 * DAY * 1000)
    await world.session()
    expect((await world.session())?.expires).toBe(end)
    const [session] = await listOf(world)
    expect(session?.expires).toBe(end)
    world.advance(10 * DAY)
    expect(await nameOf(world)).toBeNull()
  })

  test('needs no access to the store at a read', async () => {
    const { world } = await siteOf(strategy, {
      options: { absoluteMaxAge: 10 * DAY, touch: 0, revocations: false },
    })
    await passwordSignIn(world)
    // The first one that is due finds that there is nothing to extend, and sealed cookies are written again.
    world.advance(3 * DAY)
    await nameOf(world)
    const asked: string[] = []
    const { getRecord } = abilitiesOf(world)
    abilitiesOf(world).getRecord = async (key) => {
      asked.push(key.kind)
      return (await getRecord?.(key)) ?? null
    }
    for (let i = 0; i < 5; i++) {
      world.advance(MINUTE)
      expect(await nameOf(world)).toBe('ada')
    }
    expect(asked).toEqual([])
  })

  test('T-ST-9: cannot be changed by the application', async () => {
    const jwt = ({ token }: { token: object }) => ({ ...token, abs: 9_999_999_999 })
    const { world } = await siteOf(strategy, {
      options: { absoluteMaxAge: 10 * DAY },
      config: { callbacks: { jwt } },
    })
    await passwordSignIn(world)
    world.advance(5 * DAY)
    expect(await nameOf(world)).toBe('ada')
    const kept = world.jar.get(SESSION_COOKIE) ?? ''
    world.advance(5 * DAY)
    world.jar.set(SESSION_COOKIE, kept)
    expect(await nameOf(world)).toBeNull()
  })
})

describe('SES-17: an extension of a sealed session', () => {
  test('writes the record first, and fails for a session that ended', async () => {
    const { world } = await siteOf('jwt', { options: { touch: 0 } })
    await passwordSignIn(world)
    const id = await idOf(world)
    world.advance(2 * DAY)
    const seen: (string | undefined)[] = []
    const { replaceRecord } = abilitiesOf(world)
    abilitiesOf(world).replaceRecord = async (record) => {
      seen.push(world.jar.get(SESSION_COOKIE))
      return (await replaceRecord?.(record)) ?? false
    }
    const before = world.jar.get(SESSION_COOKIE)
    await nameOf(world)
    expect(seen).toEqual([before])
    expect(world.jar.get(SESSION_COOKIE)).not.toBe(before)
    await apiOf(world).end({ userId: 'ada', id })
    world.advance(2 * DAY)
    expect(await nameOf(world)).toBeNull()
  })
})

describe.each(strategies)('an unused %s session', (strategy) => {
  test('is reported as idle once, by the read that finds it', async () => {
    const told: string[] = []
    const events: AuthConfig['events'] = {
      sessionEnded: ({ sid, reason }) => void told.push(`${sid} ${reason}`),
    }
    const { world } = await siteOf(strategy, { config: { events } })
    await passwordSignIn(world)
    const id = await idOf(world)
    const kept = world.jar.get(SESSION_COOKIE) ?? ''
    world.advance(30 * DAY + 16)
    for (let i = 0; i < 2; i++) {
      world.jar.set(SESSION_COOKIE, kept)
      expect(await nameOf(world)).toBeNull()
    }
    expect(told).toEqual([`${id} idle`])
  })
})

test('an older copy of an expired sealed session does not end the session', async () => {
  const { world } = await siteOf('jwt')
  await passwordSignIn(world)
  const copy = world.jar.get(SESSION_COOKIE) ?? ''
  world.advance(20 * DAY)
  await nameOf(world)
  world.advance(11 * DAY)
  const thief = world.otherBrowser()
  thief.jar.set(SESSION_COOKIE, copy)
  expect(await nameOf(thief)).toBeNull()
  expect(await apiOf(world).confirm(requestOf(world))).not.toBeNull()
})

test.each([0, -1, 1.5, true])('an `absoluteMaxAge` of %j is refused', (absoluteMaxAge) => {
  expect(() => sessions({ absoluteMaxAge: absoluteMaxAge as number })).toThrow(
    /absoluteMaxAge.*got/,
  )
})
