import { describe, expect, test } from 'vitest'
import { createSealer } from './sealer.ts'
import { whyUnopened } from './why-unopened.ts'

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5)
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
const at = (now: number) => ({ now: () => now, random })
const SALT = 'authjs.session-token'

async function sealed(secret: string, claims = {}): Promise<string> {
  return createSealer([secret], SALT).seal(claims, 60, at(NOW))
}

describe('the reason why a sealed value cannot be opened', () => {
  test('is another secret: both keys are named, and neither secret', async () => {
    const token = await sealed('the secret of another instance')
    const why = await whyUnopened(token, ['one secret', 'the one before'], SALT, at(NOW))
    const { kid } = JSON.parse(atob(token.split('.')[0] ?? '')) as { kid: string }
    expect(why).toMatch(
      /^it was sealed with another secret \(key id "[\w-]{8}", expected [\w-]{8}, [\w-]{8}\)/,
    )
    expect(why).toContain(kid.slice(0, 8))
    expect(why).not.toContain('the one before')
  })

  test('is its expiry: both times are named', async () => {
    expect(await whyUnopened(await sealed('s'), ['s'], SALT, at(NOW + 90_000))).toBe(
      'it expired at 2026-01-02T03:05:05.000Z, and it is 2026-01-02T03:05:35.000Z here',
    )
  })

  test('is a time in the future, since a clock differs', async () => {
    const early = await sealed('s', { nbf: NOW / 1000 + 300 })
    expect(await whyUnopened(early, ['s'], SALT, at(NOW))).toBe(
      'it is valid from 2026-01-02T03:09:05.000Z, and it is 2026-01-02T03:04:05.000Z here; check the clocks of all machines',
    )
  })

  test('is a changed value', async () => {
    const token = await sealed('s')
    const changed = `${token.slice(0, -1)}${token.endsWith('A') ? 'Q' : 'A'}`
    expect(await whyUnopened(changed, ['s'], SALT, at(NOW))).toBe(
      'it was changed after it was sealed',
    )
    const header = btoa('{"alg":"dir","enc":"A256GCM"}').replaceAll('=', '')
    const unnamed = [header, ...token.split('.').slice(1)].join('.')
    expect(await whyUnopened(unnamed, ['s'], SALT, at(NOW))).toBe(
      'it was sealed with another secret, or was changed',
    )
  })

  test.each(['', 'x', 'a.b.c', 'a..b.c.d', `${'e'.repeat(5000)}..b.c.d`])(
    'is that it was not sealed by this library: %j',
    async (text) => {
      expect(await whyUnopened(text, ['s'], SALT, at(NOW))).toBe(
        'it was not sealed by this library or by Auth.js',
      )
    },
  )

  test('is told also for an impossible date and a key name with a line break', async () => {
    const far = await sealed('s', { nbf: 9e15 })
    expect(await whyUnopened(far, ['s'], SALT, at(NOW))).toContain(
      'it is valid from 9000000000000000000',
    )
    const header = btoa('{"alg":"dir","enc":"A256GCM","kid":"a\\nb"}').replaceAll('=', '')
    expect(await whyUnopened(`${header}..a.b.c`, ['s'], SALT, at(NOW))).toContain('"a\\nb"')
  })
})
