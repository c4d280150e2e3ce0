import { describe, expect, test } from 'vitest'
import { createGitHub } from '../../../../tests/support/github.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { definePlugin } from '../../../entries/plugin.ts'
import { createWorld, type World } from '../../../entries/testing.ts'
import type { AuthConfig } from '../../../options/auth-config.ts'
import GitHub, { type GitHubOptions } from '../../../providers/github.ts'
import { authJsRollback } from '../index.ts'

const SESSION = '__Secure-authjs.session-token'

function withWayBack(options: GitHubOptions = {}, more: Partial<AuthConfig> = {}): World {
  const { fetch } = createGitHub({})
  const github = GitHub({ clientId: 'id', clientSecret: 'secret', ...options })
  return createWorld({ providers: [github], plugins: [authJsRollback()], ...more }, { fetch })
}

/** The cookies of the beginning of a sign-in, but for those that every form sets. */
async function begin(world: World): Promise<string[]> {
  const begun = await world.post('/auth/signin/github')
  return begun.headers.getSetCookie().filter((line) => !/csrf|callback-url/.test(line))
}

const nameOf = (line: string): string => line.slice(0, line.indexOf('='))

describe('the check cookies of Auth.js', () => {
  test('are written for each check that is configured', async () => {
    for (const [checks, cookies] of [
      [['state'], ['state']],
      [
        ['pkce', 'state'],
        ['pkce.code_verifier', 'state'],
      ],
      [['nonce'], ['nonce']],
      [['none'], []],
      [[], []],
    ] as const) {
      expect((await begin(withWayBack({ checks }))).map(nameOf).sort()).toEqual([
        expect.stringMatching(/^__Host-latchkey\.sign-in\.[\w-]{16}$/),
        ...cookies.map((name) => `__Secure-authjs.${name}`),
      ])
    }
  })

  test('are sealed, and live as long as the sign-in', async () => {
    const lines = await begin(withWayBack())
    expect(lines.find((line) => line.includes('pkce'))).toMatch(
      /^__Secure-authjs\.pkce\.code_verifier=ey[^;]+; Max-Age=900; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    )
  })

  test('are sent with a form of the provider from its own site', async () => {
    const lines = await begin(
      withWayBack({
        checks: ['pkce', 'state'],
        authorization: { params: { response_mode: 'form_post' } },
      }),
    )
    expect(lines).toHaveLength(3)
    for (const line of lines) expect(line).toMatch(/; Secure; SameSite=None$/)
  })

  test('have the names of the configuration', async () => {
    const cookies = { pkceCodeVerifier: { name: 'my-verifier' } }
    expect((await begin(withWayBack({}, { cookies }))).map(nameOf)).toContain('my-verifier')
  })

  test('are cleared with the sign-in', async () => {
    const world = withWayBack({ checks: ['pkce', 'state'] })
    const begun = await world.post('/auth/signin/github')
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? ''
    await world.get(`/auth/callback/github?code=c&state=${state}`)
    expect(await world.session()).not.toBeNull()
    expect([...world.jar.keys()].filter((name) => /sign-in|pkce|state/.test(name))).toEqual([])
  })

  test('sign nobody in without the cookie of the sign-in', async () => {
    const world = withWayBack({ checks: ['pkce', 'state'] })
    const begun = await world.post('/auth/signin/github')
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? ''
    for (const name of world.jar.keys()) if (name.includes('sign-in')) world.jar.delete(name)
    await world.get(`/auth/callback/github?code=c&state=${state}`)
    expect(await world.session()).toBeNull()
  })

  test('are written beside those of other plugins', async () => {
    const other = definePlugin({
      name: 'other',
      setUp: () => ({
        onBegin: ({ provider }) => [{ name: 'other', value: provider, options: {} }],
      }),
    })
    const plugins = [other, authJsRollback(), definePlugin({ name: 'third', setUp: () => ({}) })]
    expect((await begin(withWayBack({}, { plugins }))).map(nameOf)).toEqual([
      expect.stringContaining('latchkey.sign-in'),
      'other',
      '__Secure-authjs.pkce.code_verifier',
    ])
  })
})

describe('a stored session', () => {
  const github = GitHub({ clientId: 'id' })

  /** Somebody whose row has the token, or its hash. */
  async function signedIn(plugins: NonNullable<AuthConfig['plugins']>) {
    const { fetch } = createGitHub({})
    const adapter = memoryAdapter()
    const config = { adapter, providers: [github], secret: 'a secret of a test, 0123456789' }
    const world = createWorld({ ...config, plugins }, { fetch })
    const begun = await world.post('/auth/signin/github')
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? ''
    await world.get(`/auth/callback/github?code=c&state=${state}`)
    const token = world.jar.get(SESSION) ?? ''
    /** Reads the session with other plugins. */
    const read = async (others: NonNullable<AuthConfig['plugins']>) => {
      const reader = createWorld({ ...config, plugins: others }, { fetch })
      reader.jar.set(SESSION, token)
      return reader.session()
    }
    return { read, isPlain: async () => Boolean(await adapter.getSessionAndUser?.(token)) }
  }

  test('has its token in the row, which is hashed once the plugin is gone', async () => {
    const { read, isPlain } = await signedIn([authJsRollback()])
    expect(await isPlain()).toBe(true)
    expect(await read([authJsRollback()])).not.toBeNull()
    expect(await isPlain()).toBe(true)
    expect(await read([])).not.toBeNull()
    expect(await isPlain()).toBe(false)
  })

  test('that was hashed gets its token into the row at a read', async () => {
    const { read, isPlain } = await signedIn([])
    expect(await isPlain()).toBe(false)
    expect(await read([authJsRollback()])).not.toBeNull()
    expect(await isPlain()).toBe(true)
  })
})
