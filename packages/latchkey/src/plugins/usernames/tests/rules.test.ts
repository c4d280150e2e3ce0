import { describe, expect, test } from 'vitest'
import { lookOf } from '../looks.ts'
import { reservedNames } from '../reserved.ts'
import { createRules } from '../rules.ts'
import { settingsOf, type UsernamesOptions } from '../settings.ts'

const rulesOf = (options: UsernamesOptions = {}) => createRules(settingsOf(options))
const faultOf = (name: string, options?: UsernamesOptions) => rulesOf(options).faultOf(name)
const LETTERS = { pattern: /^[\p{L}\p{M}\p{N}]+$/u }

describe('OTC-19: names with the built-in rule', () => {
  test.each(['ada', 'Ada', 'ada.lovelace', 'a-1_b', '007', 'a'.repeat(30), ' ada '])(
    'may be %j',
    (name) => expect(faultOf(name)).toBeUndefined(),
  )

  test.each([
    ['ad', 'too_short'],
    ['  a  ', 'too_short'],
    ['a'.repeat(31), 'too_long'],
    ['a'.repeat(1_000_000), 'too_long'],
    ['.ada', 'not_allowed'],
    ['ada_', 'not_allowed'],
    ['ada..lovelace', 'not_allowed'],
    ['ada.-lovelace', 'not_allowed'],
    ['ada@example.com', 'not_allowed'],
    ['ada lovelace', 'not_allowed'],
    ['ada\u200bb', 'not_allowed'],
    ['ada\0b', 'not_allowed'],
    ['ada\ud800', 'not_allowed'],
    ['аda', 'not_allowed'],
    ['zoë', 'not_allowed'],
    ['ada\nb', 'not_allowed'],
  ])('may not be %j: %s', (name, fault) => expect(faultOf(name)).toBe(fault))

  test('are counted in characters, between the options `least` and `most`', () => {
    const short = { least: 1, most: 4, ...LETTERS }
    expect(faultOf('a', short)).toBeUndefined()
    expect(faultOf('𝒶𝒷𝒸𝒹', short)).toBeUndefined()
    expect(faultOf('abcde', short)).toBe('too_long')
  })
})

describe('OTC-20: reserved names', () => {
  test('are 120 built-in names in any spelling, and those of the option `reserved`', () => {
    expect(new Set(reservedNames()).size).toBe(120)
    for (const name of reservedNames())
      expect(createRules(settingsOf({ least: 1 })).reserved.has(name)).toBe(true)
    expect(faultOf('Admin')).toBe('reserved')
    expect(faultOf('ａｄｍｉｎ')).toBe('reserved')
    expect(faultOf('acme')).toBeUndefined()
    expect(faultOf('acme', { reserved: ['ACME'] })).toBe('reserved')
  })

  test('have no fault of their own, so that the list protects what somebody could have', () => {
    const { faultOf: fault } = rulesOf({ least: 1 })
    expect(reservedNames().filter((name) => fault(name) !== 'reserved')).toEqual([])
  })
})

describe('OTC-19, T-ACC-45: names with letters beyond ASCII', () => {
  test.each(['ada', 'зоя', 'ζωή', '太郎', 'たろう', 'タロウ太', '철수', 'नमस्ते', 'zoë', 'עדה'])(
    'may be %j, of one script',
    (name) => expect(faultOf(name, { ...LETTERS, least: 2 })).toBeUndefined(),
  )

  test.each(['pаypal', 'ρaypal', 'adа', 'たろs', 'зоя1а٣z'])(
    'may not be %j, of several scripts',
    (name) => expect(faultOf(name, LETTERS)).toBe('mixed_scripts'),
  )

  test.each(['ada\u200c', 'a\u00adda', 'ada\ufe0f', 'a\u2060da', 'ada\u{e0061}', 'ㅤada'])(
    'may not have characters that nobody sees: %j',
    (name) => expect(faultOf(name, { ...LETTERS, pattern: /^.+$/u })).toBe('not_allowed'),
  )

  test.each([
    ['PayPal', 'paypal'],
    ['ｐａｙｐａｌ', 'paypal'],
    ['𝓹𝓪𝔂𝓹𝓪𝓵', 'paypal'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
    ['İstanbul', 'i̇stanbul'],
    ['ﬁnn', 'finn'],
  ])('are the same name: %j and %j', (a, b) => {
    const { fold } = rulesOf(LETTERS)
    expect(fold(a)).toBe(fold(b))
    expect(fold(fold(a))).toBe(fold(a))
  })

  test.each([
    ['сосо', 'coco'],
    ['ѕсоре', 'scope'],
    ['modern', 'modem'],
    ['paypa1', 'paypal'],
    ['g00gle', 'google'],
    ['ʟıʟʏ', 'ʟiʟʏ'],
  ])('look alike: %j and %j', (a, b) => expect(lookOf(a)).toBe(lookOf(b)))

  test.each([
    ['coco', 'caca'],
    ['зоя', 'zoya'],
  ])('do not look alike: %j and %j', (a, b) => expect(lookOf(a)).not.toBe(lookOf(b)))
})

describe('options of usernames()', () => {
  test.each([
    [{ least: 0 }, '`least` must be a whole number from 1 to 60, got 0'],
    [{ most: 61 }, '`most` must be a whole number from 1 to 60, got 61'],
    [{ least: 9, most: 8 }, '`least` must be at most `most`, which is 8, got 9'],
    [
      { pattern: '^a$' },
      '`pattern` must be a regular expression without the flags g and y, got "^a$"',
    ],
    [
      { pattern: /a/g },
      '`pattern` must be a regular expression without the flags g and y, got "/a/g"',
    ],
    [{ reserved: 'acme' }, '`reserved` must be a list of names, got "acme"'],
    [{ change: 'always' }, "`change` must be 'never' or { every: seconds }, got a string"],
    [{ change: { every: 0 } }, '`change.every` must be a whole number of seconds from 1 on, got 0'],
    [{ signIn: 'no' }, '`signIn` must be true or false, got "no"'],
  ])('%j is refused', (options, message) => {
    expect(() => settingsOf(options as never)).toThrow(
      `usernames(): ${message} (latchkey/docs/reference/configuration.md#the-plugin-usernames)`,
    )
  })
})
