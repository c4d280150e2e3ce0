import { describe, expect, test } from 'vitest'
import { GOOD, OTHER, passwordsSite } from '../../../../tests/support/passwords-site.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'

const html = { headers: { accept: 'text/html' } }

async function askFor(site: ReturnType<typeof passwordsSite>, identifier = 'ada@example.com') {
  const answer = await site.json('password/forgot', { identifier })
  await site.settled()
  return answer
}

describe('a forgotten password', () => {
  test('PW-29: the answer is the same for an address with and without an account, and only the first gets a mail', async () => {
    const site = passwordsSite()
    await site.signUp()
    const known = await askFor(site)
    const unknown = await askFor(site, 'nobody@example.com')
    expect(known.status).toBe(202)
    expect(await known.text()).toBe(await unknown.text())
    expect(site.mails.slice(1).map(({ to }) => to)).toEqual(['ada@example.com'])
  })

  test('PW-29: the mail to a user without a password names the providers that they sign in with', async () => {
    const adapter = memoryAdapter()
    const site = passwordsSite({}, { adapter }, {}, [
      { id: 'acme', name: 'Acme', type: 'oidc', issuer: 'https://acme.example', clientId: 'c' },
    ])
    const [email, emailVerified] = ['eve@example.com', new Date()]
    await adapter.createUser?.({ id: 'u-eve', email, emailVerified })
    await adapter.linkAccount?.({
      userId: 'u-eve',
      provider: 'acme',
      providerAccountId: '5',
      type: 'oidc',
    })
    await askFor(site, email)
    const said = 'in another way.\n  Acme\n'
    expect(site.mails[0]?.text).toContain(said)
    await site.signUp()
    await askFor(site)
    expect(site.mails.at(-1)?.subject).toContain('Choose a new password')
    expect(site.mails.at(-1)?.text).not.toContain(said)
  })

  test('PW-29: `mailUnknown` mails an address without an account', async () => {
    const site = passwordsSite({ mailUnknown: true })
    await askFor(site, 'nobody@example.com')
    expect(site.mails).toMatchObject([{ to: 'nobody@example.com' }])
    expect(site.mails[0]?.text).toContain('no account has this address')
  })

  test('PW-30, PW-31, T-PWD-6: the link sets a password once, ends all sessions and signs nobody in', async () => {
    const site = passwordsSite()
    await site.signUp()
    expect(await site.world.session()).not.toBeNull()
    await askFor(site)
    const link = site.link('password/reset')
    const browser = site.world.otherBrowser()
    const opened = await browser.get(link, html)
    expect(opened.headers.get('location')).toBe('/auth/password/reset')
    expect(opened.headers.get('referrer-policy')).toBe('no-referrer')
    const page = await browser.get('/auth/password/reset', html)
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(await page.text()).toContain('ada@example.com')
    // A refused password leaves the link.
    expect((await site.json('password/reset', { password: 'short' }, browser)).status).toBe(422)
    const done = await site.json('password/reset', { password: OTHER }, browser)
    expect(done.status).toBe(200)
    expect(await done.json()).toEqual({ status: 'changed', next: '/auth/signin' })
    expect(await browser.session()).toBeNull()
    expect(await site.world.session()).toBeNull()
    await site.settled()
    expect(site.mails.at(-1)?.subject).toContain('was changed')
    await browser.get(link, html)
    expect((await site.json('password/reset', { password: GOOD }, browser)).status).toBe(400)
    expect((await site.signIn('ada@example.com', GOOD, browser)).status).toBe(401)
    expect((await site.signIn('ada@example.com', OTHER, browser)).status).toBe(200)
  })

  test('PW-30, T-ACC-15: a link is dead after the password was changed, after another reset and after 30 minutes', async () => {
    const site = passwordsSite()
    await site.signUp()
    await askFor(site)
    const first = site.link('password/reset')
    await askFor(site)
    const second = site.link('password/reset')
    const resetWith = async (link: string, password = OTHER) => {
      const browser = site.world.otherBrowser()
      await browser.get(link, html)
      return site.json('password/reset', { password }, browser)
    }
    expect((await resetWith(second)).status).toBe(200)
    expect((await resetWith(first)).status).toBe(400)
    await askFor(site)
    const third = site.link('password/reset')
    site.world.advance(30 * 60 + 1)
    expect((await resetWith(third)).status).toBe(400)
  })

  test('PW-30: of two resets with one token at once, one succeeds', async () => {
    const site = passwordsSite()
    await site.signUp()
    await askFor(site)
    const link = site.link('password/reset')
    const statuses = await Promise.all(
      [OTHER, 'a third password, long enough'].map(async (password) => {
        const browser = site.world.otherBrowser()
        await browser.get(link, html)
        return (await site.json('password/reset', { password }, browser)).status
      }),
    )
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 400])
  })

  test('PW-31, T-ACC-48: the proof of an address that nobody had proved removes earlier ways in, and a proved one keeps them', async () => {
    for (const isProved of [false, true]) {
      const site = passwordsSite()
      const { adapter } = site.world.config
      await adapter?.createUser?.({
        id: 'u1',
        email: 'ada@example.com',
        emailVerified: isProved ? new Date(site.world.now()) : null,
      })
      await adapter?.linkAccount?.({
        userId: 'u1',
        provider: 'mallory',
        providerAccountId: '666',
        type: 'oauth',
      })
      await askFor(site)
      await site.world.get(site.link('password/reset'), html)
      expect((await site.json('password/reset', { password: GOOD })).status).toBe(200)
      const found = await adapter?.getUserByAccount?.({
        provider: 'mallory',
        providerAccountId: '666',
      })
      expect(found?.id).toBe(isProved ? 'u1' : undefined)
      expect((await adapter?.getUser?.('u1'))?.emailVerified).not.toBeNull()
      await site.settled()
      const texts = site.mails.map(({ text }) => text).join('\n')
      expect(texts.includes('all earlier ways into the account were removed')).toBe(!isProved)
    }
  })

  test('PW-32: the page says where the reset was asked for, in a browser that did not ask', async () => {
    const site = passwordsSite()
    await site.signUp()
    await site.world.request('/auth/password/forgot', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      },
      body: JSON.stringify({ identifier: 'ada@example.com' }),
    })
    await site.settled()
    const other = site.world.otherBrowser()
    await other.get(site.link('password/reset'), html)
    const page = await (await other.get('/auth/password/reset', html)).text()
    expect(page).toContain('Firefox on Linux')
  })

  test('T-ACC-6: opening the link by HEAD or as a prefetch sets no cookie', async () => {
    const site = passwordsSite()
    await site.signUp()
    await askFor(site)
    const link = site.link('password/reset')
    for (const init of [{ method: 'HEAD' }, { headers: { 'sec-purpose': 'prefetch' } }]) {
      const answer = await site.world.otherBrowser().get(link, init)
      expect(answer.status).toBe(204)
      expect(answer.headers.getSetCookie()).toEqual([])
    }
  })

  test('`resetSignsIn` signs in after the reset', async () => {
    const site = passwordsSite({ resetSignsIn: true })
    await site.signUp()
    await askFor(site)
    const browser = site.world.otherBrowser()
    await browser.get(site.link('password/reset'), html)
    expect((await site.json('password/reset', { password: OTHER }, browser)).status).toBe(200)
    expect(await browser.session()).toMatchObject({ user: { email: 'ada@example.com' } })
  })

  test('LIM-3: one link is tried at most ten times in a quarter of an hour', async () => {
    const site = passwordsSite()
    await site.signUp()
    await askFor(site)
    await site.world.get(site.link('password/reset'), html)
    const statuses: number[] = []
    for (let tries = 0; tries < 11; tries++)
      statuses.push((await site.json('password/reset', { password: 'short' })).status)
    expect(statuses).toEqual([...Array<number>(10).fill(422), 429])
  })
})

describe('ACC-9: a refused reset of a password is one event', () => {
  const refused = { type: 'password.reset', outcome: 'refused', reason: 'invalid_code' }
  const resetsOf = ({ events }: ReturnType<typeof passwordsSite>) =>
    events
      .filter(({ type }) => type === 'password.reset')
      .map(({ at, ...event }) => {
        expect(at).toBeInstanceOf(Date)
        return event
      })

  test.each(['', 'x'.repeat(43)])('without a user for the unknown token %j', async (token) => {
    const site = passwordsSite()
    await site.signUp()
    const answer = await site.json('password/reset', { token, password: OTHER })
    expect(answer.status).toBe(400)
    expect(resetsOf(site)).toEqual([refused])
  })

  test('for a link that was used, of which the event has no user any more', async () => {
    const site = passwordsSite()
    await site.signUp()
    await askFor(site)
    const token = new URL(site.link('password/reset'), 'https://app.example').searchParams.get(
      'token',
    )
    const [first, second] = [
      await site.json('password/reset', { token, password: OTHER }),
      await site.json('password/reset', { token, password: GOOD }),
    ]
    expect([first.status, second.status]).toEqual([200, 400])
    expect(resetsOf(site)).toEqual([
      { type: 'password.reset', outcome: 'success', userId: expect.any(String) },
      refused,
    ])
  })

  test('with the user whose link another request used at the same time', async () => {
    const site = passwordsSite()
    await site.signUp()
    await askFor(site)
    const token = new URL(site.link('password/reset'), 'https://app.example').searchParams.get(
      'token',
    )
    const statuses = await Promise.all(
      [OTHER, GOOD].map(
        async (password) => (await site.json('password/reset', { token, password })).status,
      ),
    )
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 400])
    const userId = expect.any(String)
    expect(resetsOf(site)).toHaveLength(2)
    expect(resetsOf(site)).toEqual(
      expect.arrayContaining([
        { type: 'password.reset', outcome: 'success', userId },
        { ...refused, userId },
      ]),
    )
  })

  test('with the user for a password that the rules refuse, and none for a form without one', async () => {
    const site = passwordsSite()
    await site.signUp()
    await askFor(site)
    const token = new URL(site.link('password/reset'), 'https://app.example').searchParams.get(
      'token',
    )
    expect((await site.json('password/reset', { token })).status).toBe(400)
    expect(resetsOf(site)).toEqual([])
    expect((await site.json('password/reset', { token, password: 'short' })).status).toBe(422)
    expect(resetsOf(site)).toEqual([
      { ...refused, reason: 'password_refused', userId: expect.any(String) },
    ])
  })
})
