import { expect, test } from 'vitest'
import { foreignText } from './foreign-text.ts'

test.each([
  ['Work laptop', 'Work laptop'],
  ['Zoë’s iPhone 15 (2.1)', 'Zoë’s iPhone 15 (2.1)'],
  ['مفتاح أدا', 'مفتاح أدا'],
  ['https://evil.example/x', 'https: //evil. example/x'],
  ['WWW.evil.example', 'WWW. evil. example'],
  ['evil.example', 'evil. example'],
  ['evil。example', 'evil. example'],
  ['bücher.xn--p1ai', 'bücher. xn--p1ai'],
  ['cafe\u0301.example', 'cafe\u0301. example'],
  ['💩.example', '💩. example'],
  ['evil\u200d.example', 'evil\u200d. example'],
  ['evil.\u200cexample', 'evil. \u200cexample'],
  ['evil\u2024example', 'evil. example'],
  ['evil.e\u0301x', 'evil. e\u0301x'],
  ['a\u{e0065}b\u180ec\ufff9d', 'a b c d'],
  ['Acme Inc.', 'Acme Inc.'],
  ['a\r\nBcc: eve@evil.example\0', 'a Bcc: eve@evil. example'],
  ['a\u202eb\u2066c\u200fd', 'a b c d'],
  ['a\u2028b\u2029c', 'a b c'],
])('T-ACC-35, I18N-10: %j is %j in a mail', (text, shown) => {
  expect(foreignText(text)).toBe(shown)
})

test('T-ACC-35, I18N-10: a text of dots is cut off after 100 code points', () => {
  expect(Array.from(foreignText('evil.'.repeat(20))).length).toBeLessThanOrEqual(100)
  expect(Array.from(foreignText('www.aa.'.repeat(2000))).length).toBeLessThanOrEqual(100)
})

test('T-ACC-35, I18N-10: a text of 10 kB is 100 code points in a mail', () => {
  expect(Array.from(foreignText('😀'.repeat(5000)))).toHaveLength(100)
})
