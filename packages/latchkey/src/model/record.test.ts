import { describe, expect, test } from 'vitest'
import { type PluginRecord, recordData, recordText } from './record.ts'

const good: PluginRecord = {
  kind: 'one-time-code',
  key: 'a key of 18 letters',
  data: { tries: 1 },
  version: 1,
  createdAt: new Date(0),
}

const refused = (changes: object) => () => recordText({ ...good, ...changes })

describe('the text of a record', () => {
  test('is its data as JSON', () => {
    expect(recordText(good)).toBe('{"tries":1}')
    const whole = { kind: 'k', key: '孫'.repeat(190), userId: '1', expires: new Date(1) }
    expect(recordText({ ...good, ...whole })).toBe('{"tries":1}')
  })

  test.each([
    ['', 'Kind', 'a_b', 'a b', 'ä', 'x'.repeat(41), undefined].map((kind) => ({ kind })),
    ['', 'x'.repeat(191), 'nul\0', 'half \ud800', undefined, 7].map((key) => ({ key })),
    ['', 7, null].map((userId) => ({ userId })),
    [0, 1.5, -1, Number.NaN, '1'].map((version) => ({ version })),
    [undefined, new Date(Number.NaN), 0].map((createdAt) => ({ createdAt })),
    [new Date(Number.NaN), null, '2030-01-01'].map((expires) => ({ expires })),
    [undefined, null, [], 'text'].map((data) => ({ data })),
  ])('is refused for %j and similar values', (...all) => {
    for (const changes of all) expect(refused(changes), JSON.stringify(changes)).toThrow(TypeError)
  })

  test('has at most 65,536 bytes', () => {
    const data = (length: number) => ({ data: { text: 'ö'.repeat(length) } })
    expect(refused(data(32_762))).not.toThrow()
    expect(refused(data(32_763))).toThrow(
      '`data` of a record must be at most 65536 bytes as JSON, got 65537 (record of kind "one-time-code")',
    )
  })

  test('is refused with the reason and the place, and without the key', () => {
    expect(refused({ kind: 'Kind' })).toThrow(
      'the kind of a record must be 1 to 40 characters of a-z, 0-9 and "-", got "Kind"',
    )
    expect(refused({ key: `secret${'x'.repeat(200)}` })).toThrow(
      'the key of a record must be a string of 1 to 190 characters without NUL, got 206 characters (record of kind "one-time-code")',
    )
  })
})

describe('the data of a record', () => {
  test('is the stored text, parsed', () => {
    expect(recordData('{"tries":1}')).toEqual({ data: { tries: 1 } })
  })

  test.each(['', '{"tries":1', 'null', '[]', '"text"', '1', 'undefined'])(
    'is empty and marked as damaged for the text %j',
    (text) => {
      expect(recordData(text)).toEqual({ data: {}, isDamaged: true })
    },
  )
})
