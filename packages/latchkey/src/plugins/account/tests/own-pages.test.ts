import { describe, expect, test } from 'vitest'
import { type AccountSite, accountSite } from '../../../../tests/support/account-site.ts'
import {
  type CeremonyOptions,
  createAuthenticator,
} from '../../../../tests/support/authenticator.ts'
import { CHEAP, GOOD } from '../../../../tests/support/passwords-site.ts'
import { html } from '../../../entries/plugin.ts'
import { icon } from '../../../entries/plugin-pages.ts'
import { twoFactor } from '../../two-factor/index.ts'
import { type AccountOptions, account, type OwnSection } from '../index.ts'

const asPage = { headers: { accept: 'text/html' } }

describe('SS-1: `pages: false`', () => {
  const bare = (options: AccountOptions = {}): AccountSite =>
    accountSite(
      { account: { pages: false, ...options } },
      { plugins: [twoFactor({ recovery: { hash: CHEAP } })] },
    )

  test('the pages of the account are not there, nor their entries in the navigation of others', async () => {
    const site = bare()
    await site.signUp()
    for (const path of ['profile', 'addresses', 'data', 'delete'])
      expect((await site.world.get(`/auth/account/${path}`, asPage)).status).not.toBe(200)
    const factors = await (await site.world.get('/auth/account/two-factor', asPage)).text()
    expect(factors).not.toMatch(/auth\/account\/(profile|passkeys|addresses|data)/)
    expect(factors).not.toContain('Add a security key')
    const overview = await (await site.world.get('/auth/account', asPage)).text()
    expect(overview).not.toContain('passkey-options')
  })

  test('JSON works as with them', async () => {
    const site = bare()
    await site.signUp()
    expect(await site.read('account/me')).toMatchObject({ user: { email: 'ada@example.com' } })
    const options = await (await site.json('account/passkey-options')).json()
    const key = createAuthenticator('https://app.example').create(options as CeremonyOptions)
    const added = await site.json('account/add-passkey', { data: JSON.stringify(key) })
    expect(added.status).toBe(201)
    expect(await site.read('account/passkeys')).toMatchObject({ passkeys: [{ name: 'Passkey' }] })
    const faulty = await site.json('account/update', { name: 'x'.repeat(201) })
    expect(await faulty.json()).toMatchObject({ errors: [{ field: 'name', code: 'too_long' }] })
  })

  test('a form of the application ends at its callback URL, and a refusal shows no page of the account', async () => {
    const site = bare()
    await site.signUp()
    const fields = { name: 'Ada', callbackUrl: 'https://app.example/settings' }
    const done = await site.world.post('/auth/account/update', fields, asPage)
    expect(done.status).toBe(303)
    expect(done.headers.get('location')).toBe('https://app.example/settings')
    const refused = await site.world.post('/auth/account/update', { name: 'x'.repeat(201) }, asPage)
    expect(refused.status).toBe(400)
    expect(await refused.text()).not.toContain('account/update')
  })

  test('a form that needs a recent proof goes on at its callback URL, and not at a page that is gone', async () => {
    const site = bare()
    await site.signUp()
    site.world.advance(601)
    const fields = { confirm: 'ada@example.com', callbackUrl: 'https://app.example/settings' }
    const asked = await site.world.post('/auth/account/delete', fields, asPage)
    const proof = new URL(asked.headers.get('location') ?? '', 'https://app.example')
    expect(proof.pathname).toBe('/auth/reauthenticate')
    const form = { for: proof.searchParams.get('for') ?? '', way: 'password', password: GOOD }
    const proved = await site.world.post('/auth/reauthenticate', form, asPage)
    expect(proved.headers.get('location')).toBe('https://app.example/settings')
  })

  test('the pages of links in mails work', async () => {
    const site = bare({ deletion: { confirm: 'mail' } })
    await site.signUp()
    await site.json('account/change-address', { email: 'new@example.com' })
    await site.codeFor('new@example.com')
    const link = site.link('account/confirm-address')
    const opened = await site.world.get(link, asPage)
    const page = await site.world.get(opened.headers.get('location') ?? '', asPage)
    expect(await page.text()).toContain('Use this email address?')
    const confirmed = await site.world.post('/auth/account/confirm-address', {}, asPage)
    expect(confirmed.headers.get('location')).toBe('https://app.example')
    const dead = await site.world.get('/auth/account/undo-address', asPage)
    expect(await dead.text()).not.toContain('href="/auth/account"')
  })
})

describe('SS-1: sections of the application', () => {
  const orders: OwnSection = {
    id: 'orders',
    title: 'shop:orders',
    about: 'What you bought.',
    icon: 'clock',
    order: 15,
    render: ({ user, csrfField, path, done, text, lang, request }) =>
      html`<p>${done ?? 'none'} ${user.email}</p><p>${lang} ${new URL(request.url).pathname}</p><form method="post" action="${path('note')}">${{ html: csrfField }}<input name="note" aria-label="${text('shop:note')}"></form>`,
    actions: {
      note: ({ user }, { note = '' }) => {
        if (note === '') return html`<p role="alert">Write something</p>`
        notes.push([user.email ?? '', note])
        return undefined
      },
    },
  }
  const notes: [string, string][] = []
  const withOrders = (): AccountSite =>
    accountSite(
      { account: { sections: [orders] } },
      { texts: { en: { 'shop:orders': 'Orders', 'shop:note': 'Note' } } },
    )

  test('have their place in the navigation, and a page for the user in its frame', async () => {
    const site = withOrders()
    expect((await site.world.get('/auth/account/orders', asPage)).status).toBe(303)
    expect((await site.world.get('/auth/account/orders')).status).toBe(401)
    await site.signUp()
    const page = await (await site.world.get('/auth/account/orders', asPage)).text()
    expect(page).toMatch(/<h1[^>]*>Orders/)
    expect(page).toContain('none ada@example.com')
    expect(page).toContain('aria-label="Note"')
    expect(page).toContain('action="/auth/account/orders/note"')
    expect(page).toContain('<p>en /auth/account/orders</p>')
    expect(page).toContain('<p class="lead">What you bought.</p>')
    expect(page).toContain(html`account/orders" aria-current="page">${icon('clock')}`)
    const ids = ['profile', 'orders', 'addresses', 'sessions', 'data']
    const places = ids.map((id) => page.indexOf(`account/${id}"`))
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(Math.min(...places)).toBeGreaterThan(0)
    expect(await (await site.world.get('/auth/account', asPage)).text()).toContain(
      'What you bought.',
    )
  })

  test('the navigation marks the section of a form that was refused, and of a page below it', async () => {
    const site = accountSite()
    await site.signUp()
    const marked = async (answer: Response): Promise<string | undefined> =>
      /<a href="([^"]*)" aria-current="page">/.exec(await answer.text())?.[1]
    const long = { name: 'x'.repeat(201) }
    const refused = await site.world.post('/auth/account/update', long, asPage)
    expect(await marked(refused)).toBe('/auth/account/profile')
    const deletion = await site.world.get('/auth/account/delete', asPage)
    expect(await marked(deletion)).toBe('/auth/account/data')
  })

  test('their forms run actions for the user, and return to the page', async () => {
    const site = withOrders()
    await site.signUp()
    notes.length = 0
    const done = await site.world.post('/auth/account/orders/note', { note: 'hi' }, asPage)
    expect(done.status).toBe(303)
    expect(notes).toEqual([['ada@example.com', 'hi']])
    const page = await site.world.get(done.headers.get('location') ?? '', asPage)
    expect(await page.text()).toContain('note ada@example.com')
    const odd = await site.world.get('/auth/account/orders?done=%3Cb%3E', asPage)
    expect(await odd.text()).toContain('none ada@example.com')
    expect(await (await site.json('account/orders/note', { note: 'again' })).json()).toEqual({
      status: 'done',
    })
    expect((await site.world.get('/auth/account/orders/odd', asPage)).status).toBe(404)
  })

  test('an action that refuses its fields shows the page that it returns', async () => {
    const site = withOrders()
    await site.signUp()
    const page = await site.world.post('/auth/account/orders/note', { note: '' }, asPage)
    expect(page.status).toBe(400)
    expect(await page.text()).toContain('<p role="alert">Write something</p>')
    expect((await site.json('account/orders/note', { note: '' })).status).toBe(400)
  })

  test('an action needs the session, and a form of this site', async () => {
    const site = withOrders()
    await site.signUp()
    notes.length = 0
    const sent = await site.world.postWithoutCsrf('/auth/account/orders/note', { note: 'x' })
    expect(sent.status).toBe(403)
    const stranger = site.world.otherBrowser()
    expect((await site.json('account/orders/note', { note: 'x' }, stranger)).status).toBe(401)
    expect(notes).toEqual([])
  })

  test('invalid ones are refused, with the value', () => {
    const { render } = orders
    for (const [sections, shown] of [
      [{}, 'must be a list'],
      [[{ id: 'Orders', title: 'x', render }], 'Orders'],
      [[{ id: 'passkeys', title: 'x', render }], 'passkeys'],
      [[orders, orders], 'orders'],
      [[{ id: 'a', title: '', render }], '`sections[0].title`'],
      [[orders, { id: 'a', title: 'x', order: '1', render }], '`sections[1].order`'],
      [[{ id: 'a', title: 'x' }], 'render'],
      [[{ id: 'a', title: 'x', icon: 'kee', render }], 'got "kee"; did you mean "key"?'],
      [[{ id: 'a', title: 'x', icon: 'toString', render }], '`sections[0].icon` must be one of'],
      [[{ id: 'a', title: 'x', render, actions: { 'a/b': render } }], '`sections[0].actions`'],
    ] as const)
      expect(() => account({ sections: sections as never })).toThrow(shown)
    expect(() => account({ sections: [orders], pages: false })).toThrow('orders')
    expect(() => account({ deletion: { confirm: 'sms' as never } })).toThrow('sms')
  })
})
