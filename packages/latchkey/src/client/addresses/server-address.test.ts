import { afterEach, describe, expect, test, vi } from 'vitest'
import { serverAddress } from './server-address.ts'

const on = (env: Record<string, string>) => serverAddress({ process: { env } })

describe('a server finds the service', () => {
  test.each([
    [{ AUTH_URL: 'https://app.example' }, { baseUrl: 'https://app.example' }],
    [{ AUTH_URL: 'https://app.example/' }, { baseUrl: 'https://app.example' }],
    [
      { AUTH_URL: 'https://app.example/sub/auth/', NEXTAUTH_URL: 'https://other.example' },
      { baseUrl: 'https://app.example', basePath: '/sub/auth' },
    ],
    [{ AUTH_URL: '', NEXTAUTH_URL: 'http://localhost:3000' }, { baseUrl: 'http://localhost:3000' }],
    [{ VERCEL_URL: 'app-1.vercel.app' }, { baseUrl: 'https://app-1.vercel.app' }],
    [{ AUTH_URL: 'app.example' }, {}],
    [{}, {}],
  ])('by its environment: %o', (env, expected) => {
    expect(on(env)).toEqual(expected)
  })

  test('in variables that a browser does not read', () => {
    expect(
      serverAddress({ document: {}, process: { env: { AUTH_URL: 'https://x.example' } } }),
    ).toEqual({})
    expect(serverAddress({})).toEqual({})
  })
})

describe('the functions of React on a server', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.unstubAllEnvs()
    vi.resetModules()
  })

  test('call the service at AUTH_URL', async () => {
    vi.stubEnv('AUTH_URL', 'https://app.example')
    const asked: string[] = []
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url)
      return Response.json({})
    })
    vi.resetModules()
    const { getProviders } = await import('../react.ts')
    expect(await getProviders()).toEqual({})
    vi.stubEnv('NEXT_RUNTIME', 'nodejs')
    expect(await getProviders()).toEqual({})
    expect(asked).toEqual([
      'https://app.example/auth/providers',
      'https://app.example/api/auth/providers',
    ])
  })

  test('name the address in an error without it', async () => {
    for (const name of ['AUTH_URL', 'NEXTAUTH_URL', 'VERCEL_URL']) vi.stubEnv(name, '')
    vi.resetModules()
    const { getProviders } = await import('../react.ts')
    await expect(getProviders()).rejects.toThrow('the service cannot be reached at /auth')
  })
})
