import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkAddress, normalizeAddress } from './normalize-address.ts'

describe('an address', () => {
  for (const [typed, stored] of [
    ['ada@example.com', 'ada@example.com'],
    ['  Ada@EXAMPLE.com\n', 'ada@example.com'],
    ['ＡＤＡ@example.com', 'ada@example.com'],
    ['ada+tag@example.com', 'ada+tag@example.com'],
    ["o'hara.x_y-z@mail.example.co", "o'hara.x_y-z@mail.example.co"],
    ['josé@exämple.com', 'josé@exämple.com'],
    ['jose\u0301@example.com', 'josé@example.com'],
    ['ada@localhost', 'ada@localhost'],
    ['用户@例子.example', '用户@例子.example'],
    ['ada@e', 'ada@e'],
    [`${'a'.repeat(308)}@example.com`, `${'a'.repeat(308)}@example.com`],
  ] as const) {
    test(`${JSON.stringify(typed)} is stored as ${stored}`, () => {
      expect(normalizeAddress(typed)).toBe(stored)
    })
  }

  for (const typed of [
    '',
    ' ',
    '@',
    'ada',
    'ada@',
    '@example.com',
    'ada@example.com@evil.example',
    'ada＠example.com＠evil.example',
    'ada@example.com,eve@evil.example',
    'ada@example.com, evil.example',
    'ada@example.com;evil.example',
    '"ada"@example.com',
    '"a@b"@example.com',
    'ada"@example.com',
    'ada(comment)@example.com',
    'Ada <ada@example.com>',
    'ada@example.com\r\nBcc: eve@evil.example',
    'ada\u0000@example.com',
    'a da@example.com',
    'ada@exa mple.com',
    '.ada@example.com',
    'ada.@example.com',
    'a..da@example.com',
    'ada@.example.com',
    'ada@example.com.',
    'ada@-example.com',
    'ada@example..com',
    'ada@[127.0.0.1]',
    'ada\\@example.com',
    'ada:eve@example.com',
    'ada\u202e@example.com',
    'ada\u200b@example.com',
    `${'a'.repeat(309)}@example.com`,
    `ada@example.com${' '.repeat(306)}`,
  ]) {
    test(`T-OTV-8: ${JSON.stringify(typed).slice(0, 50)} is refused`, () => {
      expect(() => normalizeAddress(typed)).toThrow(TypeError)
    })
  }

  for (const made of ['ＡＤＡ@example.com', 'jose\u0301@example.com', 'ada@ｅxample.com']) {
    test(`T-OTV-8: ${JSON.stringify(made)} is refused as an address of the application, since mail software changes it`, () => {
      expect(() => checkAddress(made)).toThrow(TypeError)
      expect(() => checkAddress(made.normalize('NFKC'))).not.toThrow()
    })
  }

  test('T-OTV-8: is unchanged by a second normalization, and has one recipient', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), fc.string(), (before, after) => {
        let stored: string
        try {
          stored = normalizeAddress(`${before}@${after}.example`)
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError)
          return
        }
        expect(normalizeAddress(stored)).toBe(stored)
        expect(stored).toMatch(/^[^\s"(),:;<>@[\\\]]+@[^\s"(),:;<>@[\\\]]+$/)
      }),
      { numRuns: 500 },
    )
  })
})
