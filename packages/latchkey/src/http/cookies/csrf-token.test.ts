import { describe, expect, test } from 'vitest'
import { createCsrfToken, hash, openCsrfCookie } from './csrf-token.ts'

const TOKEN = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'
const SECRET = 'latchkey-test-secret-0123456789abcdef'
const HASH = '4b18d4465c4e9cd996d989155e7082a7c4ad95eedb0ebb110dac31da077e6b89'

const tokenBytes = (): Uint8Array => Uint8Array.from(Buffer.from(TOKEN, 'hex'))

describe('a CSRF token', () => {
  test('has 32 random bytes, and its cookie has the hash of Auth.js', async () => {
    const made = await createCsrfToken(SECRET, (length) => tokenBytes().subarray(0, length))
    expect(made).toEqual({ token: TOKEN, cookie: `${TOKEN}|${HASH}` })
    expect(await hash(TOKEN, SECRET)).toBe(HASH)
  })

  test('is found in its cookie', async () => {
    expect(await openCsrfCookie(`${TOKEN}|${HASH}`, [SECRET])).toBe(TOKEN)
  })

  for (const [what, secrets] of [
    ['an older secret', ['new secret', SECRET]],
    ['the newest secret', [SECRET, 'old secret']],
  ] as const) {
    test(`T-KEY-3: is found if ${what} made the hash`, async () => {
      expect(await openCsrfCookie(`${TOKEN}|${HASH}`, secrets)).toBe(TOKEN)
    })
  }

  for (const [what, cookie] of [
    ['nothing', undefined],
    ['an empty cookie', ''],
    ['a token without a hash', TOKEN],
    ['another hash', `${TOKEN}|${HASH.replace('4b', '4c')}`],
    ['another token', `${TOKEN.replace('00', '01')}|${HASH}`],
    ['upper case', `${TOKEN.toUpperCase()}|${HASH}`],
    ['a third part', `${TOKEN}|${HASH}|x`],
    ['a shortened hash', `${TOKEN}|${HASH.slice(0, 63)}`],
    ['an empty token', `|${HASH}`],
  ] as const) {
    test(`is not found in ${what}`, async () => {
      expect(await openCsrfCookie(cookie, [SECRET])).toBeUndefined()
    })
  }

  test('of another secret is not accepted', async () => {
    expect(await openCsrfCookie(`${TOKEN}|${HASH}`, ['another secret'])).toBeUndefined()
  })
})
