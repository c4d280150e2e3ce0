import { expect, test } from 'vitest'
import { giveNotice } from '../../tests/support/notice.ts'
import { definePlugin, type Host, html, type PluginRoute } from '../entries/plugin.ts'
import { notice } from '../entries/plugin-pages.ts'
import { createWorld, type World } from '../testing/world.ts'

const NAME = '__Host-latchkey.notice'

/** A page that says what was done, and another of the same plugin. */
const page: PluginRoute = {
  who: 'anyone',
  run:
    async () =>
    ({ notice: done }) => ({
      page: {
        title: 'Things',
        notice: done && notice([done.id, ...(done.params ?? [])].join(' '), 'good'),
        body: html``,
      },
      json: { things: [] },
    }),
}

const things = definePlugin<'things', object, Host>({
  name: 'things',
  routes: {
    things: { GET: page },
    others: { GET: page },
    'things/do': {
      POST: {
        who: 'anyone',
        run: async () => (_, host) => ({
          json: { status: 'done' },
          to: host.site.path('things'),
          notice: { id: 'done', params: ['<b>one</b>', 'two'] },
        }),
      },
    },
  },
  setUp: (host) => ({ own: host }),
})

const html_ = { headers: { accept: 'text/html' } }

const worldOf = (origin = 'https://app.example'): World =>
  createWorld({ secret: 'secret-of-tests', plugins: [things] }, { origin })

const said = async (world: World, path = '/auth/things'): Promise<string | undefined> =>
  /role="status"[^>]*>.*?<p>(.*?)<\/p>/.exec(await (await world.get(path, html_)).text())?.[1]

test('ACC-7: a page says once what was done before the browser was redirected to it', async () => {
  const world = worldOf()
  const done = await world.post('/auth/things/do')
  expect([done.status, done.headers.get('location')]).toEqual([303, '/auth/things'])
  expect(await said(world, '/auth/others')).toBeUndefined()
  expect(await said(world)).toBe('done &lt;b&gt;one&lt;/b&gt; two')
  expect(world.jar.has(NAME)).toBe(false)
  expect(await said(world)).toBeUndefined()
})

test('ACC-7: the cookie of a notice is sealed, lasts a minute, and no script and no other host has it', async () => {
  const world = worldOf()
  const [cookie = ''] = (await world.post('/auth/things/do')).headers
    .getSetCookie()
    .filter((each) => each.startsWith(NAME))
  expect(cookie).toMatch(/^__Host-latchkey\.notice=[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+; /)
  for (const attribute of ['Max-Age=60', 'Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax'])
    expect(cookie).toContain(`; ${attribute}`)
  const value = world.jar.get(NAME) ?? ''
  world.advance(60 + 16)
  world.jar.set(NAME, value)
  expect(await said(world)).toBeUndefined()
  const plain = worldOf('http://app.example')
  await plain.post('/auth/things/do')
  expect([...plain.jar.keys()]).toContain('latchkey.notice')
  expect(await said(plain)).toContain('two')
})

test('ACC-7: nobody but the site makes a notice, by a link or by a cookie', async () => {
  const world = worldOf()
  expect((await world.get('/auth/things?done=done', html_)).status).toBe(400)
  for (const value of ['done', 'a.b.c.d.e', '{"notice":"done"}']) {
    world.jar.set(NAME, value)
    expect(await said(world)).toBeUndefined()
  }
  const other = worldOf()
  Object.assign(other.config, { secret: 'another-secret' })
  await giveNotice(other, '/auth/things', 'done')
  world.jar.set(NAME, other.jar.get(NAME) ?? '')
  expect(await said(world)).toBeUndefined()
})

test('ACC-7: a program gets its JSON without a notice, and takes none from a browser', async () => {
  const world = worldOf()
  const answer = await world.request('/auth/things/do', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: world.origin },
    body: '{}',
  })
  expect(await answer.json()).toEqual({ status: 'done' })
  expect(answer.headers.getSetCookie()).toEqual([])
  await world.post('/auth/things/do')
  expect(await (await world.get('/auth/things')).json()).toEqual({ things: [] })
  expect(await said(world)).toContain('done')
})
