import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import type { Challenge } from 'altcha-lib/types'
import { describe, expect, test } from 'vitest'
import {
  GOOD,
  type PasswordsSite,
  passwordsSite,
} from '../../../../tests/support/passwords-site.ts'
import { proofOfWork } from '../../limits/challenge/proof-of-work.ts'
import { disposableAddresses } from '../../limits/disposable.ts'
import { limits } from '../../limits/index.ts'

const ADDRESS = 'ada@example.com'
const html = { headers: { accept: 'text/html' } }

/** A site whose forms need the answer to a challenge. */
const challenged = (actions: readonly string[]): PasswordsSite =>
  passwordsSite(
    {},
    {
      plugins: [
        limits({
          challenge: proofOfWork({ cost: 1, range: [1, 5] }),
          challengeWhen: ({ action }) => actions.includes(action),
          hooks: { isDisposable: disposableAddresses() },
        }),
      ],
    },
  )

async function solve({ world }: PasswordsSite, action: string): Promise<string> {
  const path = `/auth/limits/challenge?action=${action}`
  const challenge = (await (await world.get(path)).json()) as Challenge
  const solution = await solveChallenge({ challenge, deriveKey })
  return btoa(JSON.stringify({ challenge, solution }))
}

describe('LIM-9: a form for passwords that needs the answer to a challenge', () => {
  test.each([
    ['password.sign-in', 'password/sign-in', { identifier: ADDRESS, password: GOOD }, 200],
    ['password.sign-up', 'password/sign-up', { email: 'bob@example.com', password: GOOD }, 202],
    ['password.forgot', 'password/forgot', { identifier: ADDRESS }, 202],
  ])('of %s refuses JSON without it, and accepts it once', async (action, path, fields, status) => {
    const site = challenged([action])
    if (action !== 'password.sign-up') await site.signUp(ADDRESS, GOOD, site.world.otherBrowser())
    const ask = (more: object = {}) =>
      site.json(path, { ...fields, ...more }, site.world.otherBrowser())
    const refused = await ask()
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({ code: 'challenge_required' })
    const challenge = await solve(site, action)
    expect((await ask({ challenge })).status).toBe(status)
    expect((await ask({ challenge })).status).toBe(403)
  })

  test.each([
    ['password.sign-in', { identifier: ADDRESS, password: GOOD }],
    ['password.sign-up', { email: ADDRESS, password: GOOD }],
    ['password.forgot', { identifier: ADDRESS }],
  ])('of %s is shown again with it, and with what was typed', async (action, fields) => {
    const site = challenged([action])
    const path = `/auth/${action.replace('.', '/')}`
    const page = await site.world.get(path, html)
    expect(await page.text()).toContain('data-work="')
    expect(page.headers.get('content-security-policy')).toContain("connect-src 'self'")
    const refused = await site.world.post(path, fields, html)
    expect(refused.status).toBe(403)
    const text = await refused.text()
    expect(text).toContain('data-work="')
    expect(text).toContain(ADDRESS)
    expect(text).not.toContain(GOOD)
  })

  test('follows the form of the sign-in page, which has none', async () => {
    const site = challenged(['password.sign-in'])
    const answer = await site.world.post(
      '/auth/callback/password',
      { identifier: ADDRESS, password: GOOD },
      html,
    )
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('/auth/password/sign-in')
    const page = await (await site.world.get('/auth/password/sign-in', html)).text()
    expect(page).toContain('data-work="')
    expect(page).toContain(ADDRESS)
  })
})

test('LIM-13: nobody signs up with a throw-away mailbox', async () => {
  const site = challenged([])
  const refused = await site.json('password/sign-up', {
    email: 'ada@mailinator.com',
    password: GOOD,
  })
  expect(refused.status).toBe(422)
  expect(await refused.json()).toMatchObject({ code: 'address_not_accepted' })
  expect(site.mails).toEqual([])
})

test('ACC-21: an attempt with the form of the sign-in page is counted once, by the rules of the plugin', async () => {
  const rules = {
    'credentials.sign-in': [{ by: 'site', limit: 1, window: 60 }],
    'password.sign-in': [{ by: 'site', limit: 3, window: 60 }],
  } as const
  const site = passwordsSite({}, { plugins: [limits({ rules })] })
  const fields = { identifier: ADDRESS, password: 'a guess' }
  const statuses = []
  for (let n = 0; n < 4; n++)
    statuses.push((await site.world.post('/auth/callback/password', fields, html)).status)
  expect(statuses).toEqual([302, 302, 302, 429])
})
