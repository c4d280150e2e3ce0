import { describe, expect, test } from 'vitest'
import { createWorld, type World, type WorldOptions } from '../../src/entries/testing.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import GitHub from '../../src/providers/github.ts'
import { createGitHub } from '../support/github.ts'

const PREFIX = '__Host-latchkey.sign-in.'

function worldWith(config: Partial<AuthConfig> = {}, options: WorldOptions = {}): World {
  const { fetch } = createGitHub({})
  const github = GitHub({ clientId: 'id', clientSecret: 'secret' })
  return createWorld({ providers: [github], ...config }, { fetch, ...options })
}

async function begin(world: World, provider = 'github'): Promise<string> {
  const begun = await world.post(`/auth/signin/${provider}`)
  return new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? ''
}

async function whyNot(world: World, state: string, provider = 'github'): Promise<string> {
  const answer = await world.get(`/auth/callback/${provider}?code=c${state && `&state=${state}`}`)
  expect(answer.headers.get('location')).toContain('error=Configuration')
  return world.log.findLast(({ level }) => level === 'error')?.message ?? ''
}

function rename(world: World, change: (name: string) => string | undefined): void {
  const before = new Map(world.jar)
  world.jar.clear()
  for (const [name, value] of before) {
    const changed = change(name)
    if (changed !== undefined) world.jar.set(changed, value)
  }
}

const isSignIn = (name: string): boolean => name.startsWith(PREFIX)

describe('the log explains why a response belongs to no sign-in of the browser:', () => {
  test('the browser sent no cookie, and where the sign-in must begin', async () => {
    const world = worldWith()
    const state = await begin(world)
    rename(world, () => undefined)
    expect(await whyNot(world, state)).toMatch(
      /^this browser has no sign-in with github in progress: the browser sent no cookies with this GET to https:\/\/app\.example; sign-ins must begin at this origin/,
    )
  })

  test('the browser sent other cookies, and which one is missing', async () => {
    const world = worldWith()
    const state = await begin(world)
    rename(world, (name) => (isSignIn(name) ? undefined : name))
    expect(await whyNot(world, state)).toMatch(
      /sent 2 cookies to https:\/\/app\.example, but not __Host-latchkey\.sign-in\.[\w-]{16};/,
    )
  })

  test('other sign-ins are open, and this response belongs to none', async () => {
    const world = worldWith()
    const state = await begin(world)
    rename(world, (name) => (isSignIn(name) ? undefined : name))
    await begin(world)
    await begin(world)
    expect(await whyNot(world, state)).toContain('2 other sign-ins are open in this browser')
  })

  test('the sign-in began over another scheme, with both cookies', async () => {
    const world = worldWith()
    const state = await begin(world)
    rename(world, (name) => name.replace(/^__(?:Host|Secure)-/, ''))
    expect(await whyNot(world, state)).toMatch(
      /it began over http \(cookie latchkey\.sign-in\.([\w-]{16})\), and the response came over https \(cookie __Host-latchkey\.sign-in\.\1\); let the proxy send `x-forwarded-proto`/,
    )
  })

  test('another instance sealed the cookie with another secret, with both keys', async () => {
    const world = worldWith()
    const other = worldWith({ secret: 'the secret of another instance, 01' })
    const state = await begin(world)
    for (const [name, value] of world.jar) other.jar.set(name, value)
    const why = await whyNot(other, state)
    expect(why).toMatch(
      /its cookie cannot be opened: it was sealed with another secret \(key id "[\w-]{8}", expected [\w-]{8}\)/,
    )
    expect(why).not.toContain('another instance')
  })

  test('the sign-in took too long, with both times', async () => {
    const world = worldWith()
    const state = await begin(world)
    const jar = new Map(world.jar)
    world.advance(1000)
    for (const [name, value] of jar) world.jar.set(name, value)
    expect(await whyNot(world, state)).toContain(
      'its cookie cannot be opened: it expired at 2030-01-01T00:15:00.000Z, and it is 2030-01-01T00:16:40.000Z here',
    )
  })

  test('another provider sent the response', async () => {
    const world = worldWith({
      providers: [
        GitHub({ clientId: 'id', clientSecret: 'secret' }),
        GitHub({ id: 'other', clientId: 'id', clientSecret: 'secret' }),
      ],
    })
    const state = await begin(world)
    expect(await whyNot(world, state, 'other')).toContain('it began with the provider "github"')
  })

  test('the response names no sign-in', async () => {
    const world = worldWith()
    await begin(world)
    expect(await whyNot(world, '')).toContain(
      'the response of github has no `state`, or more than one',
    )
  })
})
