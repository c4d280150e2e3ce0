import { describe, expect, test, vi } from 'vitest'
import type { Html } from './html.ts'
import { type Outcome, toInternal, toResponse, withCookies } from './outcome.ts'
import { trusted } from './safe-url.ts'

const cookies = [{ name: 'a', value: 'b c', options: { path: '/' } }]
const outcomes: Readonly<Record<Outcome['kind'], Outcome>> = {
  json: { kind: 'json', body: { a: 1 }, cookies },
  page: { kind: 'page', html: '<p>' as Html, policy: "default-src 'none'", status: 403 },
  bytes: {
    kind: 'bytes',
    body: new TextEncoder().encode('bytes'),
    headers: { 'content-type': 'application/octet-stream' },
  },
  redirect: { kind: 'redirect', to: trusted('/inbox'), cookies },
  empty: { kind: 'empty', status: 404 },
}

describe.each(Object.values(outcomes))('an outcome of the kind $kind', (outcome) => {
  test('is the same for a browser and for a framework in raw mode', async () => {
    const response = toResponse(outcome)
    const internal = toInternal(outcome)
    expect(internal.redirect ?? null).toBe(response.headers.get('location'))
    expect(internal.redirect ? 302 : (internal.status ?? 200)).toBe(response.status)
    const body = await response.text()
    const given: unknown =
      internal.body instanceof Uint8Array ? new TextDecoder().decode(internal.body) : internal.body
    expect(typeof given === 'object' ? JSON.stringify(given) : (given ?? '')).toBe(body)
    expect(internal.cookies).toEqual(outcome.cookies ?? [])
    expect(response.headers.getSetCookie()).toEqual(outcome.cookies ? ['a=b%20c; Path=/'] : [])
    for (const [name, value] of internal.headers ?? []) {
      expect([name, response.headers.get(name)]).toEqual([name, value])
    }
  })

  test('is never kept by a cache', () => {
    expect(toResponse(outcome).headers.get('cache-control')).toContain('no-store')
    expect(toInternal(outcome).headers?.get('cache-control')).toContain('no-store')
  })
})

test('a redirect is an absolute address in JSON for the browser client', async () => {
  for (const [to, url] of [
    ['/inbox', 'https://app.example/inbox'],
    ['https://op.example/x', 'https://op.example/x'],
  ] as const) {
    const outcome: Outcome = { kind: 'redirect', to: trusted(to) }
    const answer = toResponse(outcome, 'https://app.example')
    expect([answer.status, await answer.json()]).toEqual([200, { url }])
  }
})

test('a redirect has its own status, except in JSON for the browser client', () => {
  const outcome: Outcome = { kind: 'redirect', to: trusted('/inbox'), status: 303 }
  expect(toResponse(outcome).status).toBe(303)
  expect(toInternal(outcome).status).toBe(303)
  expect(toResponse(outcome, 'https://app.example').status).toBe(200)
})

test('a pending step of a sign-in is reported to the browser client', async () => {
  const outcome: Outcome = { kind: 'redirect', to: trusted('/code'), detour: true }
  const answer = toResponse(outcome, 'https://app.example')
  expect(await answer.json()).toEqual({ url: 'https://app.example/code', detour: true })
})

test('the headers of an outcome override those of its kind', () => {
  const problem = { 'content-type': 'application/problem+json', allow: 'POST' }
  const json = toResponse({ kind: 'json', body: {}, status: 405, headers: problem })
  expect(json.headers.get('content-type')).toBe('application/problem+json')
  expect(json.headers.get('allow')).toBe('POST')
  const headers = { 'referrer-policy': 'strict-origin' }
  const redirect = toResponse({ kind: 'redirect', to: trusted('/inbox'), headers })
  expect(redirect.headers.get('referrer-policy')).toBe('strict-origin')
})

test('a cookie of an outcome is not set twice', () => {
  const other = { name: 'x', value: 'y', options: {} }
  const first = { name: 'a', value: 'first', options: {} }
  const { empty, json } = outcomes
  expect(withCookies(json, [first, other]).cookies).toEqual([other, ...cookies])
  expect(withCookies(empty, [other]).cookies).toEqual([other])
  expect(withCookies(empty, [])).toBe(empty)
})

test('a server that copies a response with its original arguments keeps all headers', () => {
  class Kept extends Response {
    readonly init: ResponseInit | undefined
    constructor(body?: BodyInit | null, init?: ResponseInit) {
      super(body, init)
      this.init = init
    }
  }
  vi.stubGlobal('Response', Kept)
  const cookie = { name: 'a', value: 'b', options: {} }
  for (const cookies of [[], [cookie, { ...cookie, name: 'c' }]]) {
    const response = toResponse({ kind: 'json', body: {}, cookies }) as Kept
    const kept = new Headers(response.init?.headers)
    expect([...kept]).toEqual([...response.headers])
    expect(kept.getSetCookie()).toHaveLength(cookies.length)
    expect(kept.get('content-type')).toBe('application/json')
  }
  vi.unstubAllGlobals()
})
