import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { accounts } from '../../src/entries/accounts.ts'
import { definePlugin, html, type PluginMethods, refusedForms } from '../../src/entries/plugin.ts'
import {
  checkbox,
  codeField,
  field,
  passwordField,
  postForm,
  selectField,
  submitButton,
} from '../../src/entries/plugin-pages.ts'
import { providerTokens } from '../../src/plugins/provider-tokens/index.ts'
import { tokens } from '../../src/plugins/tokens/index.ts'
import type { World } from '../../src/testing/world.ts'
import { createSite, passwordSignIn } from '../attacks/support/site.ts'
import { passwordsSite } from '../support/passwords-site.ts'

const text = v.pipe(v.string(), v.maxLength(20))

/** Two forms of the same kind on one page, which are sent to another path. */
const rooms = () =>
  definePlugin({
    name: 'rooms',
    refusedForms,
    routes: {
      rooms: {
        GET: {
          who: 'user',
          input: async () => v.object({ shown: v.optional(v.literal('all')) }),
          run: async () => (call) => {
            const { csrfField } = call
            const { shown = 'some' } = call.input as { shown?: string }
            const formOf = (id: string) =>
              postForm(
                [
                  field({
                    label: `Name of ${id} & more`,
                    name: 'name',
                    id: `name-${id}`,
                    value: 'old',
                  }),
                  passwordField({ label: 'Password', name: 'password' }, 'Show'),
                  codeField({ label: 'Code', name: 'code' }, 6),
                  checkbox({ label: 'Open', name: 'open', isChecked: true }),
                  checkbox({ label: 'Quiet', name: 'quiet' }),
                  selectField({
                    label: 'Floor',
                    name: 'floor',
                    value: '1',
                    options: [
                      { value: '1', text: 'First' },
                      { value: '2', text: 'Second' },
                    ],
                  }),
                  submitButton('Save'),
                ],
                { csrfField, action: '/auth/rooms/rename', hidden: { id } },
              )
            const body = html`${formOf('a')}${formOf('b')}${postForm('', { csrfField })}<p>${shown}</p>`
            return { page: { title: 'Rooms', body } }
          },
        },
        POST: { who: 'user', run: async () => () => ({ json: {} }) },
      },
      'rooms/rename': {
        POST: {
          who: 'user',
          page: 'rooms',
          input: async () =>
            v.strictObject({
              id: text,
              name: text,
              password: v.optional(text),
              code: v.optional(text),
              open: v.optional(text),
              quiet: v.optional(text),
              floor: v.optional(text),
              shown: v.optional(text),
            }),
          run: async () => () => ({ json: { done: true }, to: '/auth/rooms' as never }),
        },
      },
      'rooms/alone': { POST: { who: 'user', run: async () => () => ({ json: {} }) } },
    },
    setUp: () => ({}),
  })

async function signedIn(config = {}) {
  const { world } = await createSite({ config: { plugins: [rooms()], ...config } })
  await passwordSignIn(world)
  return world
}

const PAGE = { accept: 'text/html', 'sec-fetch-site': 'same-origin' }
const TYPED = {
  id: 'b',
  name: '"><b>new',
  password: 'a secret',
  code: '123456',
  quiet: '1',
  floor: '2',
}

async function sent(
  world: World,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = PAGE,
) {
  const body = new URLSearchParams(fields).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await world.request(path, {
    method: 'POST',
    headers: { ...type, ...headers },
    body,
  })
  return { status: answer.status, page: await answer.text() }
}

const tokenIn = (page: string) => /name="csrfToken" value="([^"]+)"/.exec(page)?.[1] ?? ''
const formOf = (page: string, id: string) =>
  page.split('<form').find((form) => form.includes(`name="id" value="${id}"`)) ?? ''

describe('ACC-3: a form that is refused before its route does anything', () => {
  test.each([
    ['without a CSRF token', {}],
    ['with a wrong CSRF token', { csrfToken: 'a'.repeat(64) }],
  ])('%s gets 403 and its page, with a token that works', async (_, token) => {
    const world = await signedIn()
    const { status, page } = await sent(world, '/auth/rooms/rename', { ...TYPED, ...token })
    expect(status).toBe(403)
    expect(page).toContain('<h1>Rooms</h1>')
    expect(page).toMatch(/role="alert"[^]*The form has expired[^]*Nothing has been changed\./)
    expect(formOf(page, 'b')).toContain('value="&quot;&gt;&lt;b&gt;new"')
    const again = await sent(world, '/auth/rooms/rename', {
      id: 'b',
      name: 'new',
      csrfToken: tokenIn(page),
    })
    expect(again.status).toBe(303)
  })

  test('with an unknown field gets 400 and its page', async () => {
    const world = await signedIn()
    const csrfToken = await world.csrfToken()
    const fields = { ...TYPED, shown: 'all', csrfToken, other: 'x', name: 'x'.repeat(21) }
    const { status, page } = await sent(world, '/auth/rooms/rename', fields)
    expect(status).toBe(400)
    expect(page).toContain('A field of the form is missing or invalid.')
    expect(page).toContain('<a href="#name-b">Name of b &amp; more</a>')
    expect(page).toContain('Check these fields: other.')
    expect(page).toContain('Nothing has been changed.')
    // The page is that of the same query.
    expect(page).toContain('<p>all</p>')
    expect(formOf(page, 'b')).toMatch(
      /id="name-b"[^>]* aria-invalid="true" aria-describedby="problem"/,
    )
  })

  test('keeps what was typed in the form that was sent, except secrets', async () => {
    const world = await signedIn()
    const { page } = await sent(world, '/auth/rooms/rename', TYPED)
    const form = formOf(page, 'b')
    expect(form).toContain('value="&quot;&gt;&lt;b&gt;new"')
    expect(form).toMatch(/name="quiet" value="1" checked>/)
    expect(form).not.toMatch(/name="open"[^>]* checked/)
    expect(form).toMatch(/<option value="2" selected>/)
    expect(form).not.toMatch(/<option value="1" selected>/)
    expect(page).not.toContain('a secret')
    expect(page).not.toContain('123456')
    expect(formOf(page, 'a')).toMatch(/value="old"/)
    // A form of the page that names no address is sent to the page.
    expect(page).toContain('<form method="post" action="/auth/rooms">')
  })

  test('keeps nothing that another site may have written', async () => {
    const world = await signedIn()
    const silent = await sent(world, '/auth/rooms/rename', TYPED, { accept: 'text/html' })
    expect(silent.status).toBe(403)
    expect(silent.page).toContain('<h1>Rooms</h1>')
    expect(silent.page).not.toContain('new')
    for (const site of ['cross-site', 'same-site']) {
      const headers = { ...PAGE, 'sec-fetch-site': site }
      const { status, page } = await sent(world, '/auth/rooms/rename', TYPED, headers)
      expect(status).toBe(403)
      expect(page).not.toContain('<h1>Rooms</h1>')
      expect(page).not.toContain('new')
    }
  })

  test('gets the page of the refusal if it has no page, or the page is not for its sender', async () => {
    const world = await signedIn()
    const alone = await sent(world, '/auth/rooms/alone', {})
    expect(alone.status).toBe(403)
    expect(alone.page).toContain('The form has expired')
    const stranger = await sent(world.otherBrowser(), '/auth/rooms/rename', TYPED)
    expect(stranger.status).toBe(403)
    expect(stranger.page).not.toContain('<h1>Rooms</h1>')
  })

  test('is a problem with its fields for programs', async () => {
    const world = await signedIn()
    const answer = await world.request('/auth/rooms/rename', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ ...TYPED, other: 'x' }),
    })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      code: 'invalid_input',
      errors: [{ field: 'other', code: 'invalid' }],
    })
  })
})

describe('ACC-3: the forms of built-in plugins', () => {
  test('are shown again to a browser without cookies, with a token and what was typed', async () => {
    const { world } = passwordsSite()
    const fields = { email: 'ada@example.com', name: 'Ada', password: 'correct horse battery' }
    const first = await sent(world, '/auth/password/sign-up', fields)
    expect(first.status).toBe(403)
    expect(first.page).toContain('<h1>Create your account</h1>')
    expect(first.page).toMatch(
      /name="email" value="ada@example.com"|name="email"[^>]* value="ada@example.com"/,
    )
    expect(first.page).toMatch(/name="name"[^>]* value="Ada"/)
    expect(first.page).not.toContain('correct horse')
    const again = { ...fields, csrfToken: tokenIn(first.page) }
    expect((await sent(world, '/auth/password/sign-up', again)).status).toBe(303)
  })

  test('all have a page, apart from those of scripts', () => {
    const plugins = [
      ...accounts({ emailCode: true, usernames: true }),
      tokens({
        apiKeys: {},
        device: { clients: [{ id: 'cli', name: 'CLI' }] },
        native: { clients: [{ id: 'app', name: 'App', redirectUris: ['com.example:/done'] }] },
      }),
      providerTokens(),
    ] as unknown as { routes?: Record<string, PluginMethods<never>> }[]
    const lost = plugins.flatMap(({ routes = {} }) =>
      Object.entries(routes).flatMap(([path, { POST }]) => {
        const { callers = 'people', page = path } = POST ?? { callers: 'servers' }
        return callers === 'people' && !routes[page]?.GET ? [path] : []
      }),
    )
    // What only scripts ask for and send.
    expect(lost.sort()).toEqual([
      'account/passkey-options',
      'provider-tokens/refresh',
      'two-factor/passkey-options',
    ])
  })
})
