import { describe, expect, test } from 'vitest'
import { growth, LINEAR } from '../../../latchkey/tests/support/growth.ts'
import { loggablePath } from '../http/exchange.ts'
import { withoutSecrets } from './redact.ts'

/** How much longer the log's texts take with more of a piece. */
function growthOf(work: (text: string) => unknown, piece: string): Promise<number> {
  const working = (length: number) => {
    const text = piece.repeat(length / piece.length)
    return () => work(text)
  }
  return growth(working, 32_000)
}

describe('T-FLOW-5: the cost of a log line is linear in its text', () => {
  const pieces = [
    'code.',
    'code-',
    'a.',
    'a+',
    '/',
    '//',
    '://',
    'a://',
    'a://b:',
    '/a',
    ' /a',
    '=',
    ' ',
    'code ',
    'code= ',
    'code=;',
    'code=code',
    'token:',
    'Bearer ',
    'Bearer  ',
    '?',
    '/?',
    '/?)',
    ')?',
    '"',
    "'",
    'code="',
    "code='a",
    '/?"',
    '/?a.',
    'x'.repeat(19),
    `${'x'.repeat(19)}.`,
    '-',
    '\u0000',
    '%',
  ]

  test.each(pieces)('with %j over and over', async (piece) => {
    expect(await growthOf(withoutSecrets, piece)).toBeLessThan(LINEAR)
    // What is in front or behind decides whether an expression fails at the very end.
    expect(await growthOf((text) => withoutSecrets(`/auth/${text}!`), piece)).toBeLessThan(LINEAR)
    expect(await growthOf(loggablePath, piece)).toBeLessThan(LINEAR)
  })
})

describe('an address in the log:', () => {
  test.each([
    ['/a?x=CANARY', '/a?[redacted]'],
    ['/wiki/a_(b)?x=CANARY', '/wiki/a_(b)?[redacted]'],
    ['see (https://a.example/b?x=CANARY) there', 'see (https://a.example/b?[redacted]) there'],
    ['/a#CANARY', '/a?[redacted]'],
    ['"/a?CANARY"', '"/a?[redacted]"'],
    ['is it? yes', 'is it? yes'],
    ['and/or? yes', 'and/or? yes'],
    ['a=code=CANARY', 'a=code=[redacted]'],
    ['my.code = "CANARY"', 'my.code = [redacted]'],
    ['my.code = "CANARY and CANARY", he said', 'my.code = [redacted], he said'],
    ["code=a'CANARY", 'code=[redacted]'],
    ['{"state":"CANARY","a":1}', '{"state":[redacted],"a":1}'],
    ["https://a.example/x?e='CANARY&p=CANARY", 'https://a.example/x?[redacted]'],
    ['https://a.example/x?e=)CANARY is wrong', 'https://a.example/x?[redacted] is wrong'],
    ['https://a.example/x?e=<CANARY>"CANARY".', 'https://a.example/x?[redacted]".'],
    ['smtp://a:CANARY@b.example', 'smtp://[redacted]@b.example'],
  ])('%s is logged as %s', (text, logged) => {
    expect(withoutSecrets(text)).toBe(logged)
  })
})

test('T-AUD-1: no path or query longer than 200 characters is logged', () => {
  for (const word of [
    'word.',
    '/seg',
    'code.',
    'a=b&',
    'x?y',
    "ab'",
    'a"',
    '<a>',
    "?a='",
    '\u0001',
    '\u202e',
  ]) {
    const logged = withoutSecrets(`${word.repeat(300)} is no action`)
    expect(logged).toMatch(/ is no action$/)
    expect(logged.length).toBeLessThan(200 + ' is no action'.length + 1)
  }
})
