import { describe, expect, test } from 'vitest'
import { passwordSignIn } from '../../../../tests/attacks/support/site.ts'
import { hostOf } from '../../../../tests/support/user-names.ts'
import type { EventMessages } from '../../../options/events.ts'
import type { PluginOption } from '../../../options/plugin-option.ts'
import type { World } from '../../../testing/world.ts'
import { limits } from '../../limits/index.ts'
import { sessions } from '../../sessions/index.ts'
import { type UsernamesOptions, usernames } from '../index.ts'

const DAY = 24 * 60 * 60

async function signedIn(options: UsernamesOptions = {}, more: readonly PluginOption[] = []) {
  const site = await hostOf([sessions(), usernames(options), ...more])
  await passwordSignIn(site.world)
  return site
}

const free = async (world: World, name: string) => {
  const answer = await world.get(`/auth/usernames/free?name=${encodeURIComponent(name)}`)
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

async function set(world: World, fields: Record<string, string>) {
  const answer = await world.request('/auth/usernames/set', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify(fields),
  })
  return {
    status: answer.status,
    body: (await answer.json()) as Record<string, unknown>,
    retryAfter: answer.headers.get('retry-after'),
  }
}

describe('OTC-21: GET usernames/free', () => {
  test('says whether a name is allowed and nobody has it, also to visitors', async () => {
    const { world, host } = await hostOf([usernames()])
    await host?.userNames()?.give('Lovelace', 'ada')
    expect(await free(world, 'countess')).toEqual({ status: 200, body: { free: true } })
    expect((await free(world, 'LOVELACE')).body).toEqual({ free: false })
    expect((await free(world, 'admin')).body).toEqual({ free: false })
    expect((await free(world, 'no spaces')).body).toEqual({ free: false })
    expect(await free(world, '')).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
  })

  test.each([
    ['with the plugin `limits`', [limits()]],
    ['without it', []],
  ])('answers 30 a minute for a network, %s', async (_, more) => {
    const { world } = await hostOf([usernames(), ...more])
    // Clients of unknown addresses share ten times as much.
    for (let asked = 0; asked < 300; asked++) expect((await free(world, 'ada')).status).toBe(200)
    expect(await free(world, 'ada')).toMatchObject({
      status: 429,
      body: { code: 'too_many_attempts' },
    })
    world.advance(61)
    expect((await free(world, 'ada')).status).toBe(200)
  })
})

describe('OTC-21: POST usernames/set', () => {
  test('gives the name to who is signed in, and tells it', async () => {
    const told: EventMessages['security'][] = []
    const { world, host } = await hostOf([sessions(), usernames()])
    const config = {
      ...world.config,
      events: { security: (event: EventMessages['security']) => void told.push(event) },
    }
    Object.assign(world.config, config)
    await passwordSignIn(world)
    expect(await set(world, { name: 'Lovelace' })).toMatchObject({
      status: 200,
      body: { name: 'Lovelace' },
    })
    expect(await host?.userNames()?.nameOf('ada')).toBe('Lovelace')
    const named = told.filter(({ type }) => type === 'username.set')
    expect(named.map(({ type, outcome, userId }) => ({ type, outcome, userId }))).toEqual([
      { type: 'username.set', outcome: 'success', userId: 'ada' },
    ])
  })

  test('redirects a form to its target', async () => {
    const { world, host } = await signedIn()
    const answer = await world.post('/auth/usernames/set', { name: 'lovelace', callbackUrl: '/me' })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('https://app.example/me')
    expect(await host?.userNames()?.nameOf('ada')).toBe('lovelace')
  })

  test('says that a name is taken, over JSON and as a page', async () => {
    const { world, host } = await signedIn()
    await host?.userNames()?.give('lovelace', 'bob')
    expect(await set(world, { name: 'Lovelace' })).toMatchObject({
      status: 409,
      body: { code: 'username_taken', title: 'This name is taken. Choose another one.' },
    })
    const page = await world.post('/auth/usernames/set', { name: 'lovelace' })
    expect(page.status).toBe(409)
    expect(await page.text()).toContain(
      '<h1>This name is taken</h1>\n<p class="lead">Choose another one.</p>',
    )
  })

  test('names the fault of a name that nobody may have', async () => {
    const { world } = await signedIn()
    expect(await set(world, { name: 'root' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_input', errors: [{ field: 'name', code: 'reserved' }] },
    })
  })

  test('is for signed-in users with a proof of identity within a day', async () => {
    const { world } = await hostOf([sessions(), usernames()])
    expect(await set(world, { name: 'lovelace' })).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    })
    await passwordSignIn(world)
    world.advance(DAY - 10)
    expect((await set(world, { name: 'lovelace' })).status).toBe(200)
    world.advance(20)
    expect(await set(world, { name: 'Lovelace' })).toMatchObject({
      status: 403,
      body: { code: 'reauthentication_required' },
    })
  })

  test('OTC-19: changes a name once in 30 days, and its spelling at any time', async () => {
    const { world } = await signedIn()
    await set(world, { name: 'lovelace' })
    expect((await set(world, { name: 'LoveLace' })).status).toBe(200)
    const early = await set(world, { name: 'countess' })
    expect(early).toMatchObject({
      status: 429,
      body: { code: 'username_too_early', retryAfter: 30 * DAY },
      retryAfter: String(30 * DAY),
    })
    world.advance(30 * DAY)
    await passwordSignIn(world)
    expect((await set(world, { name: 'countess' })).status).toBe(200)
  })

  test('OTC-19: changes no name with `change: never`, but gives the first', async () => {
    const { world } = await signedIn({ change: 'never' })
    expect((await set(world, { name: 'lovelace' })).status).toBe(200)
    expect(await set(world, { name: 'countess' })).toMatchObject({
      status: 403,
      body: { code: 'username_fixed', title: 'Your name cannot be changed.' },
    })
  })

  test('changes a name earlier with `change: { every }`', async () => {
    const { world } = await signedIn({ change: { every: 60 } })
    await set(world, { name: 'lovelace' })
    world.advance(60)
    expect((await set(world, { name: 'countess' })).status).toBe(200)
  })

  test('refuses further fields and a request of another site', async () => {
    const { world, host } = await signedIn()
    expect((await set(world, { name: 'lovelace', userId: 'bob' })).status).toBe(400)
    const cross = await world.request('/auth/usernames/set', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' },
      body: JSON.stringify({ name: 'lovelace' }),
    })
    expect(cross.status).toBe(403)
    expect(await host?.userNames()?.nameOf('ada')).toBeUndefined()
  })
})
