import { describe, expect, test } from 'vitest'
import {
  locationOf,
  passwordSignIn,
  SESSION_COOKIE,
  strategies,
} from '../../../../tests/attacks/support/site.ts'
import {
  apiOf,
  idOf,
  listOf,
  postJson,
  recordOf,
  requestOf,
  twoBrowsers,
} from '../../../../tests/support/sessions-site.ts'
import type { AuthConfig } from '../../../options/auth-config.ts'
import type { World } from '../../../testing/world.ts'
import type { SessionInfo, SessionsOptions } from '../index.ts'

const goesOn = async (world: World) => (await apiOf(world).confirm(requestOf(world))) !== null

describe.each(strategies)('the name of a session, with %s sessions', (strategy) => {
  test('is chosen by its user, and shown in the list and on the page', async () => {
    const { world, other } = await twoBrowsers(strategy)
    const id = await idOf(other)
    const answer = await postJson(world, 'rename', { id, name: ' Kitchen <b> ' })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ id, name: 'Kitchen <b>', current: false })
    expect((await listOf(world)).find((each) => each.id === id)?.name).toBe('Kitchen <b>')
    const page = await world.get('/auth/account/sessions', { headers: { accept: 'text/html' } })
    const text = await page.text()
    expect(text).toContain('<strong>Kitchen &lt;b&gt;</strong>')
    expect(text).toContain('Sign out<span class="sr"> Kitchen &lt;b&gt;, ')
    expect(text.match(/<details class="rename">/g)).toHaveLength(2)
  })

  test('stays when the session is extended, and is removed by an empty text', async () => {
    const { world } = await twoBrowsers(strategy)
    const id = await idOf(world)
    await postJson(world, 'rename', { id, name: 'Work' })
    world.advance(2 * 24 * 60 * 60)
    await world.session()
    expect((await listOf(world))[0]).toMatchObject({ id, name: 'Work' })
    expect(await (await postJson(world, 'rename', { id, name: ' ' })).json()).not.toHaveProperty(
      'name',
    )
  })

  test.each([
    ['more than 60 characters', 'x'.repeat(61)],
    ['a control character', 'a\u0007b'],
    ['an end of line', 'a\nb'],
    ['a change of direction', 'a\u202eb'],
    ['half a character', 'a\ud800b'],
    ['nothing that can be seen', '\u200b\u200d'],
    ['no text', 7],
  ])('is refused: %s', async (_, name) => {
    const { world } = await twoBrowsers(strategy)
    const id = await idOf(world)
    const answer = await postJson(world, 'rename', { id, name })
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { code: 'invalid_input', errors: [{ field: 'name' }] },
    ])
    await expect(apiOf(world).rename({ userId: 'ada', id }, name as string)).rejects.toBeInstanceOf(
      TypeError,
    )
    expect((await listOf(world))[0]).not.toHaveProperty('name')
  })

  test('cannot be set for a session of another user, nor for one that ended', async () => {
    const { world, other } = await twoBrowsers(strategy)
    const bob = world.otherBrowser()
    await passwordSignIn(bob, 'bob')
    const id = await idOf(other)
    for (const unknown of [await idOf(bob), 'A'.repeat(22)]) {
      const answer = await postJson(world, 'rename', { id: unknown, name: 'Mine' })
      expect(answer.status).toBe(404)
    }
    await apiOf(world).end({ userId: 'ada', id })
    expect((await postJson(world, 'rename', { id, name: 'Old' })).status).toBe(404)
    expect(await apiOf(world).rename({ userId: 'bob', id }, 'Bob')).toBeNull()
  })

  test('is saved by a form, and the page confirms it', async () => {
    const { world } = await twoBrowsers(strategy)
    const id = await idOf(world)
    const saved = await world.post('/auth/sessions/rename', { id, name: 'Desk' })
    expect([saved.status, locationOf(saved)]).toEqual([303, '/auth/account/sessions'])
    const page = await world.get(locationOf(saved), { headers: { accept: 'text/html' } })
    expect(await page.text()).toMatch(/role="status"[^>]*>.*The name was saved/)
  })
})

describe.each(strategies)('SES-12: an administrator, with %s sessions', (strategy) => {
  const isBob: SessionsOptions['administrator'] = ({ session }) => session.user?.name === 'bob'

  /** Bob, and Ada in two browsers. */
  async function siteWith(options: SessionsOptions, events: AuthConfig['events'] = {}) {
    const { world, other } = await twoBrowsers(strategy, { options, config: { events } })
    const bob = world.otherBrowser()
    await passwordSignIn(bob, 'bob')
    return { ada: world, other, bob }
  }

  const of = async (world: World, userId: string) =>
    world.get(`/auth/sessions/list?userId=${userId}`)

  test('lists the sessions of other users, of which none is marked as current', async () => {
    const asked: unknown[] = []
    const { bob } = await siteWith({
      administrator({ request, ...rest }) {
        asked.push({ ...rest, path: new URL(request.url).pathname })
        return true
      },
    })
    const answer = await of(bob, 'ada')
    expect(answer.status).toBe(200)
    const { sessions: listed } = (await answer.json()) as { sessions: SessionInfo[] }
    expect(listed.map(({ current }) => current)).toEqual([false, false])
    expect(asked).toMatchObject([
      { action: 'list', userId: 'ada', path: '/auth/sessions/list', session: { user: {} } },
    ])
  })

  test('ends a session of another user, with a reason and their own id', async () => {
    const told: unknown[] = []
    const events: AuthConfig['events'] = {
      sessionEnded: ({ sid, reason, by }) => void told.push([sid, reason, by]),
    }
    const { ada, other, bob } = await siteWith({ administrator: isBob }, events)
    const [id, second] = await Promise.all([ada, other].map(idOf))
    const ended = await postJson(bob, 'end', { userId: 'ada', id })
    expect([ended.status, await ended.json()]).toEqual([200, { ended: 1 }])
    const all = await postJson(bob, 'end-all', { userId: 'ada', reason: 'user-disabled' })
    expect([all.status, await all.json()]).toEqual([200, { ended: 1 }])
    expect(told).toEqual([
      [id, 'ended-by-administrator', 'bob'],
      [second, 'user-disabled', 'bob'],
    ])
    expect((await recordOf(bob, id ?? ''))?.data).toMatchObject({ ended: { by: 'bob' } })
    expect(await goesOn(bob)).toBe(true)
    expect(bob.jar.has(SESSION_COOKIE)).toBe(true)
  })

  test('needs a recent proof of identity', async () => {
    const { ada, bob } = await siteWith({ administrator: isBob })
    const id = await idOf(ada)
    bob.advance(601)
    for (const path of ['end', 'end-all']) {
      const body = path === 'end' ? { userId: 'ada', id } : { userId: 'ada' }
      expect((await postJson(bob, path, body)).status).toBe(403)
    }
    expect(await goesOn(ada)).toBe(true)
  })

  test.each([
    ['says no', () => false],
    ['says yes in other words', () => 'yes' as unknown as boolean],
    [
      'throws',
      () => {
        throw new Error('no idea')
      },
    ],
    ['fails later', () => Promise.reject(new Error('no idea'))],
  ])('does not exist if the option %s', async (_, administrator) => {
    const { ada, bob } = await siteWith({ administrator })
    const answers = [
      await of(bob, 'ada'),
      await postJson(bob, 'end', { userId: 'ada', id: await idOf(ada) }),
      await postJson(bob, 'end-all', { userId: 'ada' }),
    ]
    for (const answer of answers) {
      expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'forbidden' }])
    }
    expect(await goesOn(ada)).toBe(true)
  })

  test('does not exist without the option', async () => {
    const { ada, bob } = await siteWith({})
    expect((await of(bob, 'ada')).status).toBe(404)
    expect((await postJson(bob, 'end-all', { userId: 'ada' })).status).toBe(404)
    expect(await goesOn(ada)).toBe(true)
  })

  test('has no other rights over their own sessions', async () => {
    const { ada, other } = await siteWith({ administrator: () => false })
    const listed = (await (await of(ada, 'ada')).json()) as { sessions: SessionInfo[] }
    expect(listed.sessions.map(({ current }) => current)).toEqual([true, false])
    const id = await idOf(other)
    const forbidden = await postJson(ada, 'end', { userId: 'ada', id, reason: 'user-disabled' })
    expect([forbidden.status, await forbidden.json()]).toMatchObject([
      400,
      { errors: [{ field: 'reason' }] },
    ])
    expect((await postJson(ada, 'end', { userId: 'ada', id })).status).toBe(200)
    expect((await recordOf(ada, id))?.data).toMatchObject({ ended: { reason: 'ended-by-user' } })
  })

  test.each([
    { userId: '' },
    { userId: 'x'.repeat(191) },
    { userId: 7 },
    { userId: 'ada', reason: 'failed' },
    { userId: 'ada', reason: 'because' },
  ])('cannot send %j', async (body) => {
    const { bob } = await siteWith({ administrator: isBob })
    expect((await postJson(bob, 'end-all', body)).status).toBe(400)
  })

  test('with a session that was ended is refused', async () => {
    const { ada, bob } = await siteWith({ administrator: isBob })
    await apiOf(ada).endAll({ userId: 'bob' })
    expect((await of(bob, 'ada')).status).toBe(401)
  })
})
