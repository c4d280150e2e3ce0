import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createLatchkey } from '../../src/entries/index.ts'
import Passkey from '../../src/providers/passkey.ts'
import { growth, LINEAR, STEP } from '../support/growth.ts'
import { createSite, ORIGIN } from './support/site.ts'

// What anybody can send without a session takes time that grows no faster than what is sent. Each case is answered at
// a large size, and at an eighth of it.

/** Characters of an address or of a header: more than servers let through. */
const LINE = 32 * 1024

/** Characters of a body. A mebibyte is read; above this the runtime's own memory is most of the time. */
const BODY = 256 * 1024

const SECRET = 'a secret for tests, 0123456789abcdef'

/** Texts that expressions, parsers and normalizers have taken long for. Each gives one of a length. */
const shapes: Readonly<Record<string, (length: number) => string>> = {
  letters: (length) => 'a'.repeat(length),
  slashes: (length) => '/'.repeat(length),
  'slashes before a letter': (length) => `${'/'.repeat(length - 1)}x`,
  backslashes: (length) => '\\'.repeat(length),
  dots: (length) => 'code.'.repeat(length / 5),
  'segments of dots': (length) => '/..'.repeat(length / 3),
  blanks: (length) => ' '.repeat(length),
  'blanks before a letter': (length) => `${' '.repeat(length - 1)}x`,
  escapes: (length) => '%25'.repeat(length / 3),
  'broken escapes': (length) => '%'.repeat(length),
  assignments: (length) => 'token='.repeat(length / 6),
  'combining marks': (length) => `a${'\u0315\u0300\u05b0'.repeat(length / 3)}`,
  'letters that expand': (length) => '\ufdfa'.repeat(length),
  'signs of addresses': (length) => '@'.repeat(length),
  'an address without an end': (length) => `${'a.'.repeat(length / 2)}@`,
  quotes: (length) => `"${'\\"'.repeat(length / 2)}`,
  'angle brackets': (length) => '<'.repeat(length),
  commas: (length) => ','.repeat(length),
  'dashes and digits': (length) => '1-'.repeat(length / 2),
  'an address of many hosts': (length) => `https://${'a.'.repeat(length / 2)}`,
  'a token of many parts': (length) => 'eyJ.'.repeat(length / 4),
  'list of cookies': (length) => 'a=1; '.repeat(length / 5),
  'pieces of a session': (length) => {
    let text = ''
    for (let at = 0; text.length < length; at++) text += `__Secure-authjs.session-token.${at}=x; `
    return text
  },
  'sign-ins in progress': (length) => {
    let text = ''
    for (let at = 0; text.length < length; at++) text += `__Host-latchkey.sign-in.${at}=x; `
    return text
  },
  'open brackets': (length) => '['.repeat(length),
  'open objects': (length) => '{"a":'.repeat(length / 5),
  'many fields': (length) => {
    let text = 'csrfToken=x'
    for (let at = 0; text.length < length; at++) text += `&f${at}=1`
    return text
  },
  'one field again and again': (length) => 'email=a&'.repeat(length / 8),
}

type Make = (text: string) => Request

const url = (path: string): URL => new URL(path, ORIGIN)

const withQuery =
  (path: string, name: string): Make =>
  (text) => {
    const address = url(path)
    address.searchParams.set(name, text)
    return new Request(address)
  }

/** Headers hold bytes: what is no Latin-1 letter is sent as UTF-8. */
const withHeader =
  (path: string, name: string, prefix = ''): Make =>
  (text) =>
    new Request(url(path), {
      headers: { [name]: prefix + Buffer.from(text.trim()).toString('latin1') },
    })

const withField =
  (path: string, name: string): Make =>
  (text) =>
    new Request(url(path), {
      method: 'POST',
      headers: { cookie: COOKIE },
      body: new URLSearchParams({ csrfToken: TOKEN, action: 'authenticate', [name]: text }),
    })

const withBody =
  (path: string, type: string): Make =>
  (body) =>
    new Request(url(path), { method: 'POST', headers: { 'content-type': type }, body })

let COOKIE = ''
let TOKEN = ''

/** Where text of strangers is read, and how much of it. */
const places: Readonly<Record<string, { readonly size: number; readonly make: Make }>> = {
  'the path': {
    size: LINE,
    make: (text) => new Request(`${ORIGIN}/auth/callback/${encodeURI(text.toWellFormed())}`),
  },
  'the path of an action': {
    size: LINE,
    make: (text) => new Request(`${ORIGIN}/auth/${text.replaceAll(/[^\w/%.=;]/g, 'x')}`),
  },
  'the callback URL': { size: LINE, make: withQuery('/auth/signin', 'callbackUrl') },
  'the error of a page': { size: LINE, make: withQuery('/auth/error', 'error') },
  'the error of a provider': { size: LINE, make: withQuery('/auth/callback/acme', 'error') },
  'the state of a provider': { size: LINE, make: withQuery('/auth/callback/acme', 'state') },
  'the address of a passkey': {
    size: LINE,
    make: withQuery('/auth/webauthn-options/passkey', 'email'),
  },
  'the address of a link': { size: LINE, make: withQuery('/auth/callback/email?token=x', 'email') },
  'the token of a link': {
    size: LINE,
    make: withQuery('/auth/callback/email?email=a@b.c', 'token'),
  },
  cookies: { size: LINE, make: withHeader('/auth/session', 'cookie') },
  'the cookie of a session': {
    size: LINE,
    make: withHeader('/auth/session', 'cookie', '__Secure-authjs.session-token='),
  },
  'the cookie of forms': {
    size: LINE,
    make: withHeader('/auth/csrf', 'cookie', '__Host-authjs.csrf-token='),
  },
  'the cookie of the callback URL': {
    size: LINE,
    make: withHeader('/auth/csrf', 'cookie', '__Secure-authjs.callback-url='),
  },
  'the origin': { size: LINE, make: withHeader('/auth/signin', 'origin') },
  'the forwarded host': { size: LINE, make: withHeader('/auth/signin', 'x-forwarded-host') },
  'the page before': { size: LINE, make: withHeader('/auth/signin', 'referer') },
  'the field of an address': { size: BODY, make: withField('/auth/signin/email', 'email') },
  'the field of a code': { size: BODY, make: withField('/auth/callback/email', 'code') },
  'the field of a password': {
    size: BODY,
    make: withField('/auth/callback/credentials', 'password'),
  },
  'the answer of a passkey': { size: BODY, make: withField('/auth/callback/passkey', 'data') },
  'the target of a form': { size: BODY, make: withField('/auth/signout', 'callbackUrl') },
  'the token of a form': { size: BODY, make: withField('/auth/signout', 'csrfToken') },
  'a form': { size: BODY, make: withBody('/auth/signout', 'application/x-www-form-urlencoded') },
  'a body of JSON': { size: BODY, make: withBody('/auth/signout', 'application/json') },
}

const logged: unknown[] = []
const site = await createSite()
const latchkey = createLatchkey(
  {
    ...site.config,
    providers: [...(site.config.providers ?? []), Passkey()],
    adapter: memoryAdapter(),
    trustHost: true,
    logger: { error: (error) => void logged.push(error), warn() {}, debug() {} },
  },
  { AUTH_SECRET: SECRET },
)
const csrf = await latchkey.handler(new Request(url('/auth/csrf')))
TOKEN = ((await csrf.json()) as { csrfToken: string }).csrfToken
COOKIE = csrf.headers
  .getSetCookie()
  .map((line) => line.split(';', 1)[0])
  .join('; ')

describe.each(Object.entries(places))('T-FLOW-5: %s', (_, { size, make }) => {
  test.each(Object.entries(shapes))('takes linear time for %s', async (_, shape) => {
    const [small, large] = [shape(size / STEP), shape(size)]
    try {
      make(large)
    } catch {
      // The runtime itself refuses such a header or address.
      return
    }
    const answering = (length: number) => {
      const request = make(length === size ? large : small)
      logged.length = 0
      return async () => (await latchkey.handler(request)).text()
    }
    expect(await growth(answering, size)).toBeLessThan(LINEAR)
  })
})
