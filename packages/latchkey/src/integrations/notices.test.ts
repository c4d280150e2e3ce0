import { afterEach, describe, expect, test, vi } from 'vitest'
import { noticing } from './notices.ts'

describe('a proxy that reports https', () => {
  afterEach(() => vi.unstubAllEnvs())

  const warned = (url: string, protocol: string): string[] => {
    vi.stubEnv('AUTH_URL', url)
    vi.stubEnv('NEXTAUTH_URL', '')
    const lines: string[] = []
    const notice = noticing({
      warn: (code: string, detail?: string) => void lines.push(`${code} ${detail}`),
    })
    for (let i = 0; i < 2; i++) notice.proxy({ 'x-forwarded-proto': 'https' }, protocol, 'trust it')
    return lines
  }

  test('logs one warning if the framework does not trust the proxy', () => {
    expect(warned('', 'http')).toEqual([
      expect.stringMatching(/^proxy-not-trusted .*; set trust it$/),
    ])
    expect(warned('', 'https')).toEqual([])
  })

  test('logs one warning with AUTH_URL if that is http', () => {
    expect(warned('http://app.example/auth', 'https')).toEqual([
      expect.stringMatching(
        /^address-mismatch AUTH_URL is http:\/\/app\.example\/auth, but .* says https/,
      ),
    ])
    expect(warned('https://app.example', 'http')).toEqual([])
  })
})
