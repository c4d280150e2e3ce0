import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { type Call, definePlugin, type Host } from '../../src/entries/plugin.ts'
import { createWorld, type World } from '../../src/entries/testing.ts'
import { type Adapter, atomic } from '../../src/model/adapter.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { federatedLogout } from '../../src/plugins/federated-logout/index.ts'
import { providerTokens } from '../../src/plugins/provider-tokens/index.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'
import { tokens } from '../../src/plugins/tokens/index.ts'
import { sessionRequest } from '../../src/session/session-request.ts'
import { type Store, wrappedAdapter } from '../../src/store/store.ts'
import { SESSION_COOKIE, type Strategy, strategies } from '../attacks/support/site.ts'
import { corp, logoutToken, sendLogout, signInAtCorp } from './logout-site.ts'
import { apiOf, requestOf } from './sessions-site.ts'
import { simulateProvider } from './simulated-provider.ts'
import { acmeProvider, signInWith, strictProvider, tokensApi } from './token-site.ts'
import { decoded, oneApi, tokenOf } from './tokens-site.ts'

/** A page between the proof and the session, which is left at once. */
export const gate = definePlugin<'terms', object, Host>({
  name: 'terms',
  gate: 'require',
  needs: ['records'],
  routes: {
    terms: {
      POST: {
        who: 'pending',
        run:
          async () =>
          async ({ pending, request }: Call, host) => {
            await host.records.create({ kind: 'terms', key: `${pending?.user.id}`, data: {} })
            return host.sessions.resume({ request })
          },
      },
    },
  },
  setUp: (host) => ({
    own: host,
    atGate: async ({ user }) =>
      (await host.records.get('terms', user.id)) ? undefined : host.site.path('terms'),
  }),
})

let seed = 100

/** A site with all plugins that store something, beside an adapter that was written for Auth.js. */
function site(
  strategy: Strategy,
  adapter: Adapter,
  { records = memoryAdapter(), ...more }: Partial<AuthConfig> = {},
) {
  const provider = strictProvider()
  const op = simulateProvider(() => world.now(), { claims: { sid: 'session-at-op' } })
  const fetch: typeof globalThis.fetch = (input, init) =>
    new URL(input instanceof Request ? input.url : input).host === 'acme.example'
      ? provider.fetch(input, init)
      : op.fetch(input, init)
  const world: World = createWorld(
    {
      adapter,
      records,
      session: { strategy },
      providers: [acmeProvider({}, { allowDangerousEmailAccountLinking: true }), corp()],
      plugins: [
        sessions({ touch: 1 }),
        providerTokens(),
        federatedLogout({ backchannel: true }),
        tokens(oneApi),
      ],
      ...more,
    },
    { fetch, seed: seed++ },
  )
  return { world, op, provider, records }
}

const planOf = ({ core, config }: World) => core.plan(config)

/** The adapter for the application. */
const adapterOf = (world: World): Adapter => {
  const { store, plugins } = planOf(world)
  const wrapped = wrappedAdapter(world.config.adapter ?? {}, store as Store)
  return plugins?.accounts.tellingDeletions(wrapped) ?? wrapped
}

const idOfUser = async (world: World): Promise<string> =>
  (await planOf(world).session.current(sessionRequest(requestOf(world), world.origin)))?.user.id ??
  ''

const isSignedIn = async (world: World): Promise<boolean> => (await world.session()) !== null
const errorsOf = ({ log }: World) => log.filter(({ level }) => level === 'error')

/**
 * The plugins beside an adapter that was written for Auth.js: no plugin has to know what is peculiar about it.
 *
 * @param open returns the adapter over an empty store.
 */
export function describePluginsBeside(open: () => Adapter | Promise<Adapter>): void {
  describe.each(strategies)('with %s sessions', (strategy) => {
    test('PAIR-1: sign-in, a second sign-in, a remote end and sign-out work with the plugin sessions', async () => {
      const { world } = site(strategy, await open())
      await signInWith(world)
      expect(await isSignedIn(world)).toBe(true)
      const [first] = await apiOf(world).list(requestOf(world))
      await signInWith(world)
      expect(await isSignedIn(world)).toBe(true)
      const [second, ...others] = await apiOf(world).list(requestOf(world))
      expect(second?.id).not.toBe(first?.id)
      expect(others).toEqual([])
      await world.post('/auth/signout')
      expect(world.jar.has(SESSION_COOKIE)).toBe(false)
      await signInWith(world)
      await apiOf(world).endAll({ userId: await idOfUser(world) })
      world.advance(2)
      expect(await isSignedIn(world)).toBe(false)
      expect(errorsOf(world)).toEqual([])
    })

    test('PAIR-1: a back-channel logout ends the session of a user, and responds with 200', async () => {
      const { world, op } = site(strategy, await open())
      await signInAtCorp({ op, world })
      expect(await isSignedIn(world)).toBe(true)
      const answer = await sendLogout(world, await logoutToken(world))
      expect(answer.status).toBe(200)
      world.advance(2)
      expect(await isSignedIn(world)).toBe(false)
      expect(errorsOf(world)).toEqual([])
    })

    test('PAIR-1: a user is deleted with all that plugins have stored, and a second time without an error', async () => {
      const adapter = await open()
      const { world, records } = site(strategy, adapter)
      await signInWith(world)
      const id = await idOfUser(world)
      const { deleteUser } = adapterOf(world)
      await deleteUser?.(id)
      await deleteUser?.(id)
      for (const kind of ['session', 'provider-tokens'])
        expect(await records[atomic]?.listRecords?.({ kind, userId: id, limit: 10 })).toMatchObject(
          {
            records: [],
          },
        )
      expect(errorsOf(world)).toEqual([])
    })

    test('PAIR-2: a user passes a gate, and is the same user afterwards', async () => {
      const plugins = [gate, sessions()]
      const { world } = site(strategy, await open(), { plugins })
      await signInWith(world)
      expect(await isSignedIn(world)).toBe(false)
      await world.post('/auth/terms')
      expect(await isSignedIn(world)).toBe(true)
      await world.post('/auth/signout')
      await signInWith(world)
      expect(await isSignedIn(world)).toBe(true)
      expect(errorsOf(world)).toEqual([])
    })

    test.each([
      ['as records', [providerTokens()]],
      ['as records, with the plugin sessions', [providerTokens(), sessions()]],
      ['in a cookie', [providerTokens({ store: 'cookie' })]],
    ] as const)(
      'PAIR-2: a second account leaves the tokens of the first one, %s',
      async (where, plugins) => {
        const { world, op } = site(strategy, await open(), { plugins })
        await signInWith(world)
        await signInAtCorp({ op, world })
        for (const provider of ['acme', 'corp'])
          expect(await tokensApi(world).get(requestOf(world), provider), where).toMatchObject({
            access_token: expect.any(String),
          })
        expect(errorsOf(world)).toEqual([])
      },
    )

    test('PAIR-2: another process knows the user of a session, and deletes them by an id as text', async () => {
      const adapter = await open()
      const { world, records } = site(strategy, adapter)
      await signInWith(world)
      const id = await idOfUser(world)
      expect(id).toEqual(expect.any(String))
      const later = site(strategy, adapter, { records }).world
      for (const [name, value] of world.jar) later.jar.set(name, value)
      expect(await idOfUser(later)).toBe(id)
      expect(await apiOf(later).list({ userId: id })).toHaveLength(1)
      const last = site(strategy, adapter, { records }).world
      await adapterOf(last).deleteUser?.(id)
      expect(await adapterOf(last).getUser?.(id)).toBeNull()
      last.advance(2)
      for (const [name, value] of world.jar) last.jar.set(name, value)
      expect(await isSignedIn(last)).toBe(false)
      expect(errorsOf(last)).toEqual([])
    })

    test('PAIR-2: functions of plugins accept the id of a user as the application reads it in its own table', async () => {
      const adapter = await open()
      const { world } = site(strategy, adapter)
      await signInWith(world)
      const asRead = await adapter.getUserByEmail?.('ada@example.com')
      const userId = asRead?.id ?? ''
      expect(await tokensApi(world).forUser(userId, 'acme')).toMatchObject({ ok: true })
      expect(await tokensApi(world).revoke({ userId }, 'acme')).toBe(true)
      const [session] = await apiOf(world).list({ userId })
      expect(await apiOf(world).rename({ userId, id: session?.id ?? '' }, 'Desk')).not.toBeNull()
      expect(await apiOf(world).end({ userId, id: session?.id ?? '' })).toBe(true)
      expect(await apiOf(world).endAll({ userId })).toBe(0)
      await signInWith(world)
      expect(await apiOf(world).endAll({ userId })).toBe(1)
      world.advance(2)
      expect(await isSignedIn(world)).toBe(false)
      expect(errorsOf(world)).toEqual([])
    })

    test.each([undefined, null, '', {}])(
      'functions of plugins refuse %j as the id of a user, and store nothing',
      async (userId) => {
        const { world } = site(strategy, await open())
        await signInWith(world)
        const nobody = { userId: userId as never, id: 'x' }
        for (const call of [
          apiOf(world).endAll(nobody),
          apiOf(world).end(nobody),
          apiOf(world).list(nobody),
          tokensApi(world).forUser(nobody.userId, 'acme'),
        ])
          await expect(call).rejects.toThrow('must be the id of a user')
        expect(await isSignedIn(world)).toBe(true)
        expect(errorsOf(world)).toEqual([])
      },
    )

    test('PAIR-2: a signed token names the user by the same text as the session', async () => {
      const { world } = site(strategy, await open())
      await signInWith(world)
      const { sub } = decoded(await tokenOf(world)).claims
      expect(sub).toBe(await idOfUser(world))
      expect(errorsOf(world)).toEqual([])
    })
  })
}
