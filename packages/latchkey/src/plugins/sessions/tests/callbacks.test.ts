import { describe, expect, test } from 'vitest'
import {
  createSite,
  passwordSignIn,
  SESSION_COOKIE,
} from '../../../../tests/attacks/support/site.ts'
import {
  abilitiesOf,
  apiOf,
  idOf,
  listOf,
  nameOf,
  recordOf,
  siteOf,
} from '../../../../tests/support/sessions-site.ts'
import type { AuthConfig } from '../../../options/auth-config.ts'
import { sessions } from '../index.ts'

type JwtCallback = NonNullable<NonNullable<AuthConfig['callbacks']>['jwt']>

/** Callbacks that build a new token, as the predecessor allows. */
const builders: Readonly<Record<string, JwtCallback>> = {
  'without `sub`': ({ token }) => ({ name: token['name'] ?? null }),
  'with an empty `sub`': ({ token }) => ({ name: token['name'] ?? null, sub: '' }),
  'with a number as `sub`': ({ token }) => ({ name: token['name'] ?? null, sub: 7 as never }),
  'that changes its argument': ({ token }) => {
    delete token.sub
    return token
  },
}

describe.each(Object.entries(builders))(
  'SEC-27: a `jwt` callback that returns a token %s',
  (_, jwt) => {
    const site = () => siteOf('jwt', { config: { callbacks: { jwt } } })

    test('keeps the name of the session: it is listed, and ends with all of its user', async () => {
      const { world } = await site()
      await passwordSignIn(world)
      expect(await listOf(world)).toHaveLength(1)
      expect(await recordOf(world, await idOf(world))).toMatchObject({ userId: 'ada' })
      // Also after it was written again.
      world.advance(2 * 86_400)
      expect(await nameOf(world)).toBe('ada')
      expect(await apiOf(world).endAll({ userId: 'ada' })).toBe(1)
      expect(await nameOf(world)).toBeNull()
    })

    test('leaves no session behind when its user is deleted', async () => {
      const { world } = await site()
      await passwordSignIn(world)
      const adapter = world.core
        .plan(world.config)
        .plugins?.accounts.tellingDeletions(world.config.adapter ?? {})
      await adapter?.deleteUser?.('ada')
      expect(await nameOf(world)).toBeNull()
    })
  },
)

test('SEC-27: a callback may use another text for the user of a session', async () => {
  const { world } = await siteOf('jwt', {
    config: { callbacks: { jwt: ({ token }) => ({ ...token, sub: 'number-7' }) } },
  })
  await passwordSignIn(world)
  expect(await apiOf(world).endAll({ userId: 'number-7' })).toBe(1)
})

describe('PAIR-12: a `jwt` callback that builds a new token', () => {
  const inOtherOrder: JwtCallback = ({ token }) => ({
    sub: token.sub ?? '',
    picture: token['picture'] ?? null,
    nested: { b: [1, { d: 1, c: 2 }], a: 1 },
    name: token['name'] ?? null,
  })

  test.each([
    ['without plugins', []],
    ['with the plugin sessions', [sessions({ touch: 3600 })]],
  ])('without a change writes nothing, %s', async (_, plugins) => {
    let writes = 0
    const { world } = await createSite({
      strategy: 'jwt',
      config: { plugins, callbacks: { jwt: inOtherOrder } },
    })
    await passwordSignIn(world)
    const abilities = abilitiesOf(world)
    const replace = abilities.replaceRecord
    abilities.replaceRecord = (record) => {
      writes++
      return replace?.(record) ?? false
    }
    const cookie = world.jar.get(SESSION_COOKIE)
    for (let read = 0; read < 3; read++) {
      world.advance(1)
      expect((await world.get('/auth/session')).headers.getSetCookie()).toEqual([])
    }
    expect(world.jar.get(SESSION_COOKIE)).toBe(cookie)
    expect(writes).toBe(0)
  })

  test.each([
    ['a changed member', { count: 2 }],
    ['a new member', { count: 1, more: true }],
    ['a removed member', {}],
    ['another order in a list', { count: 1, list: [2, 1] }],
  ])('with %s has the session written', async (_, later) => {
    let members: object = { count: 1, list: [1, 2] }
    const { world } = await createSite({
      strategy: 'jwt',
      config: {
        callbacks: {
          jwt: ({ token }) => ({ sub: token.sub ?? '', name: token['name'] ?? null, ...members }),
        },
      },
    })
    await passwordSignIn(world)
    members = later
    expect((await world.get('/auth/session')).headers.getSetCookie()).not.toEqual([])
    expect((await world.get('/auth/session')).headers.getSetCookie()).toEqual([])
  })

  test('by changing its argument has the session written', async () => {
    const { world } = await createSite({
      strategy: 'jwt',
      config: {
        callbacks: {
          jwt: ({ token }) => {
            token['count'] = Number(token['count'] ?? 0) + 1
            return token
          },
        },
      },
    })
    await passwordSignIn(world)
    expect((await world.get('/auth/session')).headers.getSetCookie()).not.toEqual([])
  })
})
