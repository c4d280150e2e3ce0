import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { definePlugin } from '../../src/entries/plugin.ts'
import { tokens } from '../../src/plugins/tokens/index.ts'
import { createSite, passwordSignIn } from '../attacks/support/site.ts'
import { oneApi } from '../support/tokens-site.ts'

const hooks = definePlugin({
  name: 'hooks',
  routes: {
    'hooks/*': {
      GET: {
        who: 'anyone',
        run:
          async () =>
          async ({ rest = '' }) => ({ json: { rest } }),
      },
    },
    shown: {
      GET: {
        who: 'anyone',
        input: async () => v.strictObject({ tab: v.optional(v.string()) }),
        run: async () => async () => ({ page: { title: 'Shown', body: undefined as never } }),
      },
    },
  },
  setUp: () => ({}),
})

describe('SEC-29: a route with a star', () => {
  test.each([
    ['corp', 'corp'],
    ['a%20b', 'a b'],
    ['a%2Fb', 'a/b'],
    ['%C3%A9', 'é'],
  ])('is reached by %s', async (segment, rest) => {
    const { world } = await createSite({ config: { plugins: [hooks] } })
    expect(await (await world.get(`/auth/hooks/${segment}`)).json()).toEqual({ rest })
  })

  test.each(['%63orp', 'cor%70', 'a%2fb', '%c3%a9', '%C3%a9', '%41', '%7e', '%2D', '%zz'])(
    'is not reached by another spelling: %s',
    async (segment) => {
      const { world } = await createSite({ config: { plugins: [hooks] } })
      expect((await world.get(`/auth/hooks/${segment}`)).status).toBe(400)
    },
  )
})

test('SEC-29: a page shows no text of a link', async () => {
  const { world } = await createSite({ config: { plugins: [hooks] } })
  const path = '/auth/shown?Call%200800%20123%20to%20unlock=1'
  const page = await world.get(path, { headers: { accept: 'text/html' } })
  expect(page.status).toBe(400)
  expect(await page.text()).not.toContain('0800')
  // Programs learn the name.
  const told = await world.get(path, { headers: { accept: 'application/json' } })
  expect(await told.text()).toContain('0800')
})

test('SEC-29: no two users have the same `X-Auth-Subject`', async () => {
  const { world, adapter } = await createSite({ config: { plugins: [tokens(oneApi)] } })
  const ids = ['é', '%C3%A9', '%25C3%25A9', 'e%', 'e%25', ' e', '%20e', 'plain id']
  const subjects = []
  for (const id of ids) {
    await adapter.createUser?.({ id, name: id, email: null as never, emailVerified: null })
    const browser = world.otherBrowser()
    await passwordSignIn(browser, id)
    const answer = await browser.get('/auth/token/check')
    expect(answer.status).toBe(204)
    subjects.push(answer.headers.get('x-auth-subject'))
  }
  expect(new Set(subjects).size).toBe(ids.length)
  expect(subjects.at(-1)).toBe('plain id')
})
