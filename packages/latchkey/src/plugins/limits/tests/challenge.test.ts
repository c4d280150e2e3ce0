import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import type { Challenge } from 'altcha-lib/types'
import { describe, expect, test, vi } from 'vitest'
import { vault, vaultSite } from '../../../../tests/attacks/support/vault.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import type { Adapter } from '../../../model/adapter.ts'
import { createFailures } from '../challenge/failures.ts'
import { proofOfWork } from '../challenge/proof-of-work.ts'
import { type LimitsOptions, limits } from '../index.ts'
import { accountRules } from '../rules/account-rules.ts'

const RIGHT = 'open sesame'
const EASY = proofOfWork({ cost: 1, range: [1, 5] })

const network = (n: number): string => `10.0.${(n >> 8) & 255}.${n & 255}`

/** A site whose rules are those for passwords, with a challenge. */
const challengedSite = (options: LimitsOptions = {}, adapter: Adapter = memoryAdapter()) =>
  vaultSite([limits({ challenge: EASY, ...options })], {
    own: vault({
      limits: { 'vault.open': accountRules('password.sign-in')['password.sign-in'] ?? [] },
    }),
    adapter,
  })

type Site = Awaited<ReturnType<typeof challengedSite>>

const draw = async ({ world }: Site, action = 'vault.open'): Promise<Challenge> =>
  (await world.get(`/auth/limits/challenge?action=${action}`)).json() as Promise<Challenge>

const textOf = (challenge: unknown, solution: unknown): string =>
  btoa(JSON.stringify({ challenge, solution }))

async function solve(site: Site, action?: string): Promise<string> {
  const challenge = await draw(site, action)
  return textOf(challenge, await solveChallenge({ challenge, deriveKey }))
}

const codeOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { code?: string }).code ?? `${response.status}`

describe('LIM-10: a proof of work', () => {
  test('lets an attempt through that needs it, once', async () => {
    const site = await challengedSite({ challengeWhen: 'always' })
    const refused = await site.open('a guess')
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({
      code: 'challenge_required',
      challenge: {
        id: 'proof-of-work',
        parameters: { parameters: { data: { action: 'vault.open' } } },
      },
    })
    expect(site.worked).toEqual([])
    const challenge = await solve(site)
    expect((await site.open(RIGHT, { more: { challenge } })).status).toBe(200)
    expect(await codeOf(await site.open(RIGHT, { more: { challenge } }))).toBe('challenge_required')
  })

  test('is also read from the field of the widget', async () => {
    const site = await challengedSite({ challengeWhen: 'always' })
    const altcha = await solve(site)
    expect((await site.open(RIGHT, { more: { altcha } })).status).toBe(200)
  })

  test('T-ACC-36: is refused on a second instance with the same store', async () => {
    const adapter = memoryAdapter()
    const one = await challengedSite({ challengeWhen: 'always' }, adapter)
    const challenge = await solve(one)
    expect((await one.open(RIGHT, { more: { challenge } })).status).toBe(200)
    const other = await vaultSite(
      [limits({ challenge: proofOfWork({ cost: 1, range: [1, 5] }), challengeWhen: 'always' })],
      { own: vault(), adapter: { ...adapter } },
    )
    expect(await codeOf(await other.open(RIGHT, { more: { challenge } }))).toBe(
      'challenge_required',
    )
  })

  test('T-ACC-36: passes once of 20 at the same moment', async () => {
    const site = await challengedSite({
      challengeWhen: 'always',
      rules: { 'vault.open': false, post: false },
    })
    const challenge = await solve(site)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        site.open(RIGHT, { more: { challenge }, browser: site.world.otherBrowser() }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('T-ACC-36: is refused for another action, after it expired, and if it was changed', async () => {
    const security = vi.fn()
    const site = await challengedSite({
      challengeWhen: 'always',
      rules: { 'vault.open': false, post: false },
    })
    Object.assign(site.world.config, { events: { security } })
    const isRefused = async (challenge: string): Promise<void> => {
      const answer = await site.open(RIGHT, { more: { challenge } })
      expect(await codeOf(answer), challenge.slice(0, 20)).toBe('challenge_required')
    }
    await isRefused(await solve(site, 'something.else'))
    const drawn = await draw(site)
    const solution = await solveChallenge({ challenge: drawn, deriveKey })
    const { parameters } = drawn
    for (const changed of [
      { ...drawn, parameters: { ...parameters, cost: 2 } },
      { ...drawn, parameters: { ...parameters, expiresAt: Number(parameters.expiresAt) + 1 } },
      { ...drawn, signature: undefined },
      { ...drawn, signature: '' },
      { parameters },
      null,
    ])
      await isRefused(textOf(changed, solution))
    for (const made of [
      null,
      {},
      { counter: 1, derivedKey: '00' },
      { ...solution, derivedKey: 'zz' },
    ])
      await isRefused(textOf(drawn, made))
    for (const text of ['', 'x', '{}', btoa('null'), btoa('[]'), 'A'.repeat(10_000)])
      await isRefused(text)
    site.world.advance(301)
    await isRefused(textOf(drawn, solution))
  })

  test('T-ACC-36: of another site is refused', async () => {
    const site = await challengedSite({ challengeWhen: 'always' })
    const other = await challengedSite({ challengeWhen: 'always' })
    Object.assign(other.world.config, { secret: 'another secret, 0123456789abcdef0123' })
    const challenge = await solve(other)
    expect(await codeOf(await site.open(RIGHT, { more: { challenge } }))).toBe('challenge_required')
  })

  test('is refused at the start with an impossible option', () => {
    expect(() => proofOfWork({ cost: 0 })).toThrow(
      '`cost` must be a whole number from 1 to 100000, got 0',
    )
    expect(() => proofOfWork({ range: [5, 1] })).toThrow(
      '`range` must be a list of two whole numbers from 1 to 1000000, the lower one first',
    )
    expect(() => limits({ challenge: {} as never })).toThrow(
      '`challenge` must be false or a challenge',
    )
    expect(() => limits({ challengeWhen: 'often' as never })).toThrow('`challengeWhen` must be')
  })
})

describe('LIM-9: an attempt', () => {
  test('needs the answer to a challenge after half of a limit was used, in an unknown browser', async () => {
    const site = await challengedSite()
    const codes = []
    for (let n = 0; n < 8; n++)
      codes.push(
        await codeOf(
          await site.open('a guess', { from: network(n), browser: site.world.otherBrowser() }),
        ),
      )
    expect(codes).toEqual([...Array(5).fill('forbidden'), ...Array(3).fill('challenge_required')])
    const challenge = await solve(site)
    const passed = await site.open(RIGHT, { from: network(9), more: { challenge } })
    expect(passed.status).toBe(200)
  })

  test('with an answer gets no further than its limits', async () => {
    const site = await challengedSite({ challengeWhen: 'always' })
    const codes = []
    for (let n = 0; n < 12; n++) {
      const challenge = await solve(site)
      codes.push(
        await codeOf(
          await site.open('a guess', {
            from: network(n),
            more: { challenge },
            browser: site.world.otherBrowser(),
          }),
        ),
      )
    }
    expect(codes).toEqual([...Array(10).fill('forbidden'), ...Array(2).fill('too_many_attempts')])
  })

  test('in a known browser needs none', async () => {
    const site = await challengedSite()
    expect((await site.open(RIGHT)).status).toBe(200)
    for (let n = 0; n < 8; n++)
      await site.open('a guess', { from: network(n), browser: site.world.otherBrowser() })
    expect((await site.open(RIGHT, { from: network(50) })).status).toBe(200)
  })

  test('T-ACC-31: needs one during an attack on the whole site, from any network and for any account', async () => {
    const site = await challengedSite({
      rules: { 'vault.open': [{ by: 'pair', limit: 5, window: 60 }], post: false },
    })
    for (let n = 0; n < 50; n++) await site.open('a guess', { from: network(n), as: `user-${n}` })
    const refused = await site.open('a guess', { from: network(99), as: 'nobody' })
    expect(await refused.json()).toMatchObject({
      code: 'challenge_required',
      challenge: { parameters: { parameters: { cost: 4 } } },
    })
    site.world.advance(61)
    expect(await codeOf(await site.open('a guess', { from: network(99), as: 'nobody' }))).toBe(
      'forbidden',
    )
  })

  test('needs a challenge if a function of the application decides that', async () => {
    const isBot = vi.fn(
      (attempt: { request: Request }) =>
        attempt.request.headers.get('user-agent')?.includes('Firefox') === true,
    )
    const bot = await challengedSite({ hooks: { isBot } })
    expect(await codeOf(await bot.open('a guess'))).toBe('challenge_required')
    expect(isBot.mock.calls[0]?.[0]).toMatchObject({ action: 'vault.open' })
    const decided: unknown[] = []
    const verdicts = ['challenge', 'refuse', 'allow', undefined] as const
    const site = await challengedSite({
      challengeWhen: ({ action }) => action === 'vault.open',
      hooks: { decide: (attempt) => verdicts[decided.push(attempt) - 1] },
    })
    expect(await codeOf(await site.open('a guess'))).toBe('challenge_required')
    expect(await codeOf(await site.open('a guess'))).toBe('too_many_attempts')
    expect(await codeOf(await site.open('a guess'))).toBe('forbidden')
    expect(await codeOf(await site.open('a guess'))).toBe('challenge_required')
    expect(decided[0]).toMatchObject({
      action: 'vault.open',
      identifier: 'ada@example.com',
      address: '192.0.2.1',
      isKnownBrowser: false,
      device: 'new',
      isHalfUsed: false,
    })
  })

  test('is refused by its limits alone without a challenge', async () => {
    const site = await vaultSite([limits()], {
      own: vault({
        limits: { 'vault.open': accountRules('password.sign-in')['password.sign-in'] ?? [] },
      }),
    })
    const codes = []
    for (let n = 0; n < 11; n++)
      codes.push(
        await codeOf(
          await site.open('a guess', { from: network(n), browser: site.world.otherBrowser() }),
        ),
      )
    expect(codes).toEqual([...Array(10).fill('forbidden'), 'too_many_attempts'])
    expect((await site.world.get('/auth/limits/challenge?action=vault.open')).status).toBe(400)
  })

  test('is also refused by a function of the application without a challenge', async () => {
    const decided: unknown[] = []
    const verdicts = ['refuse', 'challenge', 'allow', undefined] as const
    const decide = (attempt: object) => verdicts[decided.push(attempt) - 1]
    const site = await vaultSite([limits({ hooks: { decide } })])
    const refused = await site.open('a guess')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('60')
    expect(await codeOf(refused)).toBe('too_many_attempts')
    for (let n = 0; n < 3; n++) expect(await codeOf(await site.open('a guess'))).toBe('forbidden')
    expect(decided[0]).toMatchObject({ action: 'vault.open', isHalfUsed: false })
    for (let n = 0; n < 2; n++) await site.open('a guess', { from: network(n) })
    expect(decided.at(-1)).toMatchObject({ isHalfUsed: true })
  })

  test('LIM-3: a function of the application learns which rules apply, and how much of each is used', async () => {
    const decided: { counts: readonly object[] }[] = []
    const decide = (attempt: { counts: readonly object[] }) => void decided.push(attempt)
    const rules = [
      { by: 'network', limit: 4, window: 900 },
      { by: 'identifier', limit: 10, window: 60 },
      { by: 'site', limit: 3, window: 60, over: 'challenge' },
    ] as const
    const site = await challengedSite({ hooks: { decide }, rules: { 'vault.open': rules } })
    for (let n = 0; n < 4; n++) await site.open('a guess')
    const none = { isHalfUsed: false, isReached: false }
    expect(decided[0]?.counts).toEqual([
      { by: 'network', limit: 4, window: 900, ...none },
      { by: 'site', limit: 3, window: 60, ...none },
      { by: 'identifier', limit: 10, window: 60, ...none },
    ])
    expect(decided[3]?.counts).toEqual([
      { by: 'network', limit: 4, window: 900, isHalfUsed: true, isReached: false },
      { by: 'site', limit: 3, window: 60, isHalfUsed: true, isReached: true },
      { by: 'identifier', limit: 10, window: 60, ...none },
    ])
  })

  test("needs the answer, and is not refused, after a limit with `over: 'challenge'`", async () => {
    const site = await challengedSite({
      challengeWhen: 'never',
      rules: { 'vault.open': [{ by: 'site', limit: 2, window: 60, over: 'challenge' }] },
    })
    const codes = []
    for (let n = 0; n < 3; n++) codes.push(await codeOf(await site.open('a guess')))
    expect(codes).toEqual(['forbidden', 'forbidden', 'challenge_required'])
    const challenge = await solve(site)
    expect((await site.open(RIGHT, { more: { challenge } })).status).toBe(200)
  })
})

describe('a page with a form', () => {
  const HTML = { headers: { accept: 'text/html' } }

  test('has what the challenge needs, by the hash in its policy', async () => {
    const { world } = await challengedSite({ challengeWhen: 'always' })
    const page = await world.get('/auth/vault/page', HTML)
    const text = await page.text()
    expect(text).toContain(
      'data-work="https://app.example/auth/limits/challenge?action=vault.open"',
    )
    const script = text.match(/<script>([\s\S]*?)<\/script>/)?.[1] ?? ''
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(script))
    const hash = btoa(String.fromCharCode(...new Uint8Array(digest)))
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain(`'sha256-${hash}'`)
    expect(policy).toContain("connect-src 'self'")
    expect(new TextEncoder().encode(script).length).toBeLessThanOrEqual(2048)
  })

  test('LIM-11: says without scripts what is the matter, and offers another way', async () => {
    const { world } = await challengedSite({ challengeWhen: 'always' })
    const text = await (await world.get('/auth/vault/page', HTML)).text()
    const without = text.match(/<noscript>([\s\S]*?)<\/noscript>/)?.[1] ?? ''
    expect(without).toContain('JavaScript is off')
    expect(without).toContain('href="/auth/signin"')
  })

  test('has nothing of it unless a challenge is needed', async () => {
    const site = await challengedSite()
    const { world } = site
    const text = await (await world.get('/auth/vault/page', HTML)).text()
    expect(text).not.toContain('data-work')
    for (let n = 0; n < 20; n++)
      await site.open('a guess', { as: `user-${n}@example.com`, from: '192.0.2.9' })
    const { host, request } = site
    expect(await host().attempts.challenge('vault.open', request('192.0.2.9'))).toBeDefined()
    expect(await host().attempts.challenge('vault.open', request('198.51.100.1'))).toBeUndefined()
    expect(
      await host().attempts.challenge('vault.open', request('198.51.100.1'), true),
    ).toBeDefined()
  })
})

describe('failures of the whole site', () => {
  test('LIM-9: are an attack from 50 in a minute, if they are more than 5 times the mean of the hour', () => {
    const failures = createFailures()
    const minute = 60_000
    for (let n = 0; n < 49; n++) failures.add(0)
    expect(failures.factor(0)).toBe(1)
    failures.add(0)
    expect(failures.factor(0)).toBe(4)
    for (let n = 0; n < 150; n++) failures.add(1000)
    expect(failures.factor(1000)).toBe(16)
    expect(failures.factor(2 * minute)).toBe(1)
    const steady = createFailures()
    for (let at = 0; at < 60; at++) for (let n = 0; n < 100; n++) steady.add(at * minute)
    expect(steady.factor(59 * minute)).toBe(1)
    for (let n = 0; n < 500; n++) steady.add(59 * minute)
    expect(steady.factor(59 * minute)).toBe(4)
  })
})
