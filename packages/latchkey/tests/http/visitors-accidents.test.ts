import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createWorld, type World } from '../../src/entries/testing.ts'
import GitHub from '../../src/providers/github.ts'
import { createGitHub } from '../support/github.ts'

const ORIGIN = 'https://app.example'

function github(config = {}): World {
  const { fetch } = createGitHub({})
  const providers = [GitHub({ clientId: 'id', clientSecret: 'secret' })]
  return createWorld({ providers, ...config }, { fetch })
}

async function begin(world: World): Promise<string> {
  const begun = await world.post('/auth/signin/github')
  const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? ''
  return `/auth/callback/github?state=${state}`
}

const locationOf = (answer: Response): string => answer.headers.get('location') ?? ''

async function page(world: World, answer: Response): Promise<{ status: number; text: string }> {
  const shown = await world.get(locationOf(answer).replace(ORIGIN, ''))
  return { status: shown.status, text: await shown.text() }
}

describe('NEW-1: a callback that comes too late or twice', () => {
  const late: Record<string, (world: World) => Promise<Response>> = {
    'of a sign-in that took too long': async (world) => {
      const back = await begin(world)
      world.advance(60 * 60)
      return world.get(`${back}&code=c`)
    },
    'that the visitor reached with the back button': async (world) => {
      const back = `${await begin(world)}&code=c`
      expect(locationOf(await world.get(back))).toBe(ORIGIN)
      return world.get(back)
    },
    'without a state': (world) => world.get('/auth/callback/github?code=c'),
  }

  test.each(Object.entries(late))(
    'with %s gets a page with 400 that leads to the sign-in page, not the error page',
    async (_, visit) => {
      const world = github()
      const answer = await visit(world)
      expect(locationOf(answer)).toBe(`${ORIGIN}/auth/error?error=Configuration&code=expired`)
      const { status, text } = await page(world, answer)
      expect(status).toBe(400)
      expect(text).toContain('This sign-in has expired or was opened twice')
      expect(text).toContain('href="/auth/signin"')
      expect(text).not.toContain('on our side')
    },
  )

  test.each(Object.entries(late))(
    'with %s is one line of the console, at info',
    async (_, visit) => {
      const lines: unknown[][] = []
      for (const level of ['log', 'warn', 'error'] as const)
        vi.spyOn(console, level).mockImplementation((...line) => void lines.push([level, ...line]))
      onTestFinished(() => void vi.restoreAllMocks())
      await visit(github({ logger: {} }))
      expect(lines).toEqual([
        ['log', expect.stringMatching(/^\[latchkey\]\[info\] InvalidCheck: /)],
      ])
    },
  )

  test('with a cookie sealed by another secret is an error of the operator', async () => {
    const [world, other] = [github(), github({ secret: 'the secret of another instance, 01' })]
    const back = await begin(world)
    for (const [name, value] of world.jar) other.jar.set(name, value)
    const answer = await other.get(`${back}&code=c`)
    expect(locationOf(answer)).toBe(`${ORIGIN}/auth/error?error=Configuration`)
    expect((await page(other, answer)).status).toBe(500)
  })

  test('leads to the error page of the application, with the code', async () => {
    const world = github({ pages: { error: '/oops' } })
    const back = await begin(world)
    world.advance(60 * 60)
    expect(locationOf(await world.get(`${back}&code=c`))).toBe(
      `${ORIGIN}/oops?error=Configuration&code=expired`,
    )
  })
})

describe('PUB-5: a visitor who cancels at the provider', () => {
  test('comes to the sign-in page, which explains it without an alarm', async () => {
    const world = github()
    const answer = await world.get(`${await begin(world)}&error=access_denied`)
    expect(locationOf(answer)).toBe(
      `${ORIGIN}/auth/signin?error=OAuthCallbackError&code=access_denied&provider=github`,
    )
    const { status, text } = await page(world, answer)
    expect(status).toBe(200)
    expect(text).toContain('You cancelled the sign-in with GitHub.')
    expect(text).not.toContain('role="alert"')
    expect(text).not.toContain('Sign-in failed')
  })

  test('is distinguished from an error of the provider', async () => {
    const world = github()
    const answer = await world.get(`${await begin(world)}&error=server_error`)
    expect(locationOf(answer)).toBe(`${ORIGIN}/auth/signin?error=OAuthCallbackError`)
    expect((await page(world, answer)).text).toContain('role="alert"')
  })

  test('is not shown text of the query as the name of a provider', async () => {
    const world = github()
    const url = '/auth/signin?error=OAuthCallbackError&code=access_denied&provider=Call+0800'
    const text = await (await world.get(url)).text()
    expect(text).not.toContain('Call 0800')
    expect(text).toContain('role="alert"')
  })
})
