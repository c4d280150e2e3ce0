import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../adapters/memory/index.ts'
import { AuthError, CallbackRouteError, CredentialsSignin } from '../base/errors.ts'
import type { Ports } from '../base/ports.ts'
import { validate } from '../option-checks/validate.ts'
import Passkey from '../providers/passkey.ts'
import { createLogger, oneLine, redact } from './redacting-logger.ts'

const CANARY = 'canary-5c1f'

function recorder(): { console: Ports['console']; lines: string[] } {
  const lines: string[] = []
  const write =
    (level: string) =>
    (...parts: unknown[]): void => {
      lines.push(`${level} ${parts.map(String).join(' ')}`)
    }
  return { lines, console: { error: write('error'), warn: write('warn'), log: write('log') } }
}

describe('a wrong password', () => {
  test('is one line on the console, without a trace, and no error', () => {
    const { console, lines } = recorder()
    const logger = createLogger(undefined, false, console)
    logger.error(new CredentialsSignin('not accepted\nby anybody', { provider: 'password' }))
    logger.error(new CredentialsSignin())
    expect(lines).toEqual([
      'log [latchkey][info] CredentialsSignin: not accepted\\u000aby anybody',
      'log [latchkey][info] CredentialsSignin',
    ])
  })

  test('is an error if something failed behind it', () => {
    const { console, lines } = recorder()
    createLogger(undefined, false, console).error(new CredentialsSignin(new Error('no database')))
    expect(lines[0]).toBe(
      'error [latchkey][error] CredentialsSignin: no database (latchkey/docs/reference/errors.md#credentialssignin)',
    )
    expect(lines.length).toBeGreaterThan(1)
  })

  test('reaches the logger of the application as an error', () => {
    const seen: Error[] = []
    const { console, lines } = recorder()
    const error = new CredentialsSignin('no')
    createLogger({ error: (given) => void seen.push(given) }, false, console).error(error)
    expect([seen, lines]).toEqual([[error], []])
  })
})

describe('T-AUD-1: nothing secret is logged', () => {
  for (const name of [
    'access_token',
    'refresh_token',
    'id_token',
    'sessionToken',
    'token',
    'clientSecret',
    'client_secret',
    'AUTH_SECRET',
    'password',
    'passwd',
    'cookie',
    'Set-Cookie',
    'authorization',
    'Authorization',
    'code',
    'code_verifier',
    'codeVerifier',
    'client_assertion',
    'state',
    'nonce',
    'challenge',
    'apiKey',
    'key',
    'jwt',
    'url',
    'credentials',
  ]) {
    test(`under the name ${name}`, () => {
      const copy = JSON.stringify(redact({ deep: [{ [name]: CANARY }], [name]: { a: CANARY } }))
      expect(copy).not.toContain(CANARY)
      expect(copy).toContain('[redacted]')
    })
  }

  test('by the console, in metadata and in causes', () => {
    const { console, lines } = recorder()
    const logger = createLogger(undefined, true, console)
    logger.debug('step', () => ({ tokens: { access_token: CANARY }, provider: 'acme' }))
    logger.error(
      new CallbackRouteError(new Error('it failed', { cause: { body: { id_token: CANARY } } }), {
        provider: 'acme',
      }),
    )
    expect(lines.join('\n')).not.toContain(CANARY)
    expect(lines.join('\n')).toContain('acme')
  })

  test('by a debug method of the application', () => {
    const seen: unknown[] = []
    const logger = createLogger(
      { debug: (...parts) => seen.push(parts) },
      false,
      recorder().console,
    )
    logger.debug('step', () => ({ cookies: { 'authjs.session-token': CANARY } }))
    expect(JSON.stringify(seen)).not.toContain(CANARY)
    expect(seen).toHaveLength(1)
  })

  test('while other values stay readable', () => {
    const when = new Date(0)
    expect(
      redact({
        provider: 'acme',
        count: 1,
        none: null,
        gone: undefined,
        token: null,
        when,
        ok: true,
      }),
    ).toEqual({
      provider: 'acme',
      count: 1,
      none: null,
      gone: undefined,
      token: null,
      when,
      ok: true,
    })
    expect(redact(new TypeError('no\nway'))).toBe('TypeError: no\\u000away')
  })

  test('while values that JSON cannot write do not stop the flow', () => {
    const { console, lines } = recorder()
    const logger = createLogger(undefined, true, console)
    logger.debug('adapter_createUser', () => ({ args: [{ age: 36n }] }))
    logger.error(new AuthError('refused', { userId: 7n }))
    expect(lines.join()).toContain('"age": "36"')
    expect(lines.join()).toContain('"userId": "7"')
  })

  test('while circular values end', () => {
    const loop: Record<string, unknown> = {}
    loop['again'] = loop
    expect(JSON.stringify(redact(loop))).toContain('[…]')
  })
})

describe('a logger of the application', () => {
  function calls() {
    const made: unknown[][] = []
    const note = (...args: unknown[]): void => void made.push(args)
    const given = { error: note, warn: note, debug: note }
    return { made, logger: createLogger(given, false, recorder().console) }
  }

  test('receives the documented arguments, and no other', () => {
    const { made, logger } = calls()
    const error = new AuthError('no')
    logger.error(error)
    logger.warn('csrf-disabled')
    logger.warn('provider-deprecated', 'provider acme')
    logger.debug('step')
    logger.debug('step', () => ({ provider: 'acme' }))
    expect(made).toEqual([
      [error],
      ['csrf-disabled'],
      ['provider-deprecated', 'provider acme'],
      ['step'],
      ['step', { provider: 'acme' }],
    ])
  })

  test('receives the warnings of Auth.js with their code only', () => {
    const { made, logger } = calls()
    const config = {
      debug: true,
      adapter: memoryAdapter(),
      secret: 'x'.repeat(32),
      trustHost: true,
      providers: [],
    }
    for (const [code, detail] of validate(config, [Passkey()]).warnings) logger.warn(code, detail)
    expect(made).toEqual([['debug-enabled']])
  })
})

describe('T-WEB-4: a line of the log stays one line', () => {
  for (const text of [
    'a\r\nb',
    'a\u0000b',
    'a\u001b[31mb',
    'a\u0085b',
    'a\u2028b',
    'a\u2029b',
    'a\u007fb',
  ]) {
    test(`written as ${JSON.stringify(text)}`, () => {
      expect(oneLine(text)).toMatch(/^a(?:\\u[0-9a-f]{4})+(?:\[31m)?b$/)
    })
  }

  test('in messages of errors and in details of warnings', () => {
    const { console, lines } = recorder()
    const logger = createLogger(undefined, false, console)
    logger.warn('short-secret', 'one\ntwo')
    logger.error(new AuthError('one\r\n[latchkey][error] forged'))
    expect(lines[0]).toBe(
      'warn [latchkey][warn][short-secret] one\\u000atwo (latchkey/docs/reference/errors.md#warnings)',
    )
    expect(lines[1]).toBe(
      'error [latchkey][error] AuthError: one\\u000d\\u000a[latchkey][error] forged (latchkey/docs/reference/errors.md#autherror)',
    )
  })
})

describe('a logger', () => {
  test('has each method of the application in place of the default one', () => {
    const { console, lines } = recorder()
    const errors: Error[] = []
    const logger = createLogger({ error: (error) => errors.push(error) }, false, console)
    logger.error(new Error('mine'))
    logger.warn('csrf-disabled')
    expect(errors).toHaveLength(1)
    expect(lines).toEqual([
      'warn [latchkey][warn][csrf-disabled] (latchkey/docs/reference/errors.md#warnings)',
    ])
  })

  test('keeps the receiver of its methods', () => {
    class Mine {
      readonly seen: string[] = []
      error(error: Error): void {
        this.seen.push(error.message)
      }
      warn(code: string): void {
        this.seen.push(code)
      }
      debug(message: string): void {
        this.seen.push(message)
      }
    }
    const mine = new Mine()
    const logger = createLogger(mine, false, recorder().console)
    logger.error(new Error('e'))
    logger.warn('csrf-disabled')
    logger.debug('d')
    expect(mine.seen).toEqual(['e', 'csrf-disabled', 'd'])
  })

  test('computes nothing for a debug log that is off', () => {
    const { console, lines } = recorder()
    createLogger(undefined, false, console).debug('step', () => {
      throw new Error('not asked for')
    })
    expect(lines).toEqual([])
  })

  test('writes the type of library errors, the name of others, and the stack of their causes', () => {
    const { console, lines } = recorder()
    const logger = createLogger(undefined, false, console)
    const cause = new RangeError('too far')
    logger.error(new CallbackRouteError(cause, { provider: 'acme' }))
    logger.error(cause)
    expect(lines[0]).toBe(
      'error [latchkey][error] CallbackRouteError: too far (latchkey/docs/reference/errors.md#callbackrouteerror)',
    )
    expect(lines[1]).toContain('RangeError: too far')
    expect(lines[2]).toContain('"provider": "acme"')
    expect(lines[3]).toBe('error [latchkey][error] RangeError: too far')
  })

  test('writes what JSON cannot: large integers, as keys of databases are', () => {
    const { console, lines } = recorder()
    const logger = createLogger(undefined, true, console)
    const row = { id: 9_007_199_254_740_993n }
    logger.error(new CallbackRouteError(new Error('no such row', { cause: row })))
    logger.debug('adapter_updateUser', () => ({ args: [row] }))
    expect(lines.filter((line) => line.includes('"id": "9007199254740993"'))).toHaveLength(2)
  })

  test.each([null, undefined, ['a frame']])('accepts an error with the stack %j', (stack) => {
    const { console, lines } = recorder()
    const error = Object.assign(new Error('odd'), { stack: stack as never })
    createLogger(undefined, false, console).error(error)
    expect(lines[1]).toBe(`error Error: odd${stack ? '\n    a frame' : ''}`)
  })
})

describe('a failing logger of an application', () => {
  const failures: Readonly<Record<string, () => unknown>> = {
    throws: () => {
      throw new Error('the log is full')
    },
    rejects: async () => {
      throw new Error('the log is full')
    },
  }
  for (const [how, fail] of Object.entries(failures)) {
    test(`changes nothing when it ${how}, and the console is used instead`, async () => {
      const { console, lines } = recorder()
      const given = { error: fail, warn: fail, debug: fail }
      for (const debug of [true, false]) {
        const logger = createLogger(given, debug, console)
        logger.error(new AuthError('what was wrong'))
        logger.warn('session-size', 'so large')
        logger.debug('step', () => ({ token: CANARY }))
        await Promise.resolve()
      }
      expect(lines.filter((line) => line.includes('what was wrong'))).not.toEqual([])
      expect(lines.filter((line) => line.includes('so large'))).toHaveLength(2)
      expect(lines.filter((line) => line.includes('step'))).toHaveLength(1)
      expect(lines.join()).not.toContain(CANARY)
    })
  }
})
