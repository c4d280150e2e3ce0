import { expect, test } from 'vitest'
import { drawUserCode, formatUserCode, parseUserCode } from '../device/user-code.ts'

test('TOK-18: a code has eight letters without vowels, each as likely as any other', () => {
  let next = 0
  const random = (length: number) => Uint8Array.from({ length }, () => next++ % 256)
  const counts = new Map<string, number>()
  for (let i = 0; i < 240; i++)
    for (const letter of drawUserCode(random)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  expect([...counts.keys()].sort().join('')).toBe('BCDFGHJKLMNPQRSTVWXZ')
  expect(Math.max(...counts.values()) - Math.min(...counts.values())).toBeLessThanOrEqual(1)
})

test('TOK-18: case, blanks and hyphens of a code are ignored, and other texts are refused', () => {
  expect(formatUserCode('WDJBMJHT')).toBe('WDJB-MJHT')
  for (const typed of ['WDJB-MJHT', 'wdjbmjht', ' w d j b - m j h t '])
    expect(parseUserCode(typed)).toBe('WDJBMJHT')
  for (const typed of ['', 'WDJB-MJH', 'WDJB-MJHTT', 'WDJA-MJHT', 'WDJ8-MJHT'])
    expect(parseUserCode(typed)).toBeUndefined()
})
