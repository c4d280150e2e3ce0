import { describe, expect, test } from 'vitest'
import { createWorld, type World } from '../../src/entries/testing.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import GitHub from '../../src/providers/github.ts'

const BROWSER = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }

const open = (config: Partial<AuthConfig> = {}): World =>
  createWorld({ providers: [GitHub({ clientId: 'id', clientSecret: 'secret' })], ...config })

describe('NEW-7: an unknown address below the base path', () => {
  test.each([
    '/auth/account',
    '/auth/login',
    '/auth/signup',
    '/auth/signin/github/more',
    '/auth/%73ignin',
  ])('%s is a page with 404 in a browser, which leads to the sign-in page', async (path) => {
    const answer = await open().get(path, BROWSER)
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toContain('text/html')
    const page = await answer.text()
    expect(page).toContain('There is no such page')
    expect(page).toContain('href="/auth/signin"')
    expect(page).not.toContain(path)
  })

  test.each(['/auth', '/auth/'])('%s leads to the sign-in page', async (path) => {
    const world = open()
    const answer = await world.get(path, BROWSER)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/auth/signin'])
    expect(world.log.filter(({ level }) => level !== 'debug')).toEqual([])
    const own = await open({ pages: { signIn: '/login' } }).get(path, BROWSER)
    expect(own.headers.get('location')).toBe('/login')
  })

  test('answers a program with 400 and JSON', async () => {
    for (const path of ['/auth', '/auth/login']) {
      const answer = await open().get(path)
      expect([answer.status, await answer.json()]).toEqual([400, 'Bad request.'])
    }
  })

  test('has no page for an address outside, nor for an untrusted host', async () => {
    expect((await open().get('/elsewhere', BROWSER)).status).toBe(400)
    const world = open({ trustHost: ['other.example'] })
    expect((await world.get('/auth/login', BROWSER)).status).toBe(400)
  })
})
