import { hash as hashOfNodeRs, verify as verifyOfNodeRs } from '@node-rs/argon2'
import { describe, expect, test } from 'vitest'
import {
  ARGON2,
  CHEAP,
  hasherOf,
  PASSWORD,
  SCRYPT,
  withSaltOfVectors,
} from '../../../../../tests/support/hashers.ts'

describe('new hashes (PW-11)', () => {
  test('T-PWD-1, PW-11: equal the known argon2id hash of a password and a salt', async () => {
    expect(await withSaltOfVectors().hash(PASSWORD)).toBe(ARGON2)
  })

  test('have a salt of their own', async () => {
    const { hash } = hasherOf()
    expect(await hash(PASSWORD)).not.toBe(await hash(PASSWORD))
  })

  test('are verified by @node-rs/argon2, and the other way round', async () => {
    const { hash, verify } = hasherOf()
    expect(await verifyOfNodeRs(await hash(PASSWORD), PASSWORD)).toBe(true)
    const theirs = await hashOfNodeRs(PASSWORD, { memoryCost: 7168, timeCost: 5, parallelism: 2 })
    expect(await verify(PASSWORD, theirs)).toBe(true)
    expect(await verify(`${PASSWORD}!`, theirs)).toBe(false)
  })

  test('have the parameters of the options', async () => {
    const { hash } = hasherOf({ hash: { memory: 8192, passes: 6, parallelism: 2 } })
    expect(await hash(PASSWORD)).toMatch(/^\$argon2id\$v=19\$m=8192,t=6,p=2\$/)
  })
})

describe('passwords in their normal form (PW-2)', () => {
  const tag = 'f5ee11af0b06cd658b6448c34f2ff567506081a8b3bbb2c1c987c7224225c304'
  const composed = 'caf\u00e9 \u212b \ufb01 0123456789'

  test.each([
    ['composed', composed],
    ['decomposed', composed.normalize('NFD')],
  ])('are the same when typed %s', async (_, typed) => {
    const hash = await withSaltOfVectors().hash(typed)
    expect(Buffer.from(hash.split('$').at(-1) ?? '', 'base64').toString('hex')).toBe(tag)
    expect(await hasherOf().verify(typed, hash)).toBe(true)
  })
})

describe('verifying', () => {
  test.each([
    ['argon2id', ARGON2],
    ['scrypt (PW-12)', SCRYPT],
  ])('understands the vector of %s (PW-13)', async (_, stored) => {
    const { verify } = hasherOf()
    expect(await verify(PASSWORD, stored)).toBe(true)
    expect(await verify(`${PASSWORD} `, stored)).toBe(false)
  })

  test('is false for a user without a password (PW-18)', async () => {
    expect(await hasherOf().verify(PASSWORD, undefined)).toBe(false)
  })

  test('is false for a stored text that is no hash, and the log has the reason once', async () => {
    const { verify, errors } = hasherOf({ hash: CHEAP })
    for (const stored of ['secret', '$2b$10$abc', '$latchkey-wrap$md5$x', ''])
      expect(await verify(PASSWORD, stored)).toBe(false)
    expect(errors).toEqual([
      expect.stringContaining('a stored password hash is of no known system'),
    ])
  })

  test.each([
    ['a text with an unpaired surrogate', '\ud800'],
    ['a text of 4,097 bytes', 'a'.repeat(4097)],
    ['a text of 4,098 bytes in 1,366 characters', '\u20ac'.repeat(1366)],
    ['a text of 1 MB', 'a'.repeat(1_000_000)],
  ])('is false for %s (T-ACC-10)', async (_, typed) => {
    const { verify, hash } = hasherOf({ hash: CHEAP })
    expect(await verify(typed, await hash(''))).toBe(false)
    await expect(hash(typed)).rejects.toThrow('checkPassword')
  })

  test.each([
    ['4,096 bytes', 'a'.repeat(4095)],
    ['256 combining marks', '\u0301'.repeat(255)],
    ['U+0000 in it', 'before\0after'],
  ])('uses the last character of a password with %s (T-ACC-10)', async (_, start) => {
    const { hash, verify } = hasherOf({ hash: CHEAP })
    const stored = await hash(`${start}x`)
    expect(await verify(`${start}x`, stored)).toBe(true)
    expect(await verify(`${start}y`, stored)).toBe(false)
    expect(await verify(start, stored)).toBe(false)
  })
})

describe('a stored hash is hashed anew, and never downwards (PW-14)', () => {
  test.each([
    ['not with the parameters in use', ARGON2, false],
    ['with less work', ARGON2.replace('m=19456,t=2', 'm=7168,t=5'), true],
    ['not with more work', ARGON2.replace('m=19456', 'm=65536'), false],
    ['of scrypt', SCRYPT, true],
    ['of argon2i', ARGON2.replace('argon2id', 'argon2i'), true],
    ['of version 16', ARGON2.replace('v=19', 'v=16'), true],
    ['with a short tag', ARGON2.slice(0, -10), true],
    ['of another system', '$2b$15$..CA.uOD/eaGAOmJB.yMBubRoslBHnMTNf7r5vXwx5UX9sWYt/FHi', true],
  ])('%s', async (_, stored, isWeaker) => {
    expect(await hasherOf().isWeaker(stored)).toBe(isWeaker)
  })
})
