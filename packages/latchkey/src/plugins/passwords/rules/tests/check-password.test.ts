import { describe, expect, test } from 'vitest'
import { systemPorts } from '../../../../base/ports.ts'
import type { Logger } from '../../../../options/redacting-logger.ts'
import { checkPassword, type PasswordContext } from '../check-password.ts'
import { normalizePassword } from '../normal-form.ts'
import { type RuleOptions, ruleSettingsOf } from '../rule-settings.ts'

const GOOD = 'correct horse battery staple'

async function codes(
  password: string,
  options: RuleOptions = {},
  about: PasswordContext = {},
): Promise<string[]> {
  const reasons = await checkPassword(password, about, ruleSettingsOf(options))
  return reasons.map(({ code }) => code)
}

/** A list of breaches, and the passwords that it was asked for. */
function listOf(answer: () => boolean | Promise<boolean>) {
  const asked: string[] = []
  return {
    asked,
    isBreached: (password: string) => {
      asked.push(password)
      return answer()
    },
  }
}

describe('T-PWD-2: the length of a password (PW-1)', () => {
  const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}'

  test('is 15 characters at least, or the option', async () => {
    expect(await codes('only 14 chars.')).toEqual(['too_short'])
    expect(await codes('it has 15 chars')).toEqual([])
    expect(await codes('7 chars', { minLength: 8 })).toEqual(['too_short'])
    expect(await codes('8 chars.', { minLength: 8 })).toEqual([])
    const reasons = await checkPassword('short', {}, ruleSettingsOf({}))
    expect(reasons).toContainEqual({ code: 'too_short', params: { min: 15 } })
  })

  test('is 8 where everybody needs a second factor', () => {
    expect(ruleSettingsOf({}, 8).minLength).toBe(8)
    expect(ruleSettingsOf({ minLength: 12 }, 8).minLength).toBe(12)
  })

  test('is 256 characters at most, or the option', async () => {
    const long = 'a few of these words '.repeat(13)
    expect(await codes(long.slice(0, 256))).toEqual([])
    expect(await codes(long.slice(0, 257))).toEqual(['too_long'])
    expect(await codes(long.slice(0, 65), { maxLength: 64 })).toEqual(['too_long'])
    const reasons = await checkPassword(long, {}, ruleSettingsOf({}))
    expect(reasons).toEqual([{ code: 'too_long', params: { max: 256 } }])
  })

  test('is counted in code points of the normal form', async () => {
    // 7 code points, 11 units of UTF-16.
    expect(await codes(`${family}x`, { minLength: 8 })).toEqual([])
    expect(await codes(family, { minLength: 8 })).toEqual(['too_short'])
    const vector = 'caf\u00e9 \u212b \ufb01 0123456789'
    expect(await codes(vector.normalize('NFD'), { minLength: 20 })).toEqual([])
    expect(await codes(vector.normalize('NFD'), { minLength: 21 })).toEqual(['too_short'])
  })

  test('beyond 4,096 bytes is refused unread (T-ACC-10)', async () => {
    expect(await codes('a'.repeat(1_000_000))).toEqual(['too_long'])
    expect(await codes('\u20ac'.repeat(1366), { maxLength: 5000 })).toEqual(['too_long'])
    expect(await codes('ab c'.repeat(1024), { maxLength: 5000, blocklist: false })).toEqual([
      'expected',
    ])
  })
})

describe('the normal form of a password (PW-2)', () => {
  test('is NFKC', () => {
    const typed = 'caf\u00e9 \u212b \ufb01 0123456789'
    const form = normalizePassword(typed) ?? ''
    expect(Buffer.from(form).toString('hex')).toBe('636166c3a920c3852066692030313233343536373839')
    expect(normalizePassword(typed.normalize('NFD'))).toBe(form)
  })

  test.each([' both ends ', 'A\0b', 'MiXed', '\t\n'])('keeps all characters of %j', (typed) => {
    expect(normalizePassword(typed)).toBe(typed)
  })

  test('does not exist for an unpaired surrogate, which is refused (T-ACC-10)', async () => {
    expect(normalizePassword('a\ud83d')).toBeUndefined()
    expect(await codes(`${GOOD}\udc00`)).toEqual(['not_text'])
  })

  test('combining marks alone are a password (T-ACC-10)', async () => {
    expect(await codes('\u0301\u0302\u0303\u0304'.repeat(5))).toEqual(['expected'])
    const marks = Array.from({ length: 20 }, (_, i) => String.fromCodePoint(0x301 + ((i * 7) % 29)))
    expect(await codes(marks.join(''))).toEqual([])
  })
})

describe('rules that there are not (PW-3)', () => {
  test.each([
    'aardvarks never eat',
    'ALL IN CAPITALS HERE',
    '8421 9037 5526 1184',
    '               z',
  ])('no kind of character is asked for: %j', async (password) => {
    expect(await codes(password)).toEqual([])
  })
})

describe('common passwords (PW-4)', () => {
  test.each(['Password', 'PASSWORD', '\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff44'])(
    'are refused in each spelling: %s',
    async (password) => {
      expect(await codes(password, { minLength: 8 })).toEqual(['common'])
      expect(await codes(password, { minLength: 8, blocklist: false })).toEqual([])
    },
  )

  test('can be more of them', async () => {
    const more = ['Hunter2 hunter2!']
    expect(await codes('hunter2 HUNTER2!', { blocklist: { more } })).toEqual(['common'])
    const ask = async (folded: string) => folded === 'stra\u00dfe der freiheit'
    expect(await codes('Stra\u00dfe der Freiheit', { blocklist: { more: ask } })).toEqual([
      'common',
    ])
    expect(await codes('Strasse der Freiheit', { blocklist: { more: ask } })).toEqual([])
    expect(await codes('password', { minLength: 8, blocklist: { more: ask } })).toEqual(['common'])
  })
})

describe('the current password (PW-6)', () => {
  test('is refused, in its normal form', async () => {
    expect(await codes(GOOD, {}, { current: GOOD })).toEqual(['unchanged'])
    expect(await codes(`caf\u00e9 ${GOOD}`, {}, { current: `cafe\u0301 ${GOOD}` })).toEqual([
      'unchanged',
    ])
    expect(await codes(`${GOOD}!`, {}, { current: GOOD })).toEqual([])
  })

  test('can be known as a hash alone', async () => {
    const current = async (password: string) => password === GOOD
    expect(await codes(GOOD, {}, { current })).toEqual(['unchanged'])
    expect(await codes(`${GOOD}!`, {}, { current })).toEqual([])
  })
})

describe('passwords of breaches (PW-7)', () => {
  test('are refused if the list has them', async () => {
    expect(await codes(GOOD, { breached: listOf(() => true) })).toEqual(['breached'])
    expect(await codes(GOOD, { breached: listOf(async () => false) })).toEqual([])
  })

  test('are looked up only if nothing else is wrong', async () => {
    const list = listOf(() => true)
    expect(await codes('short', { breached: list })).toEqual(['too_short'])
    expect(await codes('aaaaaaaaaaaaaaaa', { breached: list })).toEqual(['expected'])
    expect(list.asked).toEqual([])
  })

  test('are accepted if the list does not answer, which is logged once a minute', async () => {
    const logged: string[] = []
    const logger: Logger = {
      error: ({ message }) => logged.push(message),
      warn: () => undefined,
      debug: () => undefined,
    }
    let now = 0
    const ports = { ...systemPorts, monotonic: () => now }
    const list = listOf(() => Promise.reject(new Error('connection refused')))
    const settings = ruleSettingsOf({ breached: list })
    const check = () => checkPassword(GOOD, {}, settings, { logger, ports })
    for (let i = 0; i < 3; i++) expect(await check()).toEqual([])
    now = 60_000
    expect(await check()).toEqual([])
    expect(logged).toEqual([
      expect.stringMatching(/^1 password was not looked up/),
      expect.stringMatching(/^3 passwords were not looked up/),
    ])
    expect(await checkPassword(GOOD, {}, settings)).toEqual([])
  })
})

describe('options of the rules', () => {
  test.each<[string, object, string]>([
    ['fewer than 8 characters', { minLength: 7 }, '`minLength` must be a whole number from 8 on'],
    ['a length as a text', { minLength: '12' }, 'got "12"'],
    ['at most 63 characters', { maxLength: 63 }, '`maxLength` must be a whole number from 64 on'],
    [
      'less than the least',
      { minLength: 100, maxLength: 99 },
      'must be at least `minLength`, which is 100, got 99',
    ],
    ['a number as the list', { blocklist: { more: 5 } }, '`blocklist.more` must be a list'],
    [
      'a list of breaches without a method',
      { breached: {} },
      'an object with the method `isBreached`',
    ],
  ])('refuse %s at the start', (_, options, message) => {
    expect(() => ruleSettingsOf(options as RuleOptions)).toThrow(message)
  })
})
