import { describe, expect, test } from 'vitest'
import {
  GOOD,
  OTHER,
  type PasswordsSite,
  passwordsSite,
} from '../../../../tests/support/passwords-site.ts'
import { problems as ofAccount } from '../../account/refusals.ts'
import { emailCode } from '../../email-code/index.ts'
import { usernames } from '../../usernames/index.ts'
import { problems } from '../refusals.ts'

const EMAIL = 'ada@example.com'
const html = { headers: { accept: 'text/html' } }

const openSite = (seed = 1): PasswordsSite =>
  passwordsSite(
    { limits: false },
    { plugins: [emailCode({ limits: false }), usernames()] },
    { seed },
  )

/** What a POST to each route needs. */
const routes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'password/sign-up': { email: EMAIL, password: GOOD },
  'password/verify': { code: '123456' },
  'password/sign-in': { identifier: EMAIL, password: GOOD },
  'password/forgot': { identifier: EMAIL },
  'password/reset': { token: 'unknown', password: OTHER },
  'password/change': { current: GOOD, password: OTHER },
  'email-code/send': { email: EMAIL },
  'email-code/verify': { code: '123456' },
  'usernames/set': { name: 'lovelace' },
}

describe.each(Object.entries(routes))('ACC-3: POST %s', (path, fields) => {
  const post = (
    { world }: PasswordsSite,
    body: string,
    headers: Record<string, string>,
  ): Promise<Response> => world.request(`/auth/${path}`, { method: 'POST', headers, body })
  const json = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  async function signedIn(): Promise<PasswordsSite> {
    const site = openSite()
    await site.signUp()
    return site
  }

  test('refuses an unknown member, and says which', async () => {
    const site = await signedIn()
    const body = JSON.stringify({ ...fields, emailVerified: '2030-01-01' })
    const answer = await post(site, body, json)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('content-type')).toContain('application/problem+json')
    expect(await answer.json()).toMatchObject({
      code: 'invalid_input',
      errors: expect.arrayContaining([expect.objectContaining({ field: 'emailVerified' })]),
    })
  })

  test('refuses what is no object, has the name of a prototype, is too long or of another type', async () => {
    const site = await signedIn()
    for (const body of ['[]', '"text"', '{', '{"__proto__":{"a":1}}', '{"constructor":1}'])
      expect((await post(site, body, json)).status).toBe(400)
    const long = JSON.stringify({ ...fields, callbackUrl: 'x'.repeat(65 * 1024) })
    expect([400, 413]).toContain((await post(site, long, json)).status)
    expect((await post(site, 'x', { ...json, 'content-type': 'text/plain' })).status).toBe(415)
  })

  test('refuses what another site sends, and what has no proof of its origin', async () => {
    const site = await signedIn()
    const body = JSON.stringify(fields)
    for (const headers of [
      { 'content-type': 'application/json' },
      { ...json, 'sec-fetch-site': 'cross-site' },
      { 'content-type': 'application/json', origin: 'https://evil.example' },
    ]) {
      const answer = await post(site, body, headers)
      expect(answer.status).toBe(403)
      expect(await answer.json()).toMatchObject({ code: 'csrf' })
    }
    expect((await post(site, new URLSearchParams(fields).toString(), form)).status).toBe(403)
  })

  test('refuses another method, and stores nothing in caches', async () => {
    const { world } = await signedIn()
    const answer = await world.request(`/auth/${path}`, { method: 'PUT' })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toContain('POST')
    const page = await world.get('/auth/password/sign-in', html)
    expect(page.headers.get('cache-control')).toBe('private, no-cache, no-store')
  })
})

test('ACC-3: each field that is missing or unknown has one line in `errors`', async () => {
  const site = openSite()
  const answer = await site.json('password/sign-in', { identifier: EMAIL, one: 1, two: 2 })
  expect(answer.status).toBe(400)
  const { code, errors } = (await answer.json()) as { code: string; errors: { field: string }[] }
  expect(code).toBe('invalid_input')
  expect(errors.map(({ field }) => field).toSorted()).toEqual(['one', 'password', 'two'])
})

test('ACC-3: a path without POST answers 405 to any POST, whatever its body', async () => {
  const { world } = openSite()
  for (const init of [
    {},
    { body: 'x' },
    { body: '{}', headers: { 'content-type': 'application/json' } },
  ]) {
    const answer = await world.request('/auth/password/rules', { ...init, method: 'POST' })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET, HEAD')
  }
})

test('ACC-9: events name the user if there is one, and refused sign-ups have the code of the refusal', async () => {
  const site = passwordsSite(
    { signUp: ({ email }) => email !== 'eve@example.com' || { code: 'not_invited' } },
    { plugins: [usernames()] },
  )
  await site.signUp(EMAIL)
  await site.json('usernames/set', { name: 'lovelace' })
  const { events, world } = site
  const before = events.length
  const other = world.otherBrowser()
  const signUp = (fields: object) =>
    site.json('password/sign-up', { password: GOOD, ...fields }, other)
  await signUp({ email: EMAIL })
  await signUp({ email: 'eve@example.com' })
  await signUp({ email: 'bob@example.com', username: 'lovelace' })
  await signUp({ email: 'bob@example.com', password: 'short' })
  for (const identifier of ['lovelace', 'nobody@example.com']) {
    const asked = events.length
    await site.json('password/forgot', { identifier }, other)
    // It is told after the response.
    await expect.poll(() => events.length).toBe(asked + 1)
  }
  const ada = events[before - 1]?.userId
  expect(ada).toBeDefined()
  expect(
    events
      .slice(before)
      .map(({ type, reason, userId, address }) => [
        type,
        reason ?? '',
        userId === undefined ? address !== undefined : userId === ada && address === undefined,
        userId !== undefined,
      ]),
  ).toEqual([
    ['signup.begun', '', true, true],
    ['signup.refused', 'sign_up_refused', true, false],
    ['signup.refused', 'username_taken', true, false],
    ['signup.refused', 'password_refused', true, false],
    ['password.reset-asked', '', true, true],
    ['password.reset-asked', '', true, false],
  ])
})

test('ACC-9: each act is one security event, without a secret in it', async () => {
  const site = openSite()
  const { events } = site
  const since = async (act: () => Promise<unknown>): Promise<string[]> => {
    const before = events.length
    await act()
    await site.settled()
    return events.slice(before).map(({ type, outcome }) => `${type} ${outcome}`)
  }
  const { world } = site
  expect(
    await since(() => site.json('password/sign-up', { email: EMAIL, password: GOOD })),
  ).toEqual(['signup.begun success'])
  const code = site.code()
  const wrong = code === '000000' ? '000001' : '000000'
  expect(await since(() => site.json('password/verify', { code: wrong }))).toEqual([
    'code.wrong refused',
  ])
  expect(await since(() => site.json('password/verify', { code }))).toEqual([
    'address.proved success',
    'signup.finished success',
  ])
  expect(await since(() => site.signIn(EMAIL, OTHER, world.otherBrowser()))).toEqual([
    'password.refused refused',
  ])
  expect(await since(() => site.json('password/forgot', { identifier: EMAIL }))).toEqual([
    'password.reset-asked success',
  ])
  const token = new URL(site.link('password/reset'), 'https://app.example').searchParams.get(
    'token',
  )
  expect(
    await since(() =>
      site.json('password/change', { current: GOOD, password: OTHER, endOthers: true }),
    ),
  ).toEqual(['password.changed success'])
  expect(await since(() => site.json('usernames/set', { name: 'lovelace' }))).toEqual([
    'username.set success',
  ])
  expect(
    await since(() => site.json('email-code/send', { email: EMAIL }, world.otherBrowser())),
  ).toEqual(['code.sent success'])
  const said = JSON.stringify(events)
  for (const secret of [GOOD, OTHER, code, token ?? '', site.code(), EMAIL])
    expect(said).not.toContain(secret)
})

test('ACC-10: with the same clock and the same random numbers, a sign-up has the same code, link and end', async () => {
  const [one, other] = [openSite(7), openSite(7)]
  for (const { json } of [one, other])
    await json('password/sign-up', { email: EMAIL, password: GOOD })
  expect(one.mails).toHaveLength(1)
  expect(one.mails.map(({ text }) => text)).toEqual(other.mails.map(({ text }) => text))
  for (const site of [one, other]) {
    site.world.advance(24 * 60 * 60 + 60)
    const late = await site.json('password/verify', { code: site.code() })
    expect(late.status).toBe(400)
  }
})

test('ACC-11: each code of a refusal has its status, and is in the reference', async () => {
  const { readFile } = await import('node:fs/promises')
  const file = new URL('../../../../../../docs/reference/configuration.md', import.meta.url)
  const reference = await readFile(file, 'utf8')
  const missing = Object.keys({ ...problems, ...ofAccount }).filter(
    (code) => !reference.includes(`\`${code}\``),
  )
  expect(missing).toEqual([])
})

describe('PW-9: the fields of the pages', () => {
  const inputOf = (page: string, name: string): string =>
    new RegExp(`<input[^>]*\\bname="${name}"[^>]*>`).exec(page)?.[0] ?? ''

  test('let password managers fill them in and make a password', async () => {
    const { world } = openSite()
    const signUp = await (await world.get('/auth/password/sign-up', html)).text()
    const created = inputOf(signUp, 'password')
    expect(created).toContain('autocomplete="new-password"')
    expect(created).toContain('passwordrules="minlength: 15; maxlength: 256;"')
    expect(inputOf(signUp, 'email')).toMatch(/autocomplete="(username|email)/)
    const signIn = await (await world.get('/auth/password/sign-in', html)).text()
    expect(inputOf(signIn, 'password')).toContain('autocomplete="current-password"')
    expect(inputOf(signIn, 'identifier')).toContain('autocomplete="username')
    for (const page of [signUp, signIn])
      expect(
        Number(/\bmaxlength="(\d+)"/.exec(inputOf(page, 'password'))?.[1] ?? 256),
      ).toBeGreaterThanOrEqual(256)
  })

  test('name the account when the password changes, and show what is typed', async () => {
    const site = openSite()
    await site.signUp()
    const page = await (await site.world.get('/auth/password/change', html)).text()
    const username = inputOf(page, 'username')
    expect(username).toContain('autocomplete="username"')
    expect(username).toContain('readonly')
    expect(username).toContain(`value="${EMAIL}"`)
    expect(inputOf(page, 'current')).toContain('autocomplete="current-password"')
    expect(inputOf(page, 'password')).toContain('autocomplete="new-password"')
    expect(page).toContain('data-show')
  })
})

test('PW-27: the field `remember` is accepted, in JSON and in a form', async () => {
  const site = openSite()
  await site.signUp()
  for (const remember of [true, false, '1', '']) {
    const world = site.world.otherBrowser()
    const fields = { identifier: EMAIL, password: GOOD, remember }
    expect((await site.json('password/sign-in', fields, world)).status).toBe(200)
  }
  const world = site.world.otherBrowser()
  const sent = { identifier: EMAIL, password: GOOD, remember: '1' }
  expect((await world.post('/auth/callback/password', sent)).status).toBe(302)
  expect(await world.session()).not.toBeNull()
})

test('ACC-12: a deleted user leaves no password, name or link to reset that works', async () => {
  const site = openSite()
  await site.signUp()
  await site.json('usernames/set', { name: 'lovelace' })
  await site.json('password/forgot', { identifier: EMAIL })
  await site.settled()
  const token = new URL(site.link('password/reset'), 'https://app.example').searchParams.get(
    'token',
  )
  const { adapter } = site.world.config
  const user = await adapter?.getUserByEmail?.(EMAIL)
  const { core, config } = site.world
  await core.plan(config).store?.deleteUser(user?.id ?? '')
  const reset = await site.json('password/reset', { token, password: OTHER })
  expect(reset.status).toBe(400)
  expect((await site.signIn('lovelace', GOOD, site.world.otherBrowser())).status).toBe(401)
  // The address is free again, and the name after the time for which it stays with its last owner.
  const again = await site.signUp(EMAIL, OTHER, site.world.otherBrowser())
  expect(again.status).toBe(200)
  expect((await site.signIn(EMAIL, GOOD, site.world.otherBrowser())).status).toBe(401)
})
