import { stripVTControlCharacters } from 'node:util'
import { EmailSignInError } from 'latchkey/errors'
import { describe, expect, test } from 'vitest'
import { createLog, type Log, libraryLogger } from './log.ts'

const SECRET = 'only-letters-and-so-not-random-looking'
const CANARY = 'cAnArY7Zq2Xv9Lm4Tn8Wd1Rk6Pb3Hs5Jf0'

function recorded(format: 'json' | 'text' = 'json'): { log: Log; text: () => string } {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const log = createLog({ level: 'trace', format, secrets: new Set([SECRET]), stream })
  return { log, text: () => lines.join('') }
}

describe('T-AUD-1: the log hides secrets', () => {
  const jwe = `eyJhbGciOiJkaXIifQ..${CANARY}.${CANARY}.${CANARY}`
  const hidden: readonly [string, unknown][] = [
    ['a secret of this process', { note: `before ${SECRET} after` }],
    ['a query', { url: `https://example.com/callback?code=${CANARY}&state=${CANARY}` }],
    ['a query of a path', { where: `/auth/callback/x?code=${CANARY}` }],
    ['a short query', { where: '/auth/callback/x?code=CANARY' }],
    ['a fragment', { url: 'https://example.com/#access_token=CANARY' }],
    ['a URL', { url: new URL('https://example.com/?token=CANARY') }],
    ['a password in a URL', { server: 'smtps://user:CANARY@mail.example:465' }],
    ['a sealed value', { note: `got ${jwe}` }],
    ['a hexadecimal token', { note: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c' }],
    ['an authorization header', { headers: { authorization: 'Bearer CANARY' } }],
    ['an authorization header in text', { note: 'sent Bearer CANARY' }],
    ['a cookie header', { headers: { cookie: 'authjs.session-token=CANARY' } }],
    ['a cookie in text', { note: 'authjs.session-token=CANARY; a=b' }],
    ['a password', { credentials: { username: 'x', password: 'CANARY' } }],
    [
      'members with telling names',
      {
        access_token: 'CANARY',
        client_secret: 'CANARY',
        code: 'CANARY',
        code_verifier: 'CANARY',
        state: 'CANARY',
        nonce: 'CANARY',
      },
    ],
    ['a member deep inside', { a: { b: [{ refresh_token: 'CANARY' }] } }],
    ['a value in a list', { list: [`code=${CANARY}`] }],
    ['an error', { error: new Error(`bad code=CANARY at https://x.example/?a=CANARY ${jwe}`) }],
    [
      'a cause',
      {
        error: new Error('outer', {
          cause: { err: new Error(`token: CANARY`), token: 'CANARY', url: `/x?${CANARY}` },
        }),
      },
    ],
    ['the name of a member', { [CANARY]: 1 }],
  ]

  test.each(hidden)('%s', (_what, members) => {
    const { log, text } = recorded()
    log.error(members as object, 'message')
    expect(text()).not.toMatch(/canary/i)
    expect(text()).not.toContain(SECRET)
    expect(text()).not.toContain('9f86d081884c')
    expect(text()).toMatch(/redacted|…/)
  })

  test('in a message', () => {
    const { log, text } = recorded()
    log.warn(`cannot open ${SECRET} at https://example.com/?code=CANARY`)
    expect(text()).not.toMatch(/canary/i)
    expect(text()).not.toContain(SECRET)
  })

  test('in lines of the library, at any level', () => {
    const { log, text } = recorded()
    const logger = libraryLogger(log)
    const error = Object.assign(new Error(`sealed ${jwe}`), { type: 'JWTSessionError' })
    logger.error?.(error)
    logger.warn?.('callback-url-unusable', `https://evil.example/?code=${CANARY}`)
    logger.debug?.('token request', { body: `code=${CANARY}`, headers: { authorization: CANARY } })
    expect(text()).not.toMatch(/canary/i)
    expect(text()).toContain('JWTSessionError')
    expect(text()).toContain('callback-url-unusable')
  })

  test('while the text that helps an operator stays', () => {
    const { log, text } = recorded()
    const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:25'), {
      code: 'ECONNREFUSED',
    })
    const id = 'e58ed763-928c-4155-bee9-fdbaaadc15f3'
    log.error({ id, error: new TypeError('cannot send the mail', { cause }) }, 'request failed')
    const line = JSON.parse(text()) as Record<string, unknown>
    expect(line).toMatchObject({
      level: 'error',
      msg: 'request failed',
      id,
      error: {
        name: 'TypeError',
        message: 'cannot send the mail',
        cause: { reason: 'ECONNREFUSED', message: 'connect ECONNREFUSED 127.0.0.1:25' },
      },
    })
    expect(line['error']).toHaveProperty('stack.0', expect.stringContaining('log.test.ts'))
  })
})

test('a mail that was not sent is an error, for any thrown value', () => {
  const { log, text } = recorded()
  const fetchFailed = new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') })
  libraryLogger(log).error?.(new EmailSignInError(fetchFailed, { provider: 'email' }))
  expect(JSON.parse(text())).toMatchObject({ level: 'error', msg: 'auth error' })
})

test('the line of a request has its id, also as text', () => {
  const id = 'b1f6a1f2-6f0e-4c6e-9a53-0d1f6f0e4c6e'
  const members = { id, method: 'GET', path: '/', status: 200, outcome: 'home', ms: 1 }
  for (const format of ['json', 'text'] as const) {
    const { log, text } = recorded(format)
    log.info(members, 'request')
    expect(text()).toContain(id)
  }
})

describe('T-AUD-3: a line of the log cannot be forged', () => {
  const forged = 'x\r\n{"level":"info","msg":"forged"}\u2028\u001b[31mred\u0085\u202eevil\u0000'

  test.each(['json', 'text'] as const)('in %s', (format) => {
    const { log, text } = recorded(format)
    log.info({ path: forged, [forged]: 1 }, `message ${forged}`)
    log.info({ method: 'GET', path: forged, status: 200, outcome: forged, ms: 1 }, 'request')
    expect(text().split('\n')).toHaveLength(3)
    // The colours of the text format are its own; nothing else may be a control character.
    const plain = stripVTControlCharacters(text())
    expect(plain.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202e]/u)
  })

  test('by a value that cannot be copied, which is logged', () => {
    const { log, text } = recorded()
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    log.info({ circle, big: 10n, symbol: Symbol('s'), fn: () => 1, map: new Map() }, 'odd')
    expect(JSON.parse(text())).toMatchObject({ big: '10', msg: 'odd' })
  })

  test('by a very long value, which is cut', () => {
    const { log, text } = recorded()
    log.info({ note: 'word '.repeat(100_000) }, 'long')
    expect(text().length).toBeLessThan(3000)
  })
})
