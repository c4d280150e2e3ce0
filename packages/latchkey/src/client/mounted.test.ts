import { afterEach, expect, test, vi } from 'vitest'
import type { AuthClient } from './client.ts'

vi.mock('$app/paths', () => ({ resolve: (path: string) => `/app${path}` }))

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['sveltekit', '/app/auth'],
  ['solid-start', '/api/auth'],
])('the client for %s calls the service at its usual path', async (name, base) => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    return Response.json({ csrfToken: 'token', url: 'https://app.example/' })
  })
  // Another file of tests has another `$app/paths`.
  vi.resetModules()
  const { signOut } = (await import(`./${name}.ts`)) as Pick<AuthClient, 'signOut'>
  expect(await signOut({ redirect: false })).toEqual({ url: 'https://app.example/' })
  expect(asked.slice(0, 2)).toEqual([`${base}/csrf`, `${base}/signout`])
})
