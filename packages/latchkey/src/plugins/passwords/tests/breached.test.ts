import { expect, test } from 'vitest'
import { GOOD, OTHER, passwordsSite } from '../../../../tests/support/passwords-site.ts'

test('PW-7: a sign-up while the list of breaches does not answer is accepted, and the outage is in the log', async () => {
  const errors: string[] = []
  const site = passwordsSite(
    { breached: { isBreached: async () => Promise.reject(new Error('no route to the list')) } },
    { logger: { error: ({ message }) => void errors.push(message), warn: () => {} } },
  )
  const { status } = await site.json('password/sign-up', {
    email: 'ada@example.com',
    password: 'correct horse battery staple',
  })
  expect(status).toBe(202)
  expect(errors.filter((line) => line.includes('breach'))).toHaveLength(1)
})

test('LIM-3: sign-ups beyond the limit do not ask the list of breaches', async () => {
  let asked = 0
  const site = passwordsSite({ breached: { isBreached: async () => ++asked > 0 } })
  const fields = { email: 'ada@example.com', password: 'correct horse battery staple' }
  const statuses: number[] = []
  for (let tries = 0; tries < 5; tries++)
    statuses.push((await site.json('password/sign-up', fields)).status)
  expect(statuses).toEqual([422, 422, 422, 429, 429])
  expect(asked).toBe(3)
})

test('LIM-3: a password that is refused without the list of breaches does not count as a sign-up', async () => {
  const site = passwordsSite({ breached: { isBreached: async () => false } })
  const signUp = async (password: string) =>
    (await site.json('password/sign-up', { email: 'ada@example.com', password })).status
  for (const password of ['short', 'password', '123456789012345', 'aaaaaaaaaaaaaaaa'])
    expect(await signUp(password)).toBe(422)
  expect(await signUp('correct horse battery staple')).toBe(202)
})

test('PW-7: with `breachedAtSignIn`, a breached password still signs in, its owner gets one mail, and chooses another one at the next sign-in', async () => {
  const stolen = new Set<string>()
  const site = passwordsSite({
    breached: { isBreached: async (text) => stolen.has(text) },
    breachedAtSignIn: true,
  })
  await site.signUp()
  const subjects = () =>
    site.mails.map(({ subject }) => subject).filter((each) => each.includes('another'))
  expect((await site.signIn()).status).toBe(200)
  await site.settled()
  expect(subjects()).toEqual([])
  stolen.add(GOOD)
  const browser = site.world.otherBrowser()
  expect((await site.signIn('ada@example.com', GOOD, browser)).status).toBe(200)
  expect(await browser.session()).not.toBeNull()
  await site.settled()
  expect(subjects()).toEqual(['Choose another password for app.example'])
  const next = site.world.otherBrowser()
  const held = await site.signIn('ada@example.com', GOOD, next)
  expect(await held.json()).toMatchObject({
    status: 'step_required',
    next: '/auth/password/renew',
  })
  expect(await next.session()).toBeNull()
  expect((await site.json('password/renew', { password: OTHER }, next)).status).toBe(200)
  expect(await next.session()).not.toBeNull()
  await site.settled()
  expect(subjects()).toHaveLength(1)
})

test('PW-7: a wrong password is not looked up among those of breaches at a sign-in', async () => {
  const asked: string[] = []
  const isBreached = async (text: string) => asked.push(text) < 0
  const site = passwordsSite({ breached: { isBreached }, breachedAtSignIn: true })
  await site.signUp()
  asked.length = 0
  expect((await site.signIn('ada@example.com', OTHER)).status).toBe(401)
  expect((await site.signIn('nobody@example.com', GOOD)).status).toBe(401)
  await site.settled()
  expect(asked).toEqual([])
})

test('PW-7: `breachedAtSignIn` without a list of breaches is refused at the start', () => {
  expect(() => passwordsSite({ breachedAtSignIn: true })).toThrow('needs `breached`')
})
