import { describe, expect, test } from 'vitest'
import { passwordSignIn } from '../../../../tests/attacks/support/site.ts'
import { giveNotice } from '../../../../tests/support/notice.ts'
import { hostOf } from '../../../../tests/support/user-names.ts'
import type { World } from '../../../testing/world.ts'
import { sessions } from '../../sessions/index.ts'
import { type UsernamesOptions, usernames } from '../index.ts'

const DAY = 24 * 60 * 60
const PAGE = '/auth/account/username'
const headers = { accept: 'text/html' }

async function signedIn(options: UsernamesOptions = {}) {
  const site = await hostOf([sessions(), usernames(options)])
  await passwordSignIn(site.world)
  return site
}

async function open(world: World, query = '') {
  const answer = await world.get(PAGE + query, { headers })
  return { status: answer.status, text: await answer.text() }
}

async function send(world: World, name: string) {
  const answer = await world.post(PAGE, { name }, { headers })
  return {
    status: answer.status,
    to: answer.headers.get('location'),
    text: await answer.text(),
  }
}

async function ask(world: World, fields?: object) {
  const answer = await world.request(PAGE, {
    method: fields ? 'POST' : 'GET',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
    },
    ...(fields && { body: JSON.stringify(fields) }),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

const typedIn = (text: string) => /<input id="name"[^>]* value="([^"]*)"/.exec(text)?.[1]
const errorIn = (text: string) => /id="name-error">.*?<\/svg>([^<]*)</s.exec(text)?.[1]

describe('OTC-21: the page of the user name', () => {
  test('is a section of the account page', async () => {
    const { world } = await signedIn()
    const page = await (await world.get('/auth/account', { headers })).text()
    expect(page).toContain(PAGE)
    expect(page).toContain('A name that nobody else has here.')
  })

  test('gives a name without a script, and shows that it did', async () => {
    const { world, host } = await signedIn()
    expect(typedIn((await open(world)).text)).toBe('')
    const { status, to } = await send(world, 'Lovelace')
    expect(status).toBe(303)
    expect(to).toBe(PAGE)
    expect(await host?.userNames()?.nameOf('ada')).toBe('Lovelace')
    const { text } = await open(world)
    expect(text).toContain('Your user name was saved.')
    expect(text).toContain('<bdi>Lovelace</bdi>')
  })

  test('says nothing of a saved name to somebody without one', async () => {
    const { world } = await signedIn()
    await giveNotice(world, PAGE, 'saved')
    expect((await open(world)).text).not.toContain('Your user name was saved.')
  })

  test.each([
    ['', 400, 'Use at least 3 characters.'],
    ['ab', 400, 'Use at least 3 characters.'],
    ['a'.repeat(31), 400, 'Use at most 30 characters.'],
    ['a'.repeat(600), 400, 'Use at most 30 characters.'],
    ['a&quot; b', 400, 'This name is not allowed here. Choose another one.'],
    ['Admin', 400, 'This name is reserved. Choose another one.'],
    ['LOVELACE', 409, 'This name is taken. Choose another one.'],
  ])('keeps %j, and says at the field what is wrong with it', async (escaped, status, error) => {
    const { world, host } = await signedIn()
    await host?.userNames()?.give('lovelace', 'bob')
    const page = await send(world, escaped.replace('&quot;', '"'))
    expect(page.status).toBe(status)
    expect(errorIn(page.text)).toBe(error)
    expect(typedIn(page.text)).toBe(escaped)
    expect(await host?.userNames()?.nameOf('ada')).toBeUndefined()
  })

  test('says that letters are of several alphabets', async () => {
    const { world } = await signedIn({ pattern: /^\p{L}+$/u })
    expect(errorIn((await send(world, 'adа')).text)).toBe('Use letters of one alphabet only.')
  })

  test('asks for a proof of identity after a day, and keeps what was typed', async () => {
    const { world, host } = await signedIn()
    world.advance(DAY + 10)
    const { status, to } = await send(world, 'lovelace')
    expect(status).toBe(303)
    const back = new URL(String(to), world.origin).searchParams.get('callbackUrl')
    expect(back).toContain(`${PAGE}?name=lovelace`)
    expect(await host?.userNames()?.nameOf('ada')).toBeUndefined()
    expect(typedIn((await open(world, '?name=lovelace')).text)).toBe('lovelace')
  })

  test('asks for no proof for a name that nobody may have', async () => {
    const { world } = await signedIn()
    world.advance(DAY + 10)
    expect(errorIn((await send(world, 'ab')).text)).toBe('Use at least 3 characters.')
  })

  test('OTC-19: has no form until the name can be changed', async () => {
    const { world } = await signedIn({ change: { every: 60 } })
    await send(world, 'lovelace')
    const { text } = await open(world)
    expect(text).toContain('You can change your name again on ')
    expect(typedIn(text)).toBeUndefined()
    const early = await send(world, 'countess')
    expect(early.status).toBe(429)
    expect(early.text).toContain('You can change your name again on ')
    world.advance(60)
    expect(typedIn((await open(world)).text)).toBe('lovelace')
    expect((await send(world, 'countess')).status).toBe(303)
  })

  test('OTC-19: has no form for a second name with `change: never`', async () => {
    const { world } = await signedIn({ change: 'never' })
    expect(typedIn((await open(world)).text)).toBe('')
    await send(world, 'lovelace')
    expect(typedIn((await open(world)).text)).toBeUndefined()
    const fixed = await send(world, 'countess')
    expect(fixed.status).toBe(403)
    expect(fixed.text).toContain('Your name cannot be changed.')
  })

  test('answers programs with JSON', async () => {
    const { world, host } = await signedIn()
    await host?.userNames()?.give('countess', 'bob')
    expect(await ask(world)).toEqual({ status: 200, body: { name: null } })
    expect(await ask(world, { name: 'countess' })).toMatchObject({
      status: 409,
      body: { code: 'username_taken', errors: [{ field: 'name', code: 'taken' }] },
    })
    expect(await ask(world, { name: 'Lovelace' })).toMatchObject({ body: { name: 'Lovelace' } })
    expect(await ask(world)).toMatchObject({ body: { name: 'Lovelace' } })
    expect(await ask(world, { name: 'other' })).toMatchObject({
      status: 429,
      body: { code: 'username_too_early', retryAfter: 30 * DAY },
    })
  })

  test('is for people who are signed in', async () => {
    const { world } = await hostOf([sessions(), usernames()])
    expect((await ask(world)).status).toBe(401)
    expect((await ask(world, { name: 'lovelace' })).status).toBe(401)
  })
})
