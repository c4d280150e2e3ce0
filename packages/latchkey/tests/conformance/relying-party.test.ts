import { describe, expect, test } from 'vitest'
import { createWorld, type World } from '../../src/entries/testing.ts'
import { oidc } from '../../src/providers/define.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  ISSUER,
  key,
  simulateProvider,
} from '../support/simulated-provider.ts'
import { type ConformanceCase, cases, type Plan } from './cases.ts'
import { conformancePage } from './page.ts'

const SESSION_COOKIE = '__Secure-authjs.session-token'

const CHECKS = ['pkce', 'state', 'nonce'] as const

interface Run {
  readonly world: World
  /** Addresses of the provider that were asked. */
  readonly asked: string[]
  /** Why the provider refused requests of ours. */
  readonly refused: readonly string[]
  readonly end: Response
}

/** A sign-in from the form on our page to the answer to what the provider sent. */
async function signIn({ provider: told, options }: ConformanceCase, plan: Plan): Promise<Run> {
  const start = Date.UTC(2030, 0, 1)
  const provider = simulateProvider(() => start, told, {
    authMethod: options?.client?.token_endpoint_auth_method,
    needsPkce: (options?.checks ?? CHECKS).includes('pkce'),
  })
  const { refused } = provider
  const formPost = plan === 'Form-post'
  const { authorization, ...others } = options ?? {}
  const params = typeof authorization === 'object' ? authorization.params : {}
  const world = createWorld(
    {
      providers: [
        oidc({ id: 'op', name: 'OP', issuer: ISSUER, checks: CHECKS })({
          clientId: CLIENT_ID,
          clientSecret: CLIENT_SECRET,
          authorization: {
            params: { ...params, ...(formPost ? { response_mode: 'form_post' } : {}) },
          },
          ...others,
          ...(options && 'clientSecret' in options ? { clientSecret: '' } : {}),
        }),
      ],
    },
    { fetch: provider.fetch, startsAt: start },
  )
  const begun = await world.post('/auth/signin/op')
  const location = new URL(begun.headers.get('location') ?? '')
  const asked = () => provider.asked.map(({ path }) => path)
  if (location.origin !== ISSUER) return { world, asked: asked(), refused, end: begun }
  const answer = provider.authorize(location)
  const end = formPost
    ? await world.request('/auth/callback/op', { method: 'POST', body: answer })
    : await world.get(`/auth/callback/op?${answer}`)
  return { world, asked: asked(), refused, end }
}

const outcomes = new Map<string, string>()

describe.each(['Basic', 'Config', 'Form-post'] as const)('%s', (plan) => {
  test.each(
    cases
      .filter(({ plans }) => plans.includes(plan))
      .map((each) => [each.threat ? `${each.threat}: ` : '', each.group, each.name, each] as const),
  )('%s%s: %s', async (_threat, group, name, each) => {
    const { world, end, asked, refused } = await signIn(each, plan)
    const error = new URL(end.headers.get('location') ?? '', world.origin).searchParams.get('error')
    const outcome = world.jar.has(SESSION_COOKIE) ? 'signed in' : 'refused'
    outcomes.set(`${plan} ${group} ${name}`, outcome)
    expect(outcome).toBe(each.expected)
    expect(end.status).toBe(302)
    expect(error === null).toBe(outcome === 'signed in')
    if (outcome === 'signed in') expect(await world.session()).not.toBeNull()
    // Whoever refused, it was us: our own requests were right.
    expect(refused).toEqual([])
    // A response that is refused is not redeemed.
    if (group === 'response refused') expect(asked).not.toContain('/token')
  })
})

describe('keys of an issuer', () => {
  async function setUp(): Promise<{
    provider: ReturnType<typeof simulateProvider>
    world: World
    goThrough(): Promise<boolean>
    fetches(): number
  }> {
    const start = Date.UTC(2030, 0, 1)
    const provider = simulateProvider(() => world.now())
    const world: World = createWorld(
      {
        providers: [
          oidc({ id: 'op', name: 'OP', issuer: ISSUER })({
            clientId: CLIENT_ID,
            clientSecret: CLIENT_SECRET,
          }),
        ],
      },
      { fetch: provider.fetch, startsAt: start },
    )
    return {
      provider,
      world,
      fetches: () => provider.asked.filter(({ path }) => path === '/keys').length,
      async goThrough() {
        world.jar.clear()
        const begun = await world.post('/auth/signin/op')
        const answer = provider.authorize(new URL(begun.headers.get('location') ?? ''))
        await world.get(`/auth/callback/op?${answer}`)
        return world.jar.has(SESSION_COOKIE)
      },
    }
  }

  test('T-OIDC-6: are requested once for many sign-ins', async () => {
    const { goThrough, fetches } = await setUp()
    for (let round = 0; round < 5; round++) expect(await goThrough()).toBe(true)
    expect(fetches()).toBe(1)
  })

  test('T-OIDC-6: are requested anew when the issuer has rotated them', async () => {
    const { goThrough, provider, fetches } = await setUp()
    expect(await goThrough()).toBe(true)
    provider.misbehaviour = { signWith: () => key('rotated') }
    expect(await goThrough()).toBe(true)
    expect(fetches()).toBe(2)
  })

  test('T-OIDC-6: are requested once a minute for any number of unknown key ids', async () => {
    const { goThrough, provider, fetches, world } = await setUp()
    expect(await goThrough()).toBe(true)
    provider.misbehaviour = {
      keys: async () => [await key('usual')],
      signWith: () => key('usual', 'RS256', 'unknown'),
    }
    for (let round = 0; round < 20; round++) expect(await goThrough()).toBe(false)
    expect(fetches()).toBe(2)
    world.advance(61)
    expect(await goThrough()).toBe(false)
    expect(fetches()).toBe(3)
  })
})

test('the page of conformance has the results of this run', async () => {
  const page = conformancePage(cases, (plan, { group, name }) =>
    outcomes.get(`${plan} ${group} ${name}`),
  )
  expect(page).not.toContain('not run')
  await expect(page).toMatchFileSnapshot('../../../../docs/reference/conformance.md')
})
