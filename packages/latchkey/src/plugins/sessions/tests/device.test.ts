import { describe, expect, test } from 'vitest'
import { growth, LINEAR } from '../../../../tests/support/growth.ts'
import { deviceOf } from '../device.ts'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'

const device = (agent: string, hints: Record<string, string> = {}) =>
  deviceOf(new Headers({ 'user-agent': agent, ...hints }))

describe('SES-10: the device that the headers of a browser describe', () => {
  test.each([
    [CHROME, { browser: 'Chrome', system: 'Windows', kind: 'desktop' }],
    [IPHONE, { browser: 'Safari', system: 'iOS', kind: 'mobile' }],
    [IPHONE.replaceAll('iPhone', 'iPad'), { browser: 'Safari', system: 'iOS', kind: 'tablet' }],
    [
      'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
      { browser: 'Googlebot', kind: 'bot' },
    ],
    ['curl/8.5.0', { kind: 'program' }],
    ['okhttp/4.12.0', { kind: 'program' }],
    ['', { kind: 'unknown' }],
  ])('is recognized: %s', async (agent, expected) => {
    expect(await device(agent)).toEqual(expected)
  })

  test('has names that the parser knows, and nothing that a visitor made up', async () => {
    for (const agent of [
      'Mozilla/5.0 (<script>alert(1)</script>) canary/1.0 (x)',
      'Mozilla/canary (canary; canary) canary/1 canary/2 (canary)',
    ])
      expect(JSON.stringify(await device(agent))).not.toMatch(/canary|script/)
  })

  test('may come from client hints, which name browsers that look like others', async () => {
    const brands = '"Chromium";v="130", "Brave";v="130", "Not?A_Brand";v="99"'
    const hints = { 'sec-ch-ua': brands, 'sec-ch-ua-mobile': '?0', 'sec-ch-ua-platform': '"Linux"' }
    expect(await device(CHROME, hints)).toMatchObject({ browser: 'Brave' })
  })

  test.each(['a/1 ', '(', 'Chrome/', '";v="', ' '])(
    'T-ST-10: is found in linear time in %j over and over',
    async (part) => {
      const reading = (times: number) => {
        const headers = new Headers({
          'user-agent': `Mozilla/5.0 ${part.repeat(times)}`,
          'sec-ch-ua': `"${part.repeat(times)}`,
        })
        return () => deviceOf(headers)
      }
      expect(await growth(reading, 100_000)).toBeLessThan(LINEAR)
    },
  )
})
