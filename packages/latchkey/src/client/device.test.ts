import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type DeviceCode, type DeviceSignInOptions, signInDevice } from './device.ts'

const CODES = {
  device_code: 'd',
  user_code: 'WDJB-MJHT',
  verification_uri: 'https://app.example/auth/device',
  verification_uri_complete: 'https://app.example/auth/device?user_code=WDJB-MJHT',
  expires_in: 60,
  interval: 5,
}
const TOKEN = { access_token: 'lkb_x', token_type: 'Bearer', expires_in: 100, session: 's' }

/** A site that gives these answers, one after the other, and how much time had passed at each question. */
function site(answers: readonly unknown[]) {
  const began = Date.now()
  const asked: [path: string, seconds: number, body: string][] = []
  const left = [...answers]
  const send = async (url: string, { body }: { body: URLSearchParams }) => {
    asked.push([
      url.slice('https://app.example/auth/device/'.length),
      (Date.now() - began) / 1000,
      String(body),
    ])
    const answer = left.length > 1 ? left.shift() : left[0]
    if (answer instanceof Error) throw answer
    if (answer instanceof Response) return answer
    return Response.json(answer, { status: (answer as { error?: string }).error ? 400 : 200 })
  }
  return { asked, fetch: send as unknown as typeof fetch }
}

/** Runs it while time passes. */
async function run(answers: readonly unknown[], more: Partial<DeviceSignInOptions> = {}) {
  const { asked, fetch } = site(answers)
  const shown: DeviceCode[] = []
  const running = signInDevice({
    issuer: 'https://app.example/auth',
    clientId: 'cli',
    onCode: (code) => void shown.push(code),
    fetch,
    ...more,
  }).catch((error: unknown) => error)
  // Not all timers: what another file left behind may set one after the other.
  const run = { isOver: false }
  void running.finally(() => (run.isOver = true))
  while (!run.isOver) await vi.advanceTimersToNextTimerAsync()
  return { result: await running, asked, shown, times: asked.slice(1).map(([, at]) => at) }
}

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => {
  vi.useRealTimers()
})

const error = (code: string) => ({ error: code })

describe('TOK-22: a program that signs in without a browser', () => {
  test('shows a code, and polls until a user entered it', async () => {
    const pending = error('authorization_pending')
    const { result, asked, shown, times } = await run([CODES, pending, pending, TOKEN], {
      name: 'me',
    })
    expect(shown).toEqual([
      {
        userCode: 'WDJB-MJHT',
        verificationUri: CODES.verification_uri,
        verificationUriComplete: CODES.verification_uri_complete,
        expires: new Date(60_000),
      },
    ])
    expect(asked[0]).toEqual(['code', 0, 'client_id=cli&name=me'])
    expect(asked[1]?.[2]).toBe(
      'client_id=cli&grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=d',
    )
    expect(times).toEqual([5, 10, 15])
    expect(result).toEqual({ accessToken: 'lkb_x', expires: new Date(115_000), session: 's' })
  })

  test('polls less often after `slow_down`, and if the site cannot be reached', async () => {
    const slow = await run([CODES, error('slow_down'), error('slow_down'), TOKEN])
    expect(slow.times).toEqual([5, 15, 30])
    vi.setSystemTime(0)
    const away = await run([
      CODES,
      new TypeError('fetch failed'),
      new TypeError('fetch failed'),
      TOKEN,
    ])
    expect(away.times).toEqual([5, 15, 35])
  })

  test('continues while the site fails', async () => {
    const { result } = await run([CODES, new Response('', { status: 503 }), TOKEN])
    expect(result).toMatchObject({ accessToken: 'lkb_x' })
  })

  test('stops when it is refused, when the code expires, and for an unknown program', async () => {
    expect((await run([CODES, error('access_denied')])).result).toMatchObject({
      code: 'access_denied',
    })
    vi.setSystemTime(0)
    const late = await run([CODES, error('authorization_pending')])
    expect(late.result).toMatchObject({ name: 'DeviceSignInError', code: 'expired_token' })
    expect(Math.max(...late.times)).toBeLessThanOrEqual(60)
    expect((await run([error('invalid_client')])).result).toMatchObject({ code: 'invalid_client' })
  })

  test('names what to check if another page responds, or the client is unknown', async () => {
    const elsewhere = { code: 'invalid_response', message: expect.stringContaining('`issuer`') }
    for (const answers of [[Response.json(null)], [{}], [CODES, {}]])
      expect((await run(answers)).result).toMatchObject(elsewhere)
    const missing = new Response('<p>', { status: 404 })
    expect((await run([missing])).result).toMatchObject({ ...elsewhere, code: 'status_404' })
    const { result } = await run([error('invalid_client')])
    expect(result).toMatchObject({ message: expect.stringContaining('`clientId`') })
  })

  test('stops when its caller stops waiting', async () => {
    const stop = new AbortController()
    const { result, times } = await run([CODES, error('authorization_pending')], {
      signal: stop.signal,
      onCode: () => void setTimeout(() => stop.abort(new Error('enough')), 12_000),
    })
    expect(result).toMatchObject({ message: 'enough' })
    expect(times).toEqual([5, 10])
  })
})
