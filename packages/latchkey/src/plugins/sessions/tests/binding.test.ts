import { describe, expect, test } from 'vitest'
import {
  createSite,
  PASSWORD,
  type Strategy,
  strategies,
} from '../../../../tests/attacks/support/site.ts'
import { apiOf, DAY, FIREFOX, postJson, recordOf } from '../../../../tests/support/sessions-site.ts'
import type { AuthConfig } from '../../../options/auth-config.ts'
import { type SessionsOptions, sessions } from '../index.ts'

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36'
const FIREFOX_ON_WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0'
const TOUCH = 600

/** Ada, signed in with Firefox on Linux from one network, and what events say of her sessions. */
async function signedIn(strategy: Strategy, options: SessionsOptions) {
  const told: unknown[] = []
  const events: AuthConfig['events'] = {
    sessionSuspected: (message) => void told.push(message),
    sessionEnded: ({ sid, reason }) => void told.push({ sid, reason }),
  }
  const { world } = await createSite({
    strategy,
    config: { events, plugins: [sessions({ touch: TOUCH, ...options })] },
  })
  const seenAs = (agent: string | undefined, address = '203.0.113.7') => ({
    headers: { 'x-real-ip': address, ...(agent !== undefined && { 'user-agent': agent }) },
  })
  const fields = { username: 'ada', password: PASSWORD }
  await world.post('/auth/callback/credentials', fields, seenAs(FIREFOX))
  const sid = (await apiOf(world).list({ userId: 'ada' }))[0]?.id ?? ''
  /** @returns the name of who is signed in. */
  const visit = async (...seen: Parameters<typeof seenAs>): Promise<string | undefined> => {
    const answer = await world.get('/auth/session', seenAs(...seen))
    const session = (await answer.json()) as { user?: { name?: string } } | null
    return session?.user?.name
  }
  return { world, told, sid, visit, seenAs }
}

const address = ({ headers }: Request) => headers.get('x-real-ip') ?? undefined

describe.each(strategies)('SES-23: a bound session, with %s sessions', (strategy) => {
  test('is reported once if another browser or system sends its cookie, and goes on', async () => {
    const { world, told, sid, visit } = await signedIn(strategy, { bind: ['browser', 'system'] })
    world.advance(TOUCH)
    expect(await visit(CHROME)).toBe('ada')
    expect(told.splice(0)).toEqual([{ sid, userId: 'ada', changed: ['browser'] }])
    world.advance(TOUCH)
    expect(await visit(CHROME)).toBe('ada')
    expect(told).toEqual([])
    world.advance(TOUCH)
    expect(await visit(FIREFOX_ON_WINDOWS)).toBe('ada')
    expect(told).toEqual([{ sid, userId: 'ada', changed: ['system'] }])
  })

  test('ends with the reason `binding` if configured', async () => {
    const { world, told, sid, visit } = await signedIn(strategy, {
      bind: ['browser'],
      bindReaction: 'end',
    })
    world.advance(TOUCH)
    expect(await visit(CHROME)).toBeUndefined()
    expect(await visit(FIREFOX)).toBeUndefined()
    expect(told).toEqual([{ sid, reason: 'binding' }])
    expect((await recordOf(world, sid))?.data).toMatchObject({ ended: { reason: 'binding' } })
  })

  test('is checked when its record is read: at a touch, an extension, and a truth read', async () => {
    const options = { bind: ['browser'], bindReaction: 'end' } as const
    const early = await signedIn(strategy, options)
    expect(await early.visit(CHROME)).toBe('ada')
    const answer = await early.world.get('/auth/sessions/list', early.seenAs(CHROME))
    expect(answer.status).toBe(401)
    expect(await early.visit(FIREFOX)).toBeUndefined()

    const extended = await signedIn(strategy, { ...options, touch: 0 })
    extended.world.advance(TOUCH)
    expect(await extended.visit(CHROME)).toBe('ada')
    extended.world.advance(2 * DAY)
    expect(await extended.visit(CHROME)).toBeUndefined()
    expect(extended.told).toEqual([{ sid: extended.sid, reason: 'binding' }])
  })

  test('confirms nobody with a copied cookie when code calls the API', async () => {
    const { world } = await signedIn(strategy, { bind: ['browser'], bindReaction: 'end' })
    const cookie = [...world.jar].map((pair) => pair.join('=')).join('; ')
    const request = new Request(world.origin, { headers: { cookie, 'user-agent': CHROME } })
    expect(await apiOf(world).confirm(request)).toBeNull()
  })

  test('goes on in a newer version of its browser, and if the request does not identify one', async () => {
    const { world, told, visit } = await signedIn(strategy, {
      bind: ['browser', 'system'],
      bindReaction: 'end',
    })
    for (const agent of [FIREFOX.replaceAll('130', '140'), undefined, '']) {
      world.advance(TOUCH)
      expect(await visit(agent)).toBe('ada')
    }
    expect(told).toEqual([])
  })

  test('ends if a program sends its cookie', async () => {
    const { world, visit } = await signedIn(strategy, { bind: ['browser'], bindReaction: 'end' })
    world.advance(TOUCH)
    expect(await visit('curl/8.9.0')).toBeUndefined()
  })

  test('has its network compared by its first bits, if configured', async () => {
    const { world, told, sid, visit } = await signedIn(strategy, { bind: ['network'], address })
    world.advance(TOUCH)
    expect(await visit(CHROME, '203.0.113.200')).toBe('ada')
    expect(told).toEqual([])
    world.advance(TOUCH)
    expect(await visit(FIREFOX, 'nonsense')).toBe('ada')
    expect(told).toEqual([])
    world.advance(TOUCH)
    expect(await visit(FIREFOX, '198.51.100.7')).toBe('ada')
    expect(told).toEqual([{ sid, userId: 'ada', changed: ['network'] }])
  })

  test('ends in another network only if configured', async () => {
    const { world, visit } = await signedIn(strategy, {
      bind: ['network'],
      bindReaction: 'end',
      bindNetworkEnds: true,
      address,
    })
    world.advance(TOUCH)
    expect(await visit(FIREFOX, '198.51.100.7')).toBeUndefined()
  })

  test('is reported by exactly one of parallel requests', async () => {
    const { world, told, seenAs } = await signedIn(strategy, { bind: ['browser'] })
    const list = () => world.get('/auth/sessions/list', seenAs(CHROME))
    const answers = await Promise.all(Array.from({ length: 10 }, list))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(told).toHaveLength(1)
  })

  test('is not compared without `bind`', async () => {
    const { world, told, visit } = await signedIn(strategy, { address })
    world.advance(TOUCH)
    expect(await visit(CHROME, '198.51.100.7')).toBe('ada')
    expect(await postJson(world, 'end-all')).toHaveProperty('status', 200)
    expect(told).toHaveLength(1)
  })
})

describe('SES-23: options that bind nothing, or too much, are refused at start', () => {
  test.each<[SessionsOptions, RegExp]>([
    [
      { bind: ['agent' as 'browser'] },
      /`bind` must be a list of browser, system, network, got "agent"/,
    ],
    [{ bindReaction: 'close' as 'end' }, /`bindReaction` must be 'report' or 'end', got "close"/],
    [{ bind: ['system'], device: false }, /`bind`.*needs `device`.*remove `device: false`/],
    [{ bind: ['network'] }, /`bind`.*needs `address`.*set `address: true`/],
    [
      { bind: ['network'], address: true, bindReaction: 'end' },
      /phone changes networks.*`bindNetworkEnds: true`/,
    ],
  ])('%o', (options, message) => {
    expect(() => sessions(options)).toThrow(message)
  })
})
