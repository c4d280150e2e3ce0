import { describe, expect, test } from 'vitest'
import { type AccountSite, accountSite } from '../../../../tests/support/account-site.ts'
import {
  type CeremonyOptions,
  createAuthenticator,
} from '../../../../tests/support/authenticator.ts'
import { authenticate } from '../../../../tests/support/passkeys.ts'
import { GOOD, OTHER } from '../../../../tests/support/passwords-site.ts'
import { twoFactorSite } from '../../../../tests/support/two-factor-site.ts'
import { unprovedSite } from '../../../../tests/support/unproved-site.ts'
import { limits } from '../../limits/index.ts'
import { tokens } from '../../tokens/index.ts'
import { account } from '../index.ts'

const html = { headers: { accept: 'text/html' } }
const NEW = 'ada@lovelace.example'

const emailOf = async (site: AccountSite): Promise<unknown> =>
  ((await site.read('account/me'))['user'] as { email: string }).email

const tokenOf = (link: string): string =>
  new URL(link, 'https://app.example').searchParams.get('token') ?? ''

describe('the address of an account', () => {
  test('SS-4, T-LINK-7: nothing changes before the new address is proved; then other sessions end and the session shows it', async () => {
    const site = accountSite()
    await site.signUp()
    const other = site.world.otherBrowser()
    await site.signIn(undefined, undefined, other)
    const asked = await site.json('account/change-address', { email: NEW })
    expect(asked.status).toBe(202)
    expect(await asked.json()).toEqual({ status: 'mail_sent' })
    const changing = await site.mailed('is about to change')
    expect(changing).toMatchObject({ to: 'ada@example.com' })
    expect(changing.text).toContain('account/secure?token=')
    expect(await emailOf(site)).toBe('ada@example.com')
    const code = await site.codeFor(NEW)
    const wrong = await site.json('account/confirm-address', {
      code: code === '123456' ? '654321' : '123456',
    })
    expect(wrong.status).toBe(400)
    const done = await site.json('account/confirm-address', { code })
    expect(done.status).toBe(200)
    expect(await done.json()).toEqual({ status: 'changed', email: NEW })
    expect(await emailOf(site)).toBe(NEW)
    expect(await site.world.session()).toMatchObject({ user: { email: NEW } })
    expect(await other.session()).toBeNull()
    const changed = await site.mailed('was changed', 'ada@example.com')
    expect(changed.text).toContain('account/undo-address?token=')
    expect((await site.mailed('was changed', NEW)).text).not.toContain('token=')
    expect((await site.signIn('ada@example.com', GOOD, other)).status).toBe(401)
    expect((await site.signIn(NEW, GOOD, other)).status).toBe(200)
    expect((await site.json('account/confirm-address', { code })).status).toBe(400)
  })

  test('SS-4: the page changes the address with forms and no script', async () => {
    const site = accountSite()
    await site.signUp()
    const { world } = site
    const first = await (await world.get('/auth/account/addresses', html)).text()
    expect(first).toContain('New email address')
    const bad = await world.post('/auth/account/change-address', { email: 'ada@' }, html)
    expect(bad.status).toBe(400)
    expect(await bad.text()).toContain('Write the whole address')
    const asked = await world.post('/auth/account/change-address', { email: NEW }, html)
    expect(asked.status).toBe(303)
    const page = await (await world.get('/auth/account/addresses', html)).text()
    expect(page).toMatch(/ autocomplete="one-time-code"[^>]* autofocus[ >]/)
    const wrong = await world.post('/auth/account/confirm-address', { code: '1' }, html)
    expect(wrong.status).toBe(400)
    expect(await wrong.text()).toContain('This code is not right.')
    const code = await site.codeFor(NEW)
    const done = await world.post('/auth/account/confirm-address', { code }, html)
    expect(done.status).toBe(303)
    const after = await (await world.get(done.headers.get('location') ?? '', html)).text()
    expect(after).toContain('Your email address is now')
  })

  test('SS-4: a user keeps the address by ending the change', async () => {
    const site = accountSite()
    await site.signUp()
    await site.json('account/change-address', { email: NEW })
    const code = await site.codeFor(NEW)
    expect((await site.json('account/cancel-address')).status).toBe(200)
    expect((await site.json('account/confirm-address', { code })).status).toBe(400)
  })

  test('SS-4: the link changes the address in another browser of the user after a recent proof, and in none of another user', async () => {
    const site = accountSite()
    await site.signUp()
    const other = site.world.otherBrowser()
    await site.signIn(undefined, undefined, other)
    const eve = site.world.otherBrowser()
    await site.signUp('eve@example.com', undefined, eve)
    site.world.advance(250)
    await site.json('account/change-address', { email: NEW })
    await site.codeFor(NEW)
    site.world.advance(100)
    const link = site.link('account/confirm-address')
    const token = tokenOf(link)
    expect((await site.json('account/confirm-address', { token }, eve)).status).toBe(400)
    const old = await site.json('account/confirm-address', { token }, other)
    expect(await old.json()).toMatchObject({ code: 'reauthentication_required' })
    await site.signIn(undefined, undefined, other)
    const kept = await other.get(link, html)
    expect(kept.headers.get('location')).toBe('/auth/account/confirm-address')
    expect(kept.headers.get('referrer-policy')).toBe('no-referrer')
    expect(await (await other.get('/auth/account/confirm-address', html)).text()).toContain(NEW)
    expect(await emailOf(site)).toBe('ada@example.com')
    expect((await other.post('/auth/account/confirm-address', {}, html)).status).toBe(303)
    expect(await other.session()).toMatchObject({ user: { email: NEW } })
    expect(await site.world.session()).toBeNull()
  })

  test('T-ACC-6: scanners, prefetching browsers and people who open the links of mails change nothing', async () => {
    const site = accountSite()
    await site.signUp()
    site.world.advance(1)
    expect((await site.changeAddress(NEW)).status).toBe(200)
    await site.mailed('was changed', 'ada@example.com')
    const links = [site.link('account/undo-address'), site.link('account/secure')]
    for (const link of links) {
      for (const init of [{ method: 'HEAD' }, { headers: { purpose: 'prefetch' } }, html, {}]) {
        const scanner = site.world.otherBrowser()
        const answer = await scanner.request(link, init)
        expect(answer.status).toBeLessThan(400)
        expect((await scanner.get(link.split('?')[0] ?? '', html)).status).toBeLessThan(500)
      }
    }
    expect(await emailOf(site)).toBe(NEW)
    expect(await site.world.session()).not.toBeNull()
  })

  test('LIM-13: it is not changed to one of a throw-away mailbox', async () => {
    const isDisposable = (address: string): boolean => address.endsWith('@mailinator.com')
    const site = accountSite({}, { plugins: [limits({ hooks: { isDisposable } })] })
    await site.signUp()
    const before = site.mails.length
    const email = 'ada@mailinator.com'
    const refused = await site.json('account/change-address', { email })
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({
      code: 'address_not_accepted',
      errors: [{ field: 'email', code: 'not_accepted' }],
    })
    const page = await site.world.post('/auth/account/change-address', { email }, html)
    expect(page.status).toBe(422)
    expect(await page.text()).toContain('Addresses of this service are not accepted. Use another')
    expect(site.mails).toHaveLength(before)
    expect((await site.changeAddress(NEW)).status).toBe(200)
  })

  test('SS-2: a change needs a proof of identity within 5 minutes', async () => {
    const site = accountSite()
    await site.signUp()
    site.world.advance(301)
    const answer = await site.json('account/change-address', { email: NEW })
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({ code: 'reauthentication_required' })
  })

  test('SS-6: a later change replaces the earlier one, whose code and link are dead', async () => {
    const site = accountSite()
    await site.signUp()
    await site.json('account/change-address', { email: 'first@example.com' })
    const code = await site.codeFor('first@example.com')
    const token = tokenOf(site.link('account/confirm-address'))
    await site.json('account/change-address', { email: NEW })
    const second = await site.codeFor(NEW)
    expect((await site.json('account/confirm-address', { code })).status).toBe(400)
    expect((await site.json('account/confirm-address', { token })).status).toBe(400)
    expect((await site.json('account/confirm-address', { code: second })).status).toBe(200)
    expect(await emailOf(site)).toBe(NEW)
  })

  test('T-ACC-7, T-ACC-26: an address with an account gets another mail than a free one, and the answers for both are equal', async () => {
    const site = accountSite()
    const bob = site.world.otherBrowser()
    await site.signUp('bob@example.com', undefined, bob)
    await site.signUp()
    const before = site.mails.length
    const free = await site.json('account/change-address', { email: NEW })
    await site.codeFor(NEW)
    await site.mailed('is about to change')
    const mailsOfFree = site.mails.length - before
    const taken = await site.json('account/change-address', { email: 'BOB@example.com' })
    expect([taken.status, await taken.text()]).toEqual([free.status, await free.text()])
    const mail = await site.mailed('already has an account', 'bob@example.com')
    expect(mail.text).not.toMatch(/\b\d{6}\b/)
    await expect.poll(() => site.mails.length - before).toBe(2 * mailsOfFree)
    const pages = await (await site.world.get('/auth/account/addresses', html)).text()
    expect(pages).toContain('bob@example.com')
    expect((await site.json('account/confirm-address', { code: '123456' })).status).toBe(400)
    expect(await site.read('account/me', bob)).toMatchObject({ user: { email: 'bob@example.com' } })
  })

  test('T-ACC-26: an address that somebody gets meanwhile is refused as a wrong code', async () => {
    const site = accountSite()
    await site.signUp()
    await site.json('account/change-address', { email: NEW })
    const code = await site.codeFor(NEW)
    await site.signUp(NEW, undefined, site.world.otherBrowser())
    await site.json('account/change-address', { email: NEW })
    const answer = await site.json('account/confirm-address', { code })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code: 'invalid_code' })
    expect(await emailOf(site)).toBe('ada@example.com')
  })

  test.each(['ada@example.com', 'ADA@Example.com', ' ada@example.com ', 'ada@EXAMPLE.com'])(
    'T-ACC-26: the own address in the spelling "%s" is no new one',
    async (email) => {
      const site = accountSite()
      await site.signUp()
      const answer = await site.json('account/change-address', { email })
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ errors: [{ field: 'email', code: 'unchanged' }] })
    },
  )

  test('ACC-6: ten wrong codes end a change', async () => {
    const site = accountSite()
    await site.signUp()
    await site.json('account/change-address', { email: NEW })
    const code = await site.codeFor(NEW)
    const wrong = code === '123456' ? '654321' : '123456'
    for (let tries = 0; tries < 10; tries++)
      await site.json('account/confirm-address', { code: wrong })
    expect((await site.json('account/confirm-address', { code })).status).toBe(400)
    expect(await emailOf(site)).toBe('ada@example.com')
  })

  test('T-ACC-20: codes of many changes to one address, by any number of accounts, are guessed ten times a day, and the link works nevertheless', async () => {
    const site = accountSite({ account: { limits: true } })
    const statuses: number[] = []
    for (const at of [0, 1, 2]) {
      const { world } = site
      const browser = at === 2 ? world : world.otherBrowser()
      await site.signUp(`eve${at}@example.com`, GOOD, browser)
      await site.json('account/change-address', { email: NEW }, browser)
      const right = await site.codeFor(NEW)
      const code = right === '123456' ? '654321' : '123456'
      for (let tries = 0; tries < 6; tries++)
        statuses.push((await site.json('account/confirm-address', { code }, browser)).status)
    }
    expect(statuses.filter((status) => status === 400)).toHaveLength(10)
    expect(statuses.slice(10)).toEqual(Array(8).fill(429))
    const token = tokenOf(site.link('account/confirm-address'))
    expect((await site.json('account/confirm-address', { token })).status).toBe(200)
  })

  test('T-ACC-4: a change that was begun before a reset of the password is dead after it', async () => {
    const site = accountSite()
    await site.signUp()
    const cookies = new Map(site.world.jar)
    await site.json('account/change-address', { email: NEW })
    const code = await site.codeFor(NEW)
    const owner = site.world.otherBrowser()
    await site.json('password/forgot', { identifier: 'ada@example.com' }, owner)
    await site.mailed('password')
    await site.settled()
    const token = tokenOf(site.link('password/reset'))
    expect((await site.json('password/reset', { token, password: OTHER }, owner)).status).toBe(200)
    for (const [name, value] of cookies) site.world.jar.set(name, value)
    expect((await site.json('account/confirm-address', { code })).status).toBe(401)
    await site.signIn('ada@example.com', OTHER)
    expect((await site.json('account/confirm-address', { code })).status).toBe(400)
    expect(await emailOf(site)).toBe('ada@example.com')
  })

  test('T-ACC-3: a user whose address was never proved gets no undo for it', async () => {
    const site = accountSite()
    await site.signUp()
    const { adapter } = site.world.config
    const user = await adapter?.getUserByEmail?.('ada@example.com')
    await adapter?.updateUser?.({ id: String(user?.id), emailVerified: null })
    expect((await site.changeAddress(NEW)).status).toBe(200)
    await site.mailed('was changed', NEW)
    expect(site.mails.filter(({ to }) => to === 'ada@example.com')).toHaveLength(1)
    expect(await site.read('account/me')).toMatchObject({
      user: { email: NEW, emailVerified: true },
    })
  })
})

describe('the undo of a change of address', () => {
  async function stolen() {
    const site = accountSite()
    await site.signUp()
    const attacker = site.world
    attacker.advance(1)
    await site.changeAddress(NEW)
    await site.mailed('was changed', 'ada@example.com')
    attacker.advance(1)
    return { site, attacker, owner: attacker.otherBrowser() }
  }

  test('T-ACC-27: the owner gets the account back, without what was added since, by a button', async () => {
    const { site, attacker, owner } = await stolen()
    await site.json('password/change', { current: GOOD, password: OTHER })
    const thief = createAuthenticator('https://app.example')
    const options = (await (await site.json('account/passkey-options')).json()) as CeremonyOptions
    await site.json('account/add-passkey', { data: JSON.stringify(thief.create(options)) })
    attacker.advance(6 * 24 * 60 * 60)
    await owner.get(site.link('account/undo-address'), html)
    const page = await (await owner.get('/auth/account/undo-address', html)).text()
    expect(page).toContain('ada@example.com')
    expect(page).toContain(NEW)
    const done = await owner.post('/auth/account/undo-address', {}, html)
    expect(done.status).toBe(200)
    expect(await done.text()).toContain('The change was undone')
    expect(await attacker.session()).toBeNull()
    expect((await site.signIn(NEW, OTHER, attacker.otherBrowser())).status).toBe(401)
    expect((await site.signIn('ada@example.com', OTHER, attacker.otherBrowser())).status).toBe(401)
    attacker.advance(1)
    const again = attacker.otherBrowser()
    await authenticate(again, thief)
    expect(await again.session()).toBeNull()
    await site.mailed('password', 'ada@example.com')
    await site.settled()
    const token = tokenOf(site.link('password/reset'))
    const third = 'a third password, long enough'
    expect((await site.json('password/reset', { token, password: third }, owner)).status).toBe(200)
    expect((await site.signIn('ada@example.com', third, owner)).status).toBe(200)
    expect(site.events.map(({ type }) => type)).toContain('address.change-undone')
    await owner.get(site.link('account/undo-address'), html)
    expect((await owner.post('/auth/account/undo-address', {}, html)).status).toBe(400)
  })

  test('PW-30, SS-4: a link to choose a password from before the change stays dead after the undo, and a new one works', async () => {
    const site = accountSite()
    await site.signUp()
    const owner = site.world.otherBrowser()
    await site.json('password/forgot', { identifier: 'ada@example.com' }, owner)
    await site.mailed('Choose a new password')
    const early = tokenOf(site.link('password/reset'))
    site.world.advance(1)
    await site.changeAddress(NEW)
    await site.mailed('was changed', 'ada@example.com')
    const token = tokenOf(site.link('account/undo-address'))
    expect((await site.json('account/undo-address', { token }, owner)).status).toBe(200)
    const choose = async (link: string) =>
      (await site.json('password/reset', { token: link, password: OTHER }, owner)).status
    expect(await choose(early)).toBe(400)
    await expect.poll(() => tokenOf(site.link('password/reset'))).not.toBe(early)
    expect(await choose(tokenOf(site.link('password/reset')))).toBe(200)
  })

  test('T-ACC-27: a passkey and a password from before the change stay', async () => {
    const site = accountSite()
    await site.signUp()
    const mine = createAuthenticator('https://app.example')
    const options = (await (await site.json('account/passkey-options')).json()) as CeremonyOptions
    await site.json('account/add-passkey', { data: JSON.stringify(mine.create(options)) })
    site.world.advance(1)
    await site.changeAddress(NEW)
    await site.mailed('was changed', 'ada@example.com')
    const owner = site.world.otherBrowser()
    const token = tokenOf(site.link('account/undo-address'))
    expect((await site.json('account/undo-address', { token }, owner)).status).toBe(200)
    expect((await site.signIn('ada@example.com', GOOD, owner)).status).toBe(200)
    site.world.advance(1)
    const key = site.world.otherBrowser()
    await authenticate(key, mine)
    expect(await key.session()).toMatchObject({ user: { email: 'ada@example.com' } })
  })

  test('T-ACC-27: an API key that was made after the change is gone, and one from before it stays', async () => {
    const site = accountSite({}, { plugins: [tokens({ apiKeys: {} })] })
    await site.signUp()
    const make = async (name: string): Promise<void> => {
      expect((await site.json('api-keys/create', { name })).status).toBe(201)
      site.world.advance(1)
    }
    await make('Of the owner')
    await site.changeAddress(NEW)
    await site.mailed('was changed', 'ada@example.com')
    site.world.advance(1)
    await make('Of the thief')
    const owner = site.world.otherBrowser()
    const token = tokenOf(site.link('account/undo-address'))
    expect((await site.json('account/undo-address', { token }, owner)).status).toBe(200)
    expect((await site.signIn('ada@example.com', GOOD, owner)).status).toBe(200)
    const list = JSON.stringify(await site.read('api-keys/list', owner))
    expect(list).toContain('Of the owner')
    expect(list).not.toContain('Of the thief')
  })

  test('T-ACC-27: an authenticator app that was added after the change is gone, and one from before it stays', async () => {
    for (const isBefore of [true, false]) {
      const site = twoFactorSite({ limits: false }, { plugins: [account({ limits: false })] })
      await site.signUp()
      const app = isBefore ? await site.addApp() : undefined
      site.world.advance(1)
      await site.json('account/change-address', { email: NEW })
      for (let waits = 0; waits < 3000 && !site.mails.some(({ to }) => to === NEW); waits++)
        await new Promise((resolve) => setTimeout(resolve, 10))
      const code = /\d{6}/.exec(site.mails.find(({ to }) => to === NEW)?.subject ?? '')?.[0]
      expect((await site.json('account/confirm-address', { code })).status).toBe(200)
      site.world.advance(31)
      await site.addApp('Of the thief')
      const owner = site.world.otherBrowser()
      const token = tokenOf(site.link('account/undo-address'))
      expect((await site.json('account/undo-address', { token }, owner)).status).toBe(200)
      site.world.advance(31)
      await site.signIn('ada@example.com', GOOD, owner)
      expect((await owner.session()) === null).toBe(isBefore)
      if (app) await site.verify(app.code(), owner)
      expect(await owner.session()).not.toBeNull()
      const status = await (await owner.get('/auth/two-factor/status')).json()
      expect(JSON.stringify(status)).not.toContain('Of the thief')
    }
  })

  test('SS-5: while a change can be undone, the address is not changed again and the account is not deleted', async () => {
    const { site, attacker } = await stolen()
    for (const [path, fields] of [
      ['account/change-address', { email: 'third@example.com' }],
      ['account/delete', { confirm: NEW }],
    ] as const) {
      const answer = await site.json(path, fields)
      expect(answer.status).toBe(409)
      expect(await answer.json()).toMatchObject({ code: 'undo_open' })
    }
    attacker.advance(7 * 24 * 60 * 60 + 1)
    await site.signIn(NEW)
    expect((await site.json('account/change-address', { email: 'third@example.com' })).status).toBe(
      202,
    )
    await attacker.otherBrowser().get(site.link('account/undo-address'), html)
    const token = tokenOf(site.link('account/undo-address'))
    expect((await site.json('account/undo-address', { token })).status).toBe(400)
  })

  test('T-ACC-26: a change that is under way is dead after an undo, and a link of another kind undoes nothing', async () => {
    const { site, owner } = await stolen()
    await site.mailed('is about to change')
    const secure = tokenOf(site.link('account/secure'))
    expect((await site.json('account/undo-address', { token: secure }, owner)).status).toBe(400)
    expect((await site.json('account/undo-address', { token: 'x'.repeat(43) }, owner)).status).toBe(
      400,
    )
    const token = tokenOf(site.link('account/undo-address'))
    expect((await site.json('account/undo-address', { token }, owner)).status).toBe(200)
    expect((await site.json('account/confirm-address', { code: '123456' })).status).toBe(401)
    expect((await site.json('account/undo-address', { token }, owner)).status).toBe(400)
  })

  test('SS-5: an undo takes no address from a user who has it by now', async () => {
    const { site, owner } = await stolen()
    await site.signUp('ada@example.com', OTHER, site.world.otherBrowser())
    const token = tokenOf(site.link('account/undo-address'))
    const answer = await site.json('account/undo-address', { token }, owner)
    expect(answer.status).toBe(409)
    expect(await emailOf(site)).toBe(NEW)
    expect((await site.signIn('ada@example.com', OTHER, owner)).status).toBe(200)
  })
})

test('PW-23: the page of the address says that nobody has proved it yet, and leads to the proof', async () => {
  const site = unprovedSite()
  await site.begin()
  await site.signIn()
  const page = async (): Promise<string> =>
    (await site.world.get('/auth/account/addresses', { headers: { accept: 'text/html' } })).text()
  expect(await page()).toContain('This address is not confirmed yet.')
  expect(await page()).toContain('<a href="/auth/password/verify">Confirm address</a>')
  const code = /\b\d{6}\b/.exec(site.mails.at(-1)?.text ?? '')?.[0]
  expect((await site.json('password/verify', { code })).status).toBe(200)
  expect(await page()).not.toContain('not confirmed')
})
