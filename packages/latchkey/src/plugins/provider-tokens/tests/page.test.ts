import { describe, expect, test } from 'vitest'
import { giveNotice } from '../../../../tests/support/notice.ts'
import {
  abilities,
  accountsOf,
  acmeProvider,
  comeBack,
  HOUR,
  recordsOf,
  requestFrom,
  signInWith,
  type TokenSetting,
  tokenSite,
} from '../../../../tests/support/token-site.ts'
import { createTexts } from '../../../base/texts/texts.ts'
import { type Host, html, markup } from '../../../entries/plugin.ts'
import type { World } from '../../../testing/world.ts'
import { sessions } from '../../sessions/index.ts'
import { providerTokens } from '../index.ts'
import { connectionsPage, questionPage } from '../pages/connections.ts'
import { texts } from '../texts.ts'

const PAGE = '/auth/account/connections'

const AS_PAGE = { headers: { accept: 'text/html' } }

const read = async (world: World, query = '') => (await world.get(PAGE + query, AS_PAGE)).text()

const locationOf = (answer: Response) => answer.headers.get('location') ?? ''

/** What people read, tags left out. */
const saidOn = (page: string) =>
  page
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(/<[^>]*>/g, '')
    .replace(/\n+/g, '\n')

const providers = ['acme', 'corp'].map((id) =>
  acmeProvider(undefined, { id, name: id === 'acme' ? 'Acme' : 'Corp', issuer: undefined }),
)

const refuse = () => Response.json({ error: 'invalid_grant' }, { status: 400 })

async function signedIn(setting: TokenSetting = {}) {
  const site = tokenSite({
    ...setting,
    config: { session: { maxAge: 1000 * HOUR }, ...setting.config },
  })
  await signInWith(site.world)
  return site
}

/** Has the provider refuse to renew the tokens. */
async function refused(site: Awaited<ReturnType<typeof signedIn>>) {
  const { world, provider, api } = site
  provider.answer = refuse
  world.advance(2 * HOUR)
  expect(await api.get(requestFrom(world), 'acme')).toMatchObject({ error: 'RefreshTokenError' })
  provider.answer = undefined
}

describe.each([
  ['records', {}],
  ['a cookie', { options: { store: 'cookie' } as const }],
])('the page of connections, with tokens in %s', (where, setting) => {
  const isCookie = where === 'a cookie'

  test('redirects a visitor without a session to the sign-in page, and back', async () => {
    const { world } = tokenSite(setting)
    const answer = await world.get(PAGE, AS_PAGE)
    const to = new URL(locationOf(answer))
    expect([answer.status, to.pathname, to.searchParams.get('callbackUrl')]).toEqual([
      303,
      '/auth/signin',
      world.origin + PAGE,
    ])
    expect((await world.get(PAGE)).status).toBe(401)
  })

  test('names the provider, the granted scopes and their date', async () => {
    const { world, provider } = tokenSite(setting)
    provider.more = { scope: 'read write' }
    await signInWith(world)
    const page = await read(world)
    expect(saidOn(page)).toContain('may use read, write')
    expect(page.includes('since <time')).toBe(!isCookie)
    expect(page).toContain('<strong>Acme</strong>')
    expect(page).toContain(`href="${PAGE}?confirm=acme">Disconnect<span class="sr"> Acme</span>`)
    expect(page).not.toContain('Access expired')
    expect(page).not.toContain('Reconnect')
    expect(page).not.toMatch(/access-\d|refresh-\d/)
  })

  test('says that no accounts are connected', async () => {
    const { world, api, provider } = await signedIn(setting)
    expect(saidOn(await read(world))).not.toContain('No connections')
    const answer = await world.post('/auth/provider-tokens/disconnect', { provider: 'acme' })
    expect(answer.status).toBe(303)
    expect(provider.revoked).toEqual(['refresh-1', 'access-1'])
    expect(saidOn(await read(world))).toContain('No connections')
    expect(await api.status(requestFrom(world))).toMatchObject({ acme: { connected: false } })
  })

  test('asks before it disconnects, and confirms that it did', async () => {
    const { world, provider } = await signedIn(setting)
    const page = await read(world, '?confirm=acme')
    expect(page).toContain('<h1>Disconnect Acme?</h1>')
    expect(page).toContain('action="/auth/provider-tokens/disconnect" method="post"')
    expect(provider.revoked).toEqual([])
    const callbackUrl = /name="callbackUrl" value="([^"]+)"/.exec(page)?.[1] ?? ''
    expect(callbackUrl).toBe(PAGE)
    expect(saidOn(await read(world))).not.toContain('is disconnected')
    const answer = await world.post('/auth/provider-tokens/disconnect', {
      provider: 'acme',
      callbackUrl,
    })
    expect([answer.status, locationOf(answer)]).toEqual([303, world.origin + callbackUrl])
    expect(provider.revoked).toEqual(['refresh-1', 'access-1'])
    expect(await read(world)).toMatch(/role="status"[^>]*>.*Acme is disconnected/)
  })

  test('connects an account anew by its form, and confirms that it did', async () => {
    const { world } = await signedIn(setting)
    const begun = await world.post('/auth/provider-tokens/connect/acme', {
      callbackUrl: PAGE,
    })
    const back = locationOf(await comeBack(world, begun))
    expect(back).toBe(world.origin + PAGE)
    expect(await read(world)).toMatch(/role="status"[^>]*>.*Acme is connected/)
  })

  test.each(['confirm=nobody', 'confirm=constructor', 'confirm=corp'])(
    'PT-22: %s is unknown',
    async (query) => {
      const { world } = await signedIn({ ...setting, config: { providers } })
      expect((await world.get(`${PAGE}?${query}`, AS_PAGE)).status).toBe(404)
    },
  )

  test('accepts no other parameters, and shows no confirmation of something that did not happen', async () => {
    const { world } = await signedIn({ ...setting, config: { providers } })
    for (const query of [
      'confirm=',
      'more=1',
      'confirm=acme&confirm=acme',
      'connected=acme',
      'disconnected=acme',
    ])
      expect((await world.get(`${PAGE}?${query}`, AS_PAGE)).status, query).toBe(400)
    await world.post('/auth/provider-tokens/connect/corp', { callbackUrl: PAGE })
    expect(await read(world)).not.toContain('class="notice')
  })

  test('T-WEB-2: disconnects and connects nothing for another site', async () => {
    const { world, provider, api } = await signedIn(setting)
    for (const path of ['disconnect', 'connect/acme']) {
      const answer = await world.request(`/auth/provider-tokens/${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'cross-site',
          origin: 'https://evil.example',
        },
        body: 'provider=acme',
      })
      expect(answer.status).toBe(403)
    }
    expect((await world.post(PAGE, { provider: 'acme' })).status).toBe(405)
    expect(provider.revoked).toEqual([])
    expect(await api.status(requestFrom(world))).toMatchObject({ acme: { connected: true } })
  })

  test('T-WEB-4: shows names and scopes as text', async () => {
    const { world, provider } = tokenSite({
      ...setting,
      config: { providers: [acmeProvider(undefined, { name: '<b>"Acme"</b>' })] },
    })
    provider.more = { scope: `<script>alert(1)</script> "onclick=' a\u202eb` }
    await signInWith(world)
    await giveNotice(world, PAGE, 'disconnected', '<b>"Acme"</b>')
    for (const query of ['', '?confirm=acme']) {
      const page = await read(world, query)
      expect(page).not.toMatch(/<b>|<script>alert|\u202e| onclick=/)
      expect(page).toContain('&lt;b&gt;&quot;Acme&quot;&lt;/b&gt;')
    }
    expect(await read(world)).toContain('a\ufffdb')
  })
})

test('the page of connections shows ended ones first, the reason, and a form to reconnect', async () => {
  const site = await signedIn({ config: { providers: [...providers].toReversed() } })
  const { world } = site
  // The second provider of the configuration, for the same user.
  await comeBack(world, await world.post('/auth/signin/corp'), 'corp')
  const names = (page: string) =>
    [...page.matchAll(/<strong>(\w+)<\/strong>/g)].map(([, name]) => name)
  expect(names(await read(world))).toEqual(['Corp', 'Acme'])
  await refused(site)
  const page = await read(world)
  expect(names(page)).toEqual(['Acme', 'Corp'])
  const [, first = '', second] = page.split('<li class="row')
  expect(saidOn(first)).toContain('Access expired')
  expect(saidOn(first)).toMatch(/Acme did not renew the access, \d+ \w+ \d{4} at \d\d:\d\d UTC\./)
  expect(first).toContain('action="/auth/provider-tokens/connect/acme" method="post"')
  expect(first).toContain(`name="callbackUrl" value="${PAGE}"`)
  expect(first).toContain('Reconnect<span class="sr"> Acme</span>')
  expect(first).toContain('Disconnect<span class="sr"> Acme</span>')
  expect(second).not.toContain('Access expired')
  expect(await read(world)).not.toContain('class="notice')
})

test('the page of connections shows expired tokens that nothing renews', async () => {
  const { world, provider } = tokenSite({ config: { session: { maxAge: 1000 * HOUR } } })
  provider.more = { refresh_token: undefined }
  await signInWith(world)
  expect(await read(world)).not.toContain('Access expired')
  world.advance(HOUR)
  expect(saidOn(await read(world))).toMatch(/Expired \d+ \w+ \d{4}/)
})

test('the page of connections returns its list to a program', async () => {
  const { world } = await signedIn()
  const since = new Date(world.now()).toISOString()
  expect(await (await world.get(PAGE)).json()).toEqual({
    connections: [{ provider: 'acme', name: 'Acme', scopes: ['read'], since }],
  })
})

test('the page of connections shows stored tokens that cannot be opened', async () => {
  const { world, adapter } = await signedIn()
  const [record] = await recordsOf(adapter, 'provider-tokens')
  if (!record) throw new Error('there is no record')
  const data = { ...record.data, sealed: 'of a secret that is gone' }
  await abilities(adapter).replaceRecord?.({ ...record, version: record.version + 1, data })
  expect(saidOn(await read(world))).toContain('can no longer read the access')
  const answer = await world.post('/auth/provider-tokens/disconnect', { provider: 'acme' })
  expect(answer.status).toBe(303)
  expect(await recordsOf(adapter, 'provider-tokens')).toEqual([])
})

test('I18N-6: each text of the page of connections has a key, and each key is shown', () => {
  // One is on the first page of the account.
  const keys = Object.keys(texts.en).filter((key) => key !== 'providerTokens:about')
  const marked = Object.fromEntries([...keys, 'page.cancel'].map((key) => [key, `[${key}]`]))
  const parts = {
    texts: createTexts('eo', { eo: marked }, texts),
    host: { site: { path: (path: string) => `/${path}` as never } as unknown as Host['site'] },
    csrfField: html``,
    marks: new Map(),
  }
  const at = '2030-01-01T00:00:00Z'
  const connections = [
    { why: 'refused' as const, at },
    { why: 'refused' as const },
    { why: 'expired' as const, at },
    { why: 'unreadable' as const },
  ].map((ended) => ({ provider: '1', name: '2', scopes: ['3'], since: at, ended }))
  const { text } = parts.texts
  const shown = [
    connectionsPage(connections, text('providerTokens:connected'), parts),
    connectionsPage([], text('providerTokens:disconnected'), parts),
    questionPage({ provider: '1', name: '2' }, parts),
  ]
  const all = shown
    .map(({ title, lead, notice, body }) => html`<p>${title}${lead}${notice}</p>${markup(body)}`)
    .join('')
  expect(keys.filter((key) => !all.includes(`[${key}]`))).toEqual([])
  const read = `${all.replace(/<[^>]*>/g, '')}${[...all.matchAll(/aria-label="([^"]*)"/g)].join()}`
  expect(read.replace(/\[[^\]]*\]|aria-label/g, '')).not.toMatch(/\p{L}/u)
})

describe('PT-22: disconnecting on the page', () => {
  test('removes the tokens of this user only, and the account stays linked', async () => {
    const { world, provider, adapter, api } = await signedIn()
    const other = world.otherBrowser()
    provider.who = 'bob'
    await signInWith(other)
    await world.post('/auth/provider-tokens/disconnect', { provider: 'acme' })
    expect(provider.revoked).toEqual(['refresh-1', 'access-1'])
    expect(await api.status(requestFrom(other))).toMatchObject({ acme: { connected: true } })
    expect(await recordsOf(adapter, 'provider-tokens')).toHaveLength(1)
    expect(await accountsOf(adapter)).toHaveLength(1)
    // What is another user's is as unknown as what nobody has.
    const [foreign, unknown] = await Promise.all(
      ['acme', 'nobody'].map((id) => world.get(`${PAGE}?confirm=${id}`, AS_PAGE)),
    )
    expect([foreign?.status, unknown?.status]).toEqual([404, 404])
    const again = await world.post('/auth/provider-tokens/disconnect', { provider: 'acme' })
    expect(again.status).toBe(404)
    expect(await recordsOf(adapter, 'provider-tokens')).toHaveLength(1)
  })

  test('needs a fresh proof before the question, and comes back to it', async () => {
    const plugins = [sessions({ device: false }), providerTokens()]
    const { world } = await signedIn({ config: { plugins } })
    expect((await world.get(`${PAGE}?confirm=acme`, AS_PAGE)).status).toBe(200)
    world.advance(601)
    const answer = await world.get(`${PAGE}?confirm=acme`, AS_PAGE)
    const to = new URL(locationOf(answer), world.origin)
    expect([answer.status, to.pathname, to.searchParams.get('callbackUrl')]).toEqual([
      303,
      '/auth/signin',
      `${PAGE}?confirm=acme`,
    ])
    await signInWith(world)
    expect((await world.get(`${PAGE}?confirm=acme`, AS_PAGE)).status).toBe(200)
  })
})
