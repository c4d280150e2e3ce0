import { describe, expect, test } from 'vitest'
import { definePlugin, Problem } from '../../src/entries/plugin.ts'
import { createWorld, type World } from '../../src/entries/testing.ts'
import Credentials from '../../src/providers/credentials.ts'

/** Signs nobody in on a holiday: reads the form, and refuses with a problem of its own. */
const holidays = definePlugin({
  name: 'holidays',
  texts: { en: { 'holidays:closed': 'Closed today' } },
  problems: { closed: { status: 423, text: 'holidays:closed' } },
  setUp: () => ({
    actions: {
      async before({ action, form }) {
        if (action === 'callback' && form['day'] === 'sunday')
          throw new Problem('closed', 'it is a holiday')
        if (action === 'callback' && form['day'] === 'never')
          throw new Problem('forbidden', 'not at all')
      },
    },
  }),
})

const open = (): World =>
  createWorld({
    providers: [Credentials({ authorize: () => ({ id: 'ada', name: 'Ada' }) })],
    plugins: [holidays],
  })

const PATH = '/auth/callback/credentials'

describe('NEW-5: a built-in action that a plugin refuses with a problem', () => {
  test('becomes a page with the status and text of the problem, in a browser', async () => {
    const world = open()
    const headers = { accept: 'text/html' }
    const answer = await world.post(PATH, { day: 'sunday' }, { headers })
    expect(answer.status).toBe(423)
    const page = await answer.text()
    expect(page).toContain('Closed today')
    expect(page).not.toContain('not set up correctly')
    expect((await world.post(PATH, { day: 'never' }, { headers })).status).toBe(403)
    expect(await world.session()).toBeNull()
    expect(world.log.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('becomes a problem in JSON for programs and for the browser client', async () => {
    for (const headers of [{}, { accept: 'text/html', 'x-auth-return-redirect': '1' }]) {
      const answer = await open().post(PATH, { day: 'sunday' }, { headers })
      expect(answer.status).toBe(423)
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
      expect(await answer.json()).toMatchObject({
        code: 'closed',
        title: 'Closed today',
        status: 423,
      })
    }
  })

  test('goes on if the plugin has no objection', async () => {
    const world = open()
    await world.post(PATH, { day: 'monday' })
    expect(await world.session()).toMatchObject({ user: { name: 'Ada' } })
  })
})
