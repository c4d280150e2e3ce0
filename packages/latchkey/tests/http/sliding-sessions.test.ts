import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createWorld, type World } from '../../src/entries/testing.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import Credentials from '../../src/providers/credentials.ts'

const COOKIE = '__Secure-authjs.session-token'
const HOUR = 60 * 60
const ada = { id: 'u1', name: 'Ada', email: 'ada@example.com' }

/** A browser that is signed in, and that drops its session cookie when the cookie ends. */
interface Visitor {
  readonly world: World
  visit(): Promise<{ expires?: string } | null>
}

async function signedIn(config: Partial<AuthConfig>): Promise<Visitor> {
  const adapter = config.session?.strategy === 'database' ? memoryAdapter() : undefined
  await adapter?.createUser?.({ ...ada, emailVerified: null })
  const providers = [Credentials({ authorize: () => ada })]
  const world = createWorld({ providers, ...(adapter && { adapter }), ...config })
  let cookieEnds = 0
  const keep = (answer: Response): void => {
    const line = answer.headers.getSetCookie().find((set) => set.startsWith(`${COOKIE}=`))
    if (line === undefined) return
    const maxAge = /; Max-Age=(\d+)/.exec(line)?.[1]
    const expires = /; Expires=([^;]+)/.exec(line)?.[1]
    cookieEnds = maxAge ? world.now() + Number(maxAge) * 1000 : Date.parse(expires ?? '')
  }
  keep(await world.post('/auth/callback/credentials'))
  return {
    world,
    async visit() {
      if (world.now() >= cookieEnds) world.jar.delete(COOKIE)
      const answer = await world.get('/auth/session')
      keep(answer)
      return (await answer.json()) as { expires?: string } | null
    },
  }
}

interface Ages {
  readonly session: number | undefined
  readonly token: number | undefined
  readonly update: number | undefined
  readonly cookie: number | undefined
}

const age = fc.option(fc.integer({ min: 120, max: 60 * 24 * HOUR }), { nil: undefined })
const update = fc.option(fc.integer({ min: 0, max: 60 * 24 * HOUR }), { nil: undefined })
const ages: fc.Arbitrary<Ages> = fc.record({ session: age, token: age, update, cookie: age })

function configOf(strategy: 'jwt' | 'database', { session, token, update, cookie }: Ages) {
  return {
    session: { strategy, maxAge: session, updateAge: update },
    ...(token !== undefined && { jwt: { maxAge: token } }),
    ...(cookie !== undefined && {
      cookies: { sessionToken: { options: { maxAge: cookie } } },
    }),
  }
}

/** Seconds: the shortest of the session, its token and its cookie. */
function lifeOf(strategy: 'jwt' | 'database', { session, token, cookie }: Ages): number {
  const maxAge = session ?? 30 * 24 * HOUR
  return Math.min(maxAge, cookie ?? maxAge, (strategy === 'jwt' ? token : undefined) ?? maxAge)
}

for (const strategy of ['jwt', 'database'] as const) {
  describe(`${strategy} sessions`, () => {
    test('do not end for a visitor whose visits are regular and closer together than the shortest life', async () => {
      await fc.assert(
        fc.asyncProperty(
          ages,
          fc.double({ min: 0.01, max: 0.98, noNaN: true }),
          async (of, part) => {
            const { world, visit } = await signedIn(configOf(strategy, of))
            const gap = Math.floor(lifeOf(strategy, of) * part)
            for (let i = 0; i < 8; i++) {
              world.advance(gap)
              expect(await visit()).toMatchObject({ user: { name: 'Ada' } })
            }
          },
        ),
        { numRuns: 150 },
      )
    })

    test('do not end for a visitor who comes at least twice in the shortest life', async () => {
      const gaps = fc.array(fc.double({ min: 0, max: 0.49, noNaN: true }), { maxLength: 20 })
      await fc.assert(
        fc.asyncProperty(ages, gaps, async (of, parts) => {
          const { world, visit } = await signedIn(configOf(strategy, of))
          for (const part of parts) {
            world.advance(Math.floor(lifeOf(strategy, of) * part))
            const session = await visit()
            expect(session).toMatchObject({ user: { name: 'Ada' } })
            expect(Date.parse(session?.expires ?? '')).toBeGreaterThanOrEqual(world.now())
          }
        }),
        { numRuns: 150 },
      )
    })
  })
}

describe('a sealed session', () => {
  test('with a token that lives for an hour goes on with a visit every 40 minutes', async () => {
    const { world, visit } = await signedIn({ jwt: { maxAge: HOUR } })
    for (let i = 0; i < 10; i++) {
      world.advance(40 * 60)
      expect(await visit()).not.toBeNull()
    }
  })

  test('with a token that lives for an hour reports its real end', async () => {
    const { world, visit } = await signedIn({ jwt: { maxAge: HOUR } })
    world.advance(40 * 60)
    expect((await visit())?.expires).toBe(new Date(world.now() + HOUR * 1000).toISOString())
  })

  test('that was written with a shorter lifetime than the configuration has is extended at once', async () => {
    const before = await signedIn({ jwt: { maxAge: HOUR } })
    const { world, visit } = await signedIn({})
    world.jar.set(COOKIE, before.world.jar.get(COOKIE) ?? '')
    world.advance(60)
    expect(await visit()).not.toBeNull()
    world.advance(2 * HOUR)
    expect(await visit()).not.toBeNull()
  })

  test('that ended a moment ago, and is still accepted, does not report an end in the past', async () => {
    const { world } = await signedIn({ jwt: { maxAge: HOUR } })
    world.advance(HOUR + 10)
    const answer = await world.core
      .plan(world.config)
      .session.read({ cookies: jarOf(world), secure: true }, { readOnly: true })
    expect(Date.parse(answer.session?.expires ?? '')).toBe(world.now())
  })
})

function jarOf({ jar }: World) {
  return { get: (name: string) => jar.get(name), names: () => [...jar.keys()] }
}
