import { describe, expect, test } from 'vitest'
import { encodeBase64url } from '../../base/encoding/base64url.ts'
import { encodeUtf8 } from '../../base/encoding/utf8.ts'
import { parseCompactJwe, parseProtectedHeader } from './compact-jwe.ts'

describe('a compact JWE', () => {
  test('has five parts, of which direct encryption leaves the second empty, as in RFC 7516 section 3.1', () => {
    expect(parseCompactJwe('aGVhZGVy..aXY.dGV4dA.dGFn')).toEqual({
      header: 'aGVhZGVy',
      iv: 'aXY',
      ciphertext: 'dGV4dA',
      tag: 'dGFn',
    })
  })

  for (const token of [
    '',
    '.',
    '....',
    '..iv.text.tag',
    'header.key.iv.text.tag',
    'header..iv.text',
    'header..iv',
    'header.',
    'header..iv.text.tag.more',
    'header.payload.signature',
  ]) {
    test(`T-KEY-4: is not found in ${JSON.stringify(token).slice(0, 40)}`, () => {
      expect(parseCompactJwe(token)).toBeUndefined()
    })
  }

  test('T-KEY-4: may have a header of at most 1024 characters', () => {
    const header = 'x'.repeat(1024)
    expect(parseCompactJwe(`${header}..iv.text.tag`)).toMatchObject({ header })
    expect(parseCompactJwe(`${header}x..iv.text.tag`)).toBeUndefined()
  })

  test('T-KEY-4: with a header of a megabyte is refused before it is decoded', () => {
    expect(parseCompactJwe(`${'A'.repeat(1024 * 1024)}..iv.text.tag`)).toBeUndefined()
  })
})

describe('a protected header', () => {
  const header = (members: unknown): string =>
    encodeBase64url(encodeUtf8(typeof members === 'string' ? members : JSON.stringify(members)))
  const good = { alg: 'dir', enc: 'A256GCM' }

  for (const enc of ['A256GCM', 'A256CBC-HS512'] as const) {
    test(`may use ${enc}, with a key id or without`, () => {
      expect(parseProtectedHeader(header({ alg: 'dir', enc }))).toEqual({
        encryption: enc,
        kid: undefined,
      })
      expect(parseProtectedHeader(header({ alg: 'dir', enc, kid: 'k', typ: 'JWT' }))).toEqual({
        encryption: enc,
        kid: 'k',
      })
    })
  }

  for (const [what, members] of [
    ['compression', { ...good, zip: 'DEF' }],
    ['a critical extension', { ...good, crit: ['exp'] }],
    ['an empty list of critical extensions', { ...good, crit: [] }],
    ['no algorithm', { enc: 'A256GCM' }],
    ['no content encryption', { alg: 'dir' }],
    ['another content encryption', { alg: 'dir', enc: 'A128CBC-HS256' }],
    ['a content encryption of another case', { alg: 'dir', enc: 'a256gcm' }],
    ['the algorithm none', { alg: 'none', enc: 'A256GCM' }],
    ['a wrapped key', { ...good, alg: 'A256KW' }],
    ['a key made from a password', { ...good, alg: 'PBES2-HS512+A256KW', p2c: 1e9, p2s: 'AA' }],
    ['a key of RSA', { ...good, alg: 'RSA-OAEP' }],
    ['a list of algorithms', { ...good, alg: ['dir'] }],
    ['a key id that is no text', { ...good, kid: 1 }],
    ['a list', [good]],
    ['no JSON', '{alg:dir}'],
    ['nothing', ''],
  ] as [string, unknown][]) {
    test(`T-KEY-4: with ${what} is refused`, () => {
      expect(parseProtectedHeader(header(members))).toBeUndefined()
    })
  }

  test('that is no base64url or no UTF-8 is refused', () => {
    expect(parseProtectedHeader('!!!')).toBeUndefined()
    expect(
      parseProtectedHeader(encodeBase64url(new Uint8Array([0x7b, 0xff, 0x7d]))),
    ).toBeUndefined()
  })
})
