import { describe, expect, test } from 'vitest'
import { createSite, passwordSignIn, SECRET } from '../../../../tests/attacks/support/site.ts'
import { DAY, listOf, requestOf } from '../../../../tests/support/sessions-site.ts'
import {
  requestFrom,
  signInWith,
  tokenSite,
  tokensApi,
} from '../../../../tests/support/token-site.ts'
import { createLatchkey, splitConfig } from '../../../entries/index.ts'
import { definePlugin } from '../../../entries/plugin.ts'
import type { AuthConfig } from '../../../options/auth-config.ts'
import { usedAtEdge } from '../../../session/at-edge.ts'
import type { SessionHooks } from '../../../session/watch.ts'
import { createWorld, type World } from '../../../testing/world.ts'
import { createVerifier } from '../../../verifier/session-verifier.ts'
import { tokens } from '../../tokens/index.ts'
import { sessions } from '../index.ts'

/** The half for the edge of a site: another process with the clock and the browser of the site. */
function edgeOf(world: World, config: AuthConfig) {
  const edge = createWorld(splitConfig(config as never), { startsAt: world.now(), seed: 50 })
  for (const [name, value] of world.jar) edge.jar.set(name, value)
  const visit = async (): Promise<{ name: unknown; cookies: string[] }> => {
    for (const [name, value] of world.jar) edge.jar.set(name, value)
    edge.advance((world.now() - edge.now()) / 1000)
    const answer = await edge.get('/auth/session')
    const session = (await answer.json()) as { user?: { name?: string } } | null
    return { name: session?.user?.name ?? null, cookies: answer.headers.getSetCookie() }
  }
  return { edge, visit }
}

const wholeOf = ({ config }: World) => ({
  ...config,
  session: { ...config.session, strategy: 'jwt' as const },
})

/** A `jwt` callback as the predecessor allowed it: the token is built anew, and only its own members are in it. */
const newToken: AuthConfig['callbacks'] = {
  jwt: ({ token }) => ({ sub: token.sub ?? '', name: token['name'] ?? null }),
}

test('PAIR-3: the edge reads a session and leaves its extension to the full instance, which lists it', async () => {
  const { world } = await createSite({ strategy: 'jwt', config: { plugins: [sessions()] } })
  await passwordSignIn(world)
  const { visit } = edgeOf(world, wholeOf(world))
  for (let day = 0; day < 60; day += 2) {
    world.advance(2 * DAY)
    expect(await visit(), `day ${day}`).toEqual({ name: 'ada', cookies: [] })
    await world.session()
    expect(await listOf(world), `day ${day}`).toHaveLength(1)
  }
})

test('PAIR-3: at the edge no sign-in or sign-out bypasses the hooks of a plugin, and the log names the plugin', async () => {
  const { world } = await createSite({ strategy: 'jwt', config: { plugins: [sessions()] } })
  await passwordSignIn(world)
  const { edge } = edgeOf(world, wholeOf(world))
  const answer = await edge.post('/auth/signout')
  expect(answer.status).toBe(503)
  expect(world.log.map(({ message }) => message).join()).toContain(
    'the plugin sessions needs the store',
  )
  expect(await listOf(world)).toHaveLength(1)
})

test('PAIR-3: without plugins that need the store, the edge extends sessions', async () => {
  const { world } = await createSite({ strategy: 'jwt' })
  await passwordSignIn(world)
  const { visit } = edgeOf(world, wholeOf(world))
  world.advance(2 * DAY)
  expect(await visit()).toEqual({
    name: 'ada',
    cookies: [expect.stringContaining('session-token=')],
  })
})

test('PAIR-6: a session is over at its absolute end, for every reader and with any callback', async () => {
  const { world } = await createSite({
    strategy: 'jwt',
    config: {
      plugins: [sessions({ absoluteMaxAge: 20 * DAY, revocations: false })],
      callbacks: newToken,
    },
  })
  await passwordSignIn(world)
  const { visit } = edgeOf(world, wholeOf(world))
  for (let day = 2; day < 20; day += 2) {
    world.advance(2 * DAY)
    expect((await visit()).name, `day ${day}`).toBe('ada')
    await world.session()
  }
  const old = new Map(world.jar)
  world.advance(2 * DAY)
  for (const [name, value] of old) world.jar.set(name, value)
  expect(await visit()).toEqual({ name: null, cookies: [] })
  expect(await world.session()).toBeNull()
})

test('PAIR-6: callbacks see the same claims at the edge, in a verifier and in the full instance', async () => {
  const seen: Record<string, unknown>[] = []
  const { world } = await createSite({
    strategy: 'jwt',
    config: {
      plugins: [sessions({ absoluteMaxAge: 20 * DAY, exposeId: true })],
      callbacks: {
        jwt: ({ token }) => ({ name: token['name'] ?? null }),
        session: ({ session, token }) => {
          seen.push({ ...token, iat: 0, exp: 0, jti: '' })
          return session
        },
      },
    },
  })
  await passwordSignIn(world)
  const whole = wholeOf(world)
  const { visit, edge } = edgeOf(world, whole)
  const told = await world.session()
  expect(await edge.session()).toEqual(told)
  await visit()
  // The bare service does not show the id of the user.
  const session = { ...whole.session, userId: false }
  const verified = await createVerifier({ ...whole, session, secret: SECRET })(requestOf(world))
  // Its clock is that of the machine.
  expect({ ...verified, expires: told?.expires }).toEqual(told)
  expect(seen).toHaveLength(4)
  const { sid, sub, abs, epo } = seen[0] ?? {}
  expect([sid, sub, abs, epo]).not.toContain(undefined)
  for (const each of seen) expect(each).toEqual(seen[0])
})

test('PAIR-8: tokens in a cookie last as long as a session that is read at the edge', async () => {
  const { world, provider } = tokenSite({
    options: { store: 'cookie' },
    config: { session: { strategy: 'jwt' } },
  })
  provider.more = { expires_in: 1000 * DAY }
  await signInWith(world)
  const { visit } = edgeOf(world, wholeOf(world))
  for (let day = 0; day < 60; day += 10) {
    world.advance(10 * DAY)
    expect(await visit()).toMatchObject({ cookies: [] })
    await world.session()
    const tokens = await tokensApi(world).get(requestFrom(world), 'acme')
    expect(tokens, `day ${day}`).toMatchObject({ ok: true })
  }
})

test('PAIR-8: a session that is not remembered gets no lasting cookie at the edge', async () => {
  const plugins = [sessions({ remember: 'never' })]
  const { world } = await createSite({ strategy: 'jwt', config: { plugins } })
  await passwordSignIn(world)
  const { visit } = edgeOf(world, wholeOf(world))
  world.advance(6 * 3600)
  expect(await visit()).toEqual({ name: 'ada', cookies: [] })
  world.advance(7 * 3600)
  expect(await visit()).toEqual({ name: null, cookies: [] })
})

test('PAIR-3: a request with the token of a program has no session at the edge, even with a session cookie', async () => {
  const plugins = [
    sessions(),
    tokens({ device: { clients: [{ id: 'cli', name: 'CLI' }] }, apiKeys: { actsAsSession: true } }),
  ]
  const { world } = await createSite({ strategy: 'jwt', config: { plugins } })
  await passwordSignIn(world)
  const { edge, visit } = edgeOf(world, wholeOf(world))
  expect((await visit()).name).toBe('ada')
  const verify = createVerifier({ ...wholeOf(world), secret: SECRET })
  for (const token of ['lkb_unknown', 'lkp_unknown']) {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await edge.get('/auth/session', { headers })
    expect([await answer.json(), answer.headers.getSetCookie()]).toEqual([null, []])
    const { headers: sent } = requestOf(world)
    const request = new Request('https://app.example/', {
      headers: { ...Object.fromEntries(sent), ...headers },
    })
    expect(await verify.result(request)).toEqual({ session: null, failed: false, ended: false })
  }
  expect((await visit()).name).toBe('ada')
})

describe('PAIR-3, PAIR-6, PAIR-8: each hook of sessions at the edge', () => {
  /** Whether each hook is used there or left to the whole, and what it returns so that a session goes on. */
  const hooks: { readonly [Name in keyof Required<SessionHooks>]: ['used' | 'left', unknown] } = {
    claims: ['used', ['mine']],
    freshAge: ['left', 300],
    life: ['used', {}],
    onRead: ['used', 'good'],
    shown: ['used', undefined],
    beforeProof: ['left', {}],
    beforeIssue: ['left', undefined],
    afterIssue: ['left', undefined],
    afterWrite: ['left', []],
    afterClear: ['left', []],
    confirm: ['left', 'good'],
    onExtend: ['left', 'extend'],
    onRename: ['left', undefined],
    onRenew: ['left', undefined],
    afterRenew: ['left', undefined],
    adopt: ['left', undefined],
    onEnd: ['left', undefined],
    known: ['left', undefined],
  }

  test.each(Object.keys(hooks) as (keyof SessionHooks)[])(
    'is called there, or left to the full instance: %s',
    async (name) => {
      const [where, returned] = hooks[name]
      expect(usedAtEdge.includes(name)).toBe(where === 'used')
      const called: string[] = []
      const hook =
        name === 'claims' || name === 'freshAge'
          ? returned
          : () => {
              called.push(name)
              return returned
            }
      const make = (isWhole: boolean) =>
        definePlugin({
          name: 'one',
          judgesSessions: true,
          atEdge: () => ({
            ...(where === 'used' && { [name]: hook }),
            ...(isWhole && { isWhole }),
          }),
          setUp: () => ({ session: { [name]: hook } }),
        })
      const { world } = await createSite({ strategy: 'jwt', config: { plugins: [make(false)] } })
      await passwordSignIn(world)
      world.advance(2 * DAY)
      called.length = 0
      const whole = { ...wholeOf(world), plugins: [make(true)] }
      if (where === 'left') {
        // What is left keeps the edge from writing, and a plugin cannot say otherwise.
        expect(await edgeOf(world, wholeOf(world)).visit()).toEqual({ name: 'ada', cookies: [] })
        expect(called).toEqual([])
        const { handler } = createLatchkey({ ...whole, providers: [] } as AuthConfig, {})
        expect((await handler(new Request('https://app.example/auth/session'))).status).toBe(500)
      } else {
        const { visit } = edgeOf(world, whole)
        expect(await visit()).toMatchObject({ name: 'ada', cookies: [expect.any(String)] })
        if (name !== 'claims') expect(called).toContain(name)
      }
    },
  )
})
