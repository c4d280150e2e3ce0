import { describe, expect, test } from 'vitest'
import { mergeOptions } from './merge-options.ts'

describe('options over a description', () => {
  test('replace texts, numbers and functions, and keep the rest', () => {
    const profile = (): void => {}
    expect(
      mergeOptions({ id: 'a', name: 'A', max: 1, profile: 1 }, { name: 'B', profile }),
    ).toEqual({
      id: 'a',
      name: 'B',
      max: 1,
      profile,
    })
  })

  test('are merged member by member where both are objects, at any depth', () => {
    const base = { client: { a: 1, deep: { x: 1, y: 1 } } }
    expect(mergeOptions(base, { client: { deep: { y: 2 }, b: 2 } })).toEqual({
      client: { a: 1, b: 2, deep: { x: 1, y: 2 } },
    })
  })

  test('that are undefined change nothing, and null does', () => {
    expect(mergeOptions({ a: 1, b: 1 }, { a: undefined, b: null })).toEqual({ a: 1, b: null })
  })

  for (const checks of [['none'], [], ['state', 'nonce', 'pkce']]) {
    test(`replace a list as a whole: ${JSON.stringify(checks)}`, () => {
      expect(mergeOptions({ checks: ['pkce', 'state'] }, { checks })).toEqual({ checks })
    })
  }

  test('take keys, addresses and dates over as they are', async () => {
    const { privateKey } = await crypto.subtle.generateKey(
      { name: 'ECDSA', namedCurve: 'P-256' },
      false,
      ['sign'],
    )
    const url = new URL('https://a.example')
    const date = new Date()
    const merged = mergeOptions<Record<string, unknown>>(
      { token: { clientPrivateKey: {} }, url: {}, date: {} },
      { token: { clientPrivateKey: privateKey }, url, date },
    )
    expect((merged['token'] as { clientPrivateKey: unknown }).clientPrivateKey).toBe(privateKey)
    expect(merged['url']).toBe(url)
    expect(merged['date']).toBe(date)
  })

  test('keep the address of an endpoint if only parameters are added', () => {
    const base = { authorization: 'https://a.example/authorize', name: 'A' }
    expect(mergeOptions(base, { authorization: { params: { prompt: 'login' } } })).toEqual({
      name: 'A',
      authorization: { url: 'https://a.example/authorize', params: { prompt: 'login' } },
    })
    expect(mergeOptions(base, { authorization: { url: 'https://b.example' } })).toMatchObject({
      authorization: { url: 'https://b.example' },
    })
  })

  test('may be text if the description has an object', () => {
    expect(mergeOptions({ token: { url: 'a', params: {} } }, { token: 'b' })).toEqual({
      token: 'b',
    })
  })

  test('include members whose names are symbols', () => {
    const mark = Symbol('fetch')
    expect(mergeOptions<object>({}, { [mark]: 1 })).toEqual({ [mark]: 1 })
  })

  test('change neither side, and share no object with it', () => {
    const base = { client: { a: 1 }, checks: ['pkce'] }
    const over = { client: { b: 2 }, style: { brandColor: '#fff' } }
    const merged = mergeOptions<Record<string, unknown>>(base, over)
    ;(merged['client'] as Record<string, unknown>)['c'] = 3
    ;(merged['style'] as Record<string, unknown>)['c'] = 3
    expect(base).toEqual({ client: { a: 1 }, checks: ['pkce'] })
    expect(over).toEqual({ client: { b: 2 }, style: { brandColor: '#fff' } })
  })

  test('cannot reach a prototype', () => {
    const over = JSON.parse('{"__proto__":{"admin":true},"client":{"__proto__":{"admin":true}}}')
    const merged = mergeOptions<Record<string, unknown>>({ client: {} }, over)
    expect(merged['admin']).toBeUndefined()
    expect((merged['client'] as Record<string, unknown>)['admin']).toBeUndefined()
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
  })

  test('that are missing leave the description unchanged', () => {
    const base = { a: 1 }
    expect(mergeOptions(base, undefined)).toBe(base)
  })
})
