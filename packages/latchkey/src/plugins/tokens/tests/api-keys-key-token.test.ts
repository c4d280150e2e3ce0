import { expect, test } from 'vitest'
import { crc32, drawKey, formatKey, parseKey } from '../api-keys/key-token.ts'

const KEY = {
  id: '0123456789ABCDEF',
  secret: '0123456789abcdefghijklmnopqrstuvwxyzABCDEFG',
}
const TEXT = 'lkp_0123456789ABCDEF0123456789abcdefghijklmnopqrstuvwxyzABCDEFG4VFWX9'

test('a key has its documented text and checksum', () => {
  expect(formatKey('lkp', KEY)).toBe(TEXT)
  expect(crc32(TEXT.slice(0, -6)).toString(16)).toBe('f5f24e7f')
  expect(parseKey('lkp', TEXT)).toEqual(KEY)
  expect(TEXT).toMatch(/\blkp_[0-9A-Za-z]{65}\b/)
})

test('a key with a typing mistake, another prefix or another length is refused', () => {
  for (let at = 0; at < TEXT.length; at++) {
    const digit = TEXT[at] === 'x' ? 'y' : 'x'
    expect(parseKey('lkp', TEXT.slice(0, at) + digit + TEXT.slice(at + 1)), `${at}`).toBeUndefined()
  }
  for (const text of [
    '',
    'lkp_',
    TEXT.slice(1),
    `${TEXT}0`,
    ` ${TEXT}`,
    TEXT.replace('lkp', 'lkq'),
  ])
    expect(parseKey('lkp', text)).toBeUndefined()
  expect(parseKey('lkp2', TEXT)).toBeUndefined()
})

test('each digit of a drawn key is as likely as every other', () => {
  let next = 0
  // All bytes, in their order: those from 248 on are drawn again.
  const random = (length: number) => Uint8Array.from({ length }, () => next++ % 256)
  const counts = new Map<string, number>()
  for (let i = 0; i < 248; i++) {
    const { id, secret } = drawKey(random)
    for (const digit of id + secret) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  }
  expect(counts.size).toBe(62)
  const [least, most] = [Math.min(...counts.values()), Math.max(...counts.values())]
  expect(most - least).toBeLessThanOrEqual(most / 6)
})
