import { describe, expect, test } from 'vitest'
import { processorTime } from '../../../latchkey/tests/support/processor-time.ts'
import { loggablePath } from '../http/exchange.ts'
import { withoutSecrets } from './redact.ts'

/** Times as much text must not take much more than as many times as long. */
const FACTOR = 8
/** Quadratic work takes FACTOR × FACTOR times as long. */
const BOUND = FACTOR * 3
const SIZE = 4000

/** Milliseconds of the fastest of some runs. */
function fastest(work: () => unknown): number {
  const times = Array.from({ length: 9 }, () => {
    const begun = processorTime()
    work()
    return processorTime() - begun
  })
  return Math.min(...times)
}

/**
 * How many times longer it takes for FACTOR times as much. A machine may be busy for a moment; what is quadratic is so
 * each time.
 */
function growth(work: (text: string) => unknown, piece: string): number {
  let least = Number.POSITIVE_INFINITY
  for (let again = 0; again < 5 && least >= BOUND; again++) {
    least = Math.min(least, growthOnce(work, piece))
  }
  return least
}

function growthOnce(work: (text: string) => unknown, piece: string): number {
  const short = piece.repeat(SIZE / piece.length)
  const long = short.repeat(FACTOR)
  const base = fastest(() => Array.from({ length: 10 }, () => work(short))) / 10
  return fastest(() => work(long)) / base
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

  test.each(pieces)('%j over and over', (piece) => {
    expect(growth(withoutSecrets, piece)).toBeLessThan(BOUND)
    // What is in front or behind decides whether an expression fails at the very end.
    expect(growth((text) => withoutSecrets(`/auth/${text}!`), piece)).toBeLessThan(BOUND)
    expect(growth(loggablePath, piece)).toBeLessThan(BOUND)
  })
})

describe('an address', () => {
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
