import { describe, expect, test } from 'vitest'
import { createLatchkey } from '../../src/entries/index.ts'
import { CODE, codes, reauthenticateSite } from '../support/reauthenticate-site.ts'

const HOUR = 3600

/** A site in which Ada signed in an hour ago, and requests with her session at the present time. */
async function siteAnHourLater(strategy: 'jwt' | 'database' = 'jwt') {
  const site = reauthenticateSite(
    {
      session: { strategy },
      secret: 'a secret of these tests, 0123456789abcdef',
      trustHost: true,
      plugins: [codes()],
    },
    {},
    [],
    { startsAt: Date.now() - HOUR * 1000 },
  )
  await site.signUp()
  const { world } = site
  world.advance(HOUR)
  // With an object of its own, it shares nothing with the world, whose clock is another one.
  const adapter = { ...world.config.adapter }
  const latchkey = createLatchkey({ ...world.config, adapter })
  const request = (headers: Record<string, string> = {}, init: RequestInit = {}) => {
    const cookie = [...world.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    return new Request('https://app.example/transfer?to=bob', {
      ...init,
      headers: { cookie, ...headers },
    })
  }
  return { ...site, latchkey, request }
}

describe.each(['jwt', 'database'] as const)('MF-25: in code, with the strategy %s,', (strategy) => {
  test('the facts of a session say when and how its user proved their identity', async () => {
    const { latchkey, request, world, prove } = await siteAnHourLater(strategy)
    const began = Math.floor((Date.now() - HOUR * 1000) / 1000)
    const facts = await latchkey.facts(request())
    expect(facts).toEqual({
      sid: expect.stringMatching(/^[\w-]{22}$/) as string,
      userId: expect.any(String) as string,
      authTime: expect.any(Number) as number,
      amr: ['pwd', 'email'],
      acr: 'urn:latchkey:acr:1',
      factors: 1,
      device: 'new',
    })
    expect(Math.abs((facts?.authTime ?? 0) - began)).toBeLessThan(60)
    await prove('/', { way: 'code', code: CODE })
    expect(await latchkey.facts(request())).toMatchObject({
      secondTime: Math.floor(world.now() / 1000),
      acr: 'urn:latchkey:acr:2',
      factors: 2,
    })
    expect(await latchkey.facts(new Request('https://app.example/'))).toBeNull()
  })

  test('requireFresh and requireFactors throw StepUpRequired unless the proof is recent and strong enough', async () => {
    const { latchkey, request, prove } = await siteAnHourLater(strategy)
    const refused = { type: 'StepUpRequired' }
    await expect(latchkey.requireFresh(request(), HOUR / 2)).rejects.toMatchObject(refused)
    await expect(latchkey.requireFresh(request(), 2 * HOUR)).resolves.toMatchObject({ factors: 1 })
    await expect(latchkey.requireFactors(request(), 2)).rejects.toMatchObject(refused)
    await expect(latchkey.requireFactors(request(), 1)).resolves.toMatchObject({ factors: 1 })
    const two = { acr: 'urn:latchkey:acr:2' }
    await expect(latchkey.requireProof(request(), two)).rejects.toMatchObject(refused)
    const nobody = new Request('https://app.example/')
    await expect(latchkey.requireFresh(nobody, 2 * HOUR)).rejects.toMatchObject(refused)

    await prove('/', { way: 'code', code: CODE })
    await expect(latchkey.requireFactors(request(), 2)).resolves.toMatchObject({ factors: 2 })
    await expect(latchkey.requireProof(request(), two)).resolves.toMatchObject({ factors: 2 })
    const recent = { maxAge: HOUR / 2 }
    await expect(latchkey.requireFactors(request(), 2, recent)).resolves.toMatchObject({})
    const resistant = { phishingResistant: true }
    await expect(latchkey.requireProof(request(), resistant)).rejects.toMatchObject(refused)
  })
})

test.each([
  ['an authentication context with a typing error', { acr: 'urn:latchkey:acr:2-pr' }],
  ['an authentication context of somebody else', { acr: 'phr' }],
  ['a number of factors as text', { factors: '2' }],
  ['three factors', { factors: 3 }],
  ['an age as text', { maxAge: '600' }],
])('MF-25: nobody passes a need that does not exist: %s', async (_, needed) => {
  const { latchkey, request } = await siteAnHourLater()
  await expect(latchkey.requireProof(request(), needed as never)).rejects.toMatchObject({
    type: 'AuthError',
  })
})

describe('MF-25: the response for a proof that is too old', () => {
  const needed = { maxAge: 600 } as const
  const targetOf = (address: string | null): string | null =>
    new URL(address ?? '', 'https://app.example').searchParams.get('callbackUrl')

  test('leads people to the page that asks for one, and then to the page that they asked for', async () => {
    const { latchkey, request } = await siteAnHourLater()
    const page = request({ accept: 'text/html' })
    const answer = await latchkey.stepUpResponse(page, needed)
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toMatch(/^\/auth\/reauthenticate\?for=/)
    expect(targetOf(answer.headers.get('location'))).toBe('https://app.example/transfer?to=bob')
    expect(answer.headers.get('cache-control')).toContain('no-store')
  })

  test('leads back to the page that sent a form, and never to another site', async () => {
    const { latchkey, request } = await siteAnHourLater()
    const form = { method: 'POST', body: new URLSearchParams({ to: 'bob' }) }
    const sent = async (referer: string, redirectTo?: string) => {
      const asked = request({ accept: 'text/html', referer }, form)
      const answer = await latchkey.stepUpResponse(asked, { ...needed, redirectTo })
      return targetOf(answer.headers.get('location'))
    }
    expect(await sent('https://app.example/account')).toBe('https://app.example/account')
    expect(await sent('https://evil.example/')).toBe('https://app.example')
    expect(await sent('https://evil.example/', '/done')).toBe('https://app.example/done')
    expect(await sent('', 'https://evil.example/')).toBe('https://app.example')
  })

  test('is a problem with the address of the page for a script', async () => {
    const { latchkey, request } = await siteAnHourLater()
    const asked = request({ accept: 'application/json' })
    const answer = await latchkey.stepUpResponse(asked, { factors: 2, maxAge: 300 })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      403,
      'application/problem+json',
    ])
    expect(await answer.json()).toMatchObject({
      code: 'reauthentication_required',
      next: expect.stringMatching(/^\/auth\/reauthenticate\?for=/) as string,
      max_age: 300,
      acr_values: 'urn:latchkey:acr:2',
    })
    const nobody = new Request('https://app.example/', { headers: { accept: 'application/json' } })
    const unknown = await latchkey.stepUpResponse(nobody, needed)
    expect([unknown.status, await unknown.json()]).toMatchObject([401, { code: 'unauthenticated' }])
  })

  test('RFC 9470: is a challenge for a program with a token', async () => {
    const { latchkey } = await siteAnHourLater()
    const headers = { authorization: 'Bearer a-token', accept: 'application/json' }
    const answer = await latchkey.stepUpResponse(new Request('https://app.example/', { headers }), {
      factors: 2,
      maxAge: 300,
    })
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer error="insufficient_user_authentication", error_description="A different authentication level is required", max_age="300", acr_values="urn:latchkey:acr:2"',
    ])
  })

  test('T-FLOW-3: is an error if no session could say when its user proved their identity', async () => {
    const latchkey = createLatchkey({
      providers: [],
      secret: 'a secret of these tests, 0123456789abcdef',
    })
    const asked = new Request('https://app.example/')
    await expect(latchkey.requireFresh(asked, 600)).rejects.toThrow(/add sessions\(\)/)
  })
})
