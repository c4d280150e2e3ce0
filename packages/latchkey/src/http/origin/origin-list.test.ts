import { describe, expect, test } from 'vitest'
import { compileHosts, isHostEntry } from './host-list.ts'
import { compileOrigins, isOriginEntry } from './origin-list.ts'

describe('a list of origins', () => {
  const agrees = compileOrigins([
    'https://app.example/',
    'https://*.App.example:8443',
    'http://*.localhost',
    'https://*.bücher.example',
  ])

  test.each([
    'https://app.example',
    'https://a.app.example:8443',
    'http://a.localhost',
    'https://a.xn--bcher-kva.example',
  ])('T-HOST-2: contains %s', (origin) => {
    expect(agrees(origin)).toBe(true)
  })

  test.each([
    'http://app.example',
    'https://a.app.example',
    'https://app.example:8443',
    'https://a.b.app.example:8443',
    'https://evil-app.example:8443',
    'https://a.app.example.evil.example:8443',
    'http://localhost',
    'https://a.localhost',
    'https://evil.example',
    'null',
  ])('T-HOST-2: does not contain %s', (origin) => {
    expect(agrees(origin)).toBe(false)
  })

  test('T-HOST-2: of hosts contains them by http and by https, and subdomains one label below', () => {
    const isHere = compileHosts(['app.example:8443', '*.app.example', '[::1]'])
    expect(isHere('http://app.example:8443')).toBe(true)
    expect(isHere('https://a.app.example')).toBe(true)
    expect(isHere('https://[::1]')).toBe(true)
    expect(isHere('https://app.example')).toBe(false)
    expect(isHere('https://a.app.example:8443')).toBe(false)
  })

  test.each(['*.0.0.1', '*.app.example:99999', '*', '*.*.example'])('refuses %s', (entry) => {
    expect(isHostEntry(entry)).toBe(false)
    expect(isOriginEntry(`https://${entry}`)).toBe(false)
  })
})
