import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type HaveIBeenPwnedOptions, haveIBeenPwned } from '../breached.ts'

const SUFFIX = '1E4C9B93F3F0682250B6CF8331B7EE68FD8'
const OTHER = '003D68EB55068C33ACE09247EE4C639306B:3'

/** A server in place of Have I Been Pwned, and the requests that it received. */
async function serve(body: string, { status = 200, isSilent = false } = {}) {
  const requests: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[] = []
  const server = createServer(({ method, url, headers }, response) => {
    requests.push({ method, url, headers })
    response.writeHead(status)
    if (isSilent) response.flushHeaders()
    else response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { baseUrl, requests }
}

describe('a lookup at Have I Been Pwned (PW-7)', () => {
  test('sends the first 5 digits of the SHA-1, and asks for padding', async () => {
    const { baseUrl, requests } = await serve(`${OTHER}\r\n${SUFFIX}:9659365\r\n`)
    expect(await haveIBeenPwned({ baseUrl }).isBreached('password')).toBe(true)
    expect(requests).toMatchObject([
      {
        method: 'GET',
        url: '/range/5BAA6',
        headers: { 'add-padding': 'true', 'user-agent': 'latchkey' },
      },
    ])
    expect(JSON.stringify(requests).toUpperCase()).not.toContain(SUFFIX)
  })

  test.each([
    ['that is not there', OTHER, false],
    ['that was seen 0 times, which is padding', `${SUFFIX}:0`, false],
    ['without a count', SUFFIX, false],
    ['in lower case', `${SUFFIX.toLowerCase()}:1`, true],
    ['of an empty answer', '', false],
  ])('finds a hash %s or not', async (_, body, isBreached) => {
    const { baseUrl } = await serve(body)
    expect(await haveIBeenPwned({ baseUrl }).isBreached('password')).toBe(isBreached)
  })

  test('finds only passwords that were seen as often as the option says', async () => {
    const { baseUrl } = await serve(`${SUFFIX}:99`)
    expect(await haveIBeenPwned({ baseUrl, least: 100 }).isBreached('password')).toBe(false)
    expect(await haveIBeenPwned({ baseUrl, least: 99 }).isBreached('password')).toBe(true)
  })

  test('rejects when it fails, or does not answer in time', async () => {
    const { baseUrl } = await serve('', { status: 503 })
    await expect(haveIBeenPwned({ baseUrl }).isBreached('password')).rejects.toThrow('status 503')
    const { baseUrl: silent } = await serve('', { isSilent: true })
    const { isBreached } = haveIBeenPwned({ baseUrl: silent, timeout: 50 })
    await expect(isBreached('password')).rejects.toThrow('timeout')
  })

  test('uses the `fetch` of the option', async () => {
    const asked: string[] = []
    const ask = async (url: RequestInfo | URL) => {
      asked.push(String(url))
      return new Response(`${SUFFIX}:1`)
    }
    const options = { fetch: ask, baseUrl: 'https://mirror.example/pwned/' }
    expect(await haveIBeenPwned(options).isBreached('password')).toBe(true)
    expect(asked).toEqual(['https://mirror.example/pwned/range/5BAA6'])
  })

  test.each<[string, HaveIBeenPwnedOptions, string]>([
    ['a path', { baseUrl: '/range' }, '`baseUrl` must be a URL'],
    ['another protocol', { baseUrl: 'ftp://mirror.example' }, '`baseUrl` must be a URL'],
    ['no count', { least: 0 }, '`least` must be a whole number'],
    ['no time', { timeout: 0 }, '`timeout` must be a whole number of milliseconds'],
  ])('refuses %s at the start', (_, options, message) => {
    expect(() => haveIBeenPwned(options)).toThrow(message)
  })
})
