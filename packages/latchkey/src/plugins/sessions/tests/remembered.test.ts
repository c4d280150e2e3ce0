import { describe, expect, test } from 'vitest'
import {
  acme,
  askForLink,
  createSite,
  passwordSignIn,
  providerSignIn,
  SESSION_COOKIE,
  type Strategy,
  strategies,
} from '../../../../tests/attacks/support/site.ts'
import { createAuthenticator } from '../../../../tests/support/authenticator.ts'
import { optionsOf, register, send } from '../../../../tests/support/passkeys.ts'
import {
  abilitiesOf,
  DAY,
  idOf,
  isoDate,
  listOf,
  nameOf,
  recordOf,
  siteOf,
} from '../../../../tests/support/sessions-site.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { definePlugin } from '../../../entries/plugin.ts'
import type { AuthConfig } from '../../../options/auth-config.ts'
import Passkey from '../../../providers/passkey.ts'
import type { World } from '../../../testing/world.ts'
import { type SessionsOptions, sessions } from '../index.ts'

const HOUR = 60 * 60
const ASK: SessionsOptions = { remember: 'ask' }
const TICKED = { remember: '1' }

const cookieOf = (answer: Response): string =>
  answer.headers.getSetCookie().find((each) => each.startsWith(SESSION_COOKIE)) ?? ''

const endsWithBrowser = (answer: Response): boolean =>
  cookieOf(answer) !== '' && !/expires|max-age/i.test(cookieOf(answer))

/** Does the session of this browser outlive it? */
const isRemembered = async (world: World) => (await listOf(world))[0]?.remembered

describe.each(strategies)('SES-18: %s sessions that are not remembered', (strategy) => {
  test('have a cookie that ends with the browser, and a short lifetime', async () => {
    const { world } = await siteOf(strategy, { options: { remember: 'never' } })
    const answer = await passwordSignIn(world)
    expect(endsWithBrowser(answer)).toBe(true)
    const end = isoDate(world.now() + 12 * HOUR * 1000)
    expect(await listOf(world)).toMatchObject([{ remembered: false, expires: end }])
    expect((await world.session())?.expires).toBe(end)
    const record = await recordOf(world, await idOf(world))
    expect(record?.data).toMatchObject({ per: 0, until: Date.parse(end) })
    const [row] = (await abilitiesOf(world).listSessionsByUserId?.('ada')) ?? []
    if (strategy === 'database') expect(row?.expires).toEqual(new Date(end))
  })

  test('end as idle after that time, and go on while they are used', async () => {
    const told: string[] = []
    const events: AuthConfig['events'] = { sessionEnded: ({ reason }) => void told.push(reason) }
    const options = { remember: 'never', shortMaxAge: 2 * HOUR } as const
    const { world } = await siteOf(strategy, { options, config: { events } })
    await passwordSignIn(world)
    for (let hours = 0; hours < 48; hours += 1.5) {
      world.advance(1.5 * HOUR)
      const answer = await world.get('/auth/session')
      expect(await answer.json()).toMatchObject({ user: { name: 'ada' } })
      expect(endsWithBrowser(answer)).toBe(true)
    }
    world.advance(2 * HOUR + 16)
    expect(await nameOf(world)).toBeNull()
    expect(told).toEqual(['idle'])
  })

  test('are extended some thirty times in their short lifetime, and not with every read', async () => {
    const options = {
      remember: 'never',
      touch: 0,
      shortMaxAge: 3 * HOUR,
      revocations: false,
    } as const
    const { world } = await siteOf(strategy, { options })
    await passwordSignIn(world)
    const asked: string[] = []
    const { getRecord } = abilitiesOf(world)
    abilitiesOf(world).getRecord = async (key) => {
      asked.push(key.kind)
      return (await getRecord?.(key)) ?? null
    }
    let written = 0
    for (let minutes = 0; minutes < 60; minutes++) {
      world.advance(60)
      const answer = await world.get('/auth/session')
      if (cookieOf(answer)) written++
    }
    // Every six minutes.
    expect(written).toBeGreaterThanOrEqual(8)
    expect(written).toBeLessThanOrEqual(10)
    expect(asked.length).toBeLessThanOrEqual(written)
  })

  test('have no later absolute end', async () => {
    const options = { remember: 'never', absoluteMaxAge: 13 * HOUR } as const
    const { world } = await siteOf(strategy, { options })
    const end = isoDate(world.now() + 13 * HOUR * 1000)
    await passwordSignIn(world)
    world.advance(11 * HOUR)
    await nameOf(world)
    expect((await listOf(world))[0]?.expires).toBe(end)
    world.advance(2 * HOUR)
    expect(await nameOf(world)).toBeNull()
  })

  test('belong to users who did not tick the box', async () => {
    const { world } = await siteOf(strategy, { options: ASK })
    expect(endsWithBrowser(await passwordSignIn(world))).toBe(true)
    expect(await isRemembered(world)).toBe(false)
    expect(endsWithBrowser(await passwordSignIn(world, 'ada', TICKED))).toBe(false)
    expect(await isRemembered(world)).toBe(true)
    expect((await listOf(world))[0]?.expires).toBe(isoDate(world.now() + 30 * DAY * 1000))
    for (const remember of ['0', 'true', '11']) {
      await passwordSignIn(world, 'ada', { remember })
      expect(await isRemembered(world)).toBe(false)
    }
  })

  test('are marked in their token or record, which the application cannot change', async () => {
    const jwt = ({ token }: { token: object }) => ({ ...token, per: 1 })
    const { world } = await siteOf(strategy, {
      options: { remember: 'never' },
      config: { callbacks: { jwt } },
    })
    expect(endsWithBrowser(await passwordSignIn(world))).toBe(true)
    world.advance(2 * HOUR)
    expect(endsWithBrowser(await world.get('/auth/session'))).toBe(true)
  })

  test('lose an attribute `maxAge` of the configuration', async () => {
    const cookies = { sessionToken: { options: { maxAge: 99 } } }
    const { world } = await siteOf(strategy, {
      options: { remember: 'never' },
      config: { cookies },
    })
    expect(endsWithBrowser(await passwordSignIn(world))).toBe(true)
  })
})

describe.each(strategies)('SES-18: the choice to be remembered, with %s sessions', (strategy) => {
  test.each([
    [TICKED, true],
    [{}, false],
  ])('is kept on the way to a provider and back: %j', async (fields, expected) => {
    const { world } = await siteOf(strategy, { options: ASK })
    await providerSignIn(world, 'acme', 'carol', fields)
    expect(await isRemembered(world)).toBe(expected)
  })

  test('belongs to the sign-in that comes back, and not to another one', async () => {
    const { world } = await siteOf(strategy, { options: ASK })
    await world.post('/auth/signin/corp', TICKED)
    await providerSignIn(world, 'acme')
    expect(await isRemembered(world)).toBe(false)
  })

  test('is not read from the address of a response', async () => {
    const { world } = await siteOf(strategy, { options: ASK })
    await providerSignIn(world, 'acme', 'carol&remember=1')
    expect(await isRemembered(world)).toBe(false)
  })

  test('is kept with a mail in the browser that requested it, and in no other', async () => {
    const site = await siteOf(strategy, { options: ASK })
    const { world } = site
    const link = await askForLink(site, 'ada@example.com', TICKED)
    await world.get(link)
    expect(await isRemembered(world)).toBe(true)
    const again = await askForLink(site, 'ada@example.com', TICKED)
    const elsewhere = world.otherBrowser()
    await elsewhere.post(again, TICKED)
    expect(await isRemembered(elsewhere)).toBe(false)
  })

  test('is kept through a passkey', async () => {
    const { world } = await passkeySite(strategy)
    const authenticator = createAuthenticator(world.origin)
    await register(world, authenticator, 'eve@example.com')
    expect(await isRemembered(world)).toBe(false)
    await world.post('/auth/signout')
    const { options } = await optionsOf(world, { action: 'authenticate' })
    await send(world, 'authenticate', authenticator.get(options), TICKED)
    expect(await isRemembered(world)).toBe(true)
  })

  test('is kept through a gate', async () => {
    let isOpen = false
    const gate = definePlugin({
      name: 'gate',
      gate: 'require',
      routes: {
        pass: {
          POST: {
            who: 'pending',
            run: async () => async (call, own: { resume: (call: never) => Promise<object> }) => {
              isOpen = true
              return own.resume(call as never)
            },
          },
        },
      },
      setUp: (host) => ({
        own: { resume: (call: never) => host.sessions.resume(call) },
        atGate: () => (isOpen ? undefined : host.site.path('pass')),
      }),
    })
    const plugins = [sessions(ASK), gate]
    const { world } = await siteOf(strategy, { config: { plugins } })
    await passwordSignIn(world, 'ada', TICKED)
    expect(await nameOf(world)).toBeNull()
    await world.post('/auth/pass')
    expect(await isRemembered(world)).toBe(true)
  })
})

const passkeySite = (strategy: Strategy) =>
  createSite({
    strategy,
    config: {
      plugins: [sessions(ASK)],
      providers: [Passkey()],
    },
  })

describe('the sign-in page', () => {
  const pageOf = async (options: SessionsOptions) => {
    const { world } = await createSite({
      config: { plugins: [sessions(options)] },
    })
    return (await world.get('/auth/signin')).text()
  }

  test('has one checkbox for the providers and the first form, and one in each form behind "More ways"', async () => {
    const text = await pageOf(ASK)
    const [main = '', more = ''] = text.split('<details')
    for (const part of [main, more]) {
      expect(part.match(/<form/g)).toHaveLength(1)
      expect(part.match(/type="checkbox" name="remember" value="1"/g)).toHaveLength(1)
      expect(part).not.toContain('checked')
    }
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ['acme', 'corp']) expect(text).toContain(`formaction="/auth/signin/${id}"`)
  })

  test.each(['always', 'never'] as const)('is unchanged with %s', async (remember) => {
    const { world } = await createSite({})
    expect(await pageOf({ remember })).not.toContain('type="checkbox"')
    const plain = await (await world.get('/auth/signin')).text()
    const csrf = /name="csrfToken" value="[^"]*"/g
    expect((await pageOf({ remember })).replace(csrf, '')).toBe(plain.replace(csrf, ''))
  })

  test('has one for passkeys and providers together', async () => {
    const { world } = await createSite({
      adapter: memoryAdapter(),
      config: {
        plugins: [sessions(ASK)],
        providers: [Passkey(), acme()],
      },
    })
    const text = await (await world.get('/auth/signin')).text()
    expect(text.match(/name="remember" value="1" data-for-all/g)).toHaveLength(1)
  })
})

test.each([{ remember: 'maybe' }, { remember: true }, { shortMaxAge: 1 }, { shortMaxAge: 0.5 }])(
  'the options of remembered sessions refuse %j',
  (options) => {
    expect(() => sessions(options as never)).toThrow(/got/)
  },
)
