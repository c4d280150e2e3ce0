import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isUsableTarget, judgeTarget, keepWithinSite, withParams } from './safe-url.ts'

const SITE = 'https://app.example'

/** Addresses that look as if they stayed, or as if they were harmless. */
const HOSTILE = [
  'https://evil.example',
  'https://evil.example/https://app.example',
  // As long as the site's own origin up to the slash.
  'https://bad.example/https://app.example',
  'https://bad.example/x',
  'https://app.example.evil.example/',
  'https://app.example@evil.example/',
  'https://app.example:443@evil.example/',
  'https://app.example:8443/',
  'http://app.example/',
  'https://evil.example#@app.example/',
  'https:evil.example',
  'https:/evil.example',
  'https:\\\\evil.example',
  'HTTPS://EVIL.EXAMPLE',
  ' https://evil.example',
  '\thttps://evil.example',
  'ht\ntps://evil.example',
  'https://ev\til.example',
  'https://аpp.example/',
  'https://app。evil.example/',
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'blob:https://app.example/x',
  'file:///etc/passwd',
  'ftp://app.example/',
  '\\\\evil.example',
  '\\/evil.example',
  '?x=1',
  '#x',
  'inbox',
  '.evil.example',
  '@evil.example',
  ':pass@evil.example',
  '',
]

/** Paths that browsers would take for another host if they were sent as they are. */
const TRICKY_PATHS = [
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '/\\/evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/.//evil.example',
  '/%2f%2fevil.example',
  '/@evil.example',
  '/:80@evil.example',
  '/../../x',
]

describe('a target is kept within the site', () => {
  for (const target of HOSTILE) {
    test(`T-REDIR-1: ${JSON.stringify(target)} leads to the site itself`, () => {
      const kept = keepWithinSite(target, SITE)
      expect(new URL(kept).origin).toBe(SITE)
      expect(kept).toBe(SITE)
    })
  }

  for (const target of TRICKY_PATHS) {
    test(`T-REDIR-1: ${JSON.stringify(target)} stays on the site`, () => {
      const kept = keepWithinSite(target, SITE)
      expect(new URL(kept).origin).toBe(SITE)
      expect(kept).toMatch(/^https:\/\/app\.example(?:\/|$)/)
      expect(kept).not.toMatch(/[\s\\]/)
    })
  }

  for (const [target, kept] of [
    ['/inbox?a=1#b', `${SITE}/inbox?a=1#b`],
    ['/', `${SITE}/`],
    [`${SITE}/inbox`, `${SITE}/inbox`],
    [SITE, SITE],
    ['//x/y', `${SITE}//x/y`],
    ['/in box', `${SITE}/in%20box`],
    [`${SITE}/in box/`, `${SITE}/in%20box/`],
  ] as const) {
    test(`${target} becomes ${kept}`, () => {
      expect(keepWithinSite(target, SITE)).toBe(kept)
    })
  }

  for (const name of ['user:pass', 'user', 'user:', ':pass']) {
    test(`refuses the user name ${name} in front of its own host`, () => {
      expect(keepWithinSite(`https://${name}@app.example/x`, SITE)).toBe(SITE)
    })
  }

  test('distinguishes port and host', () => {
    expect(keepWithinSite('http://localhost:3001/', 'http://localhost:3000')).toBe(
      'http://localhost:3000',
    )
  })

  test('T-REDIR-1: no text leads off the site, however it is made', () => {
    const piece = fc.constantFrom(
      ...'/ \\ @ : // https: evil.example app.example %2f %5c ? # . javascript: 。 ａ [ ] ;'.split(
        ' ',
      ),
      '\t',
      '\n',
      ' ',
      '\u0000',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const kept = keepWithinSite(pieces.join(''), SITE)
        expect(new URL(kept).origin).toBe(SITE)
        expect(kept).toMatch(/^[\x21-\x7e]+$/)
        expect(kept.split(/[?#]/)[0]).not.toContain('\\')
      }),
      { numRuns: 2000 },
    )
  })
})

describe('a target may be passed to the `redirect` callback:', () => {
  for (const [target, usable] of [
    ['/x', true],
    ['//x', true],
    ['https://evil.example/', true],
    ['http://x', true],
    ['ftp://x', false],
    ['javascript:alert(1)', false],
    ['javascript:https://app.example', false],
    ['https:', false],
    ['HTTPS://app.example', true],
    ['inbox', false],
    ['', false],
    [`/${'x'.repeat(2047)}`, true],
    [`/${'x'.repeat(2048)}`, false],
  ] as const) {
    test(`${target.slice(0, 30)} (${target.length} characters): ${usable ? 'yes' : 'no'}`, () => {
      expect(isUsableTarget(target)).toBe(usable)
    })
  }
})

describe('the result of a `redirect` callback', () => {
  for (const [answer, judged] of [
    ['/inbox', `${SITE}/inbox`],
    ['https://other.example/x', 'https://other.example/x'],
    ['com.example.app://signed-in', 'com.example.app://signed-in'],
    ['https://other.example/a b', 'https://other.example/a%20b'],
    ['https://other.example/\r\nSet-Cookie: a=b', 'https://other.example/Set-Cookie:%20a=b'],
    // As it stands it would be a path on a page with the same scheme.
    ['https:other.example/x', 'https://other.example/x'],
    ['http:other.example/x', 'http://other.example/x'],
    ['javascript:alert(1)', undefined],
    ['JavaScript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['vbscript:x', undefined],
    ['file:///etc/passwd', undefined],
    ['filesystem:https://app.example/temporary/x', undefined],
    ['blob:https://app.example/x', undefined],
    ['not an address', undefined],
    ['', undefined],
    [undefined, undefined],
    [null, undefined],
    [new URL('https://other.example/x'), 'https://other.example/x'],
    [new URL('javascript:alert(1)'), undefined],
    [{ href: '/x' }, undefined],
    [`/${'x'.repeat(2047)}`, `${SITE}/${'x'.repeat(2047)}`],
    [`/${'x'.repeat(2048)}`, undefined],
  ] as const) {
    test(`${JSON.stringify(answer)?.slice(0, 60) ?? 'nothing'} is ${judged ?? 'no target'}`, () => {
      expect(judgeTarget(answer, SITE)).toBe(judged)
    })
  }
})

describe('parameters of an address', () => {
  for (const [url, added] of [
    ['/login', '/login?error=a%26b'],
    ['/login?x=1', '/login?x=1&error=a%26b'],
    ['https://a.example/login#top', 'https://a.example/login?error=a%26b#top'],
    ['/login?x=1#a?b', '/login?x=1&error=a%26b#a?b'],
    ['#top', '?error=a%26b#top'],
  ] as const) {
    test(`are added to ${url}`, () => {
      expect(withParams(url, { error: 'a&b' })).toBe(added)
    })
  }

  test('leave the address unchanged if the list is empty', () => {
    expect(withParams('/login?', {})).toBe('/login?')
  })

  test('are read back as they were', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const url = new URL(withParams('/login?x=1#y', { value }), SITE)
        expect(url.searchParams.get('value')).toBe(value)
        expect(url.hash).toBe('#y')
      }),
    )
  })
})
