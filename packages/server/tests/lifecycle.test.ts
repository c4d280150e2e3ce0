import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { visitor } from './support/browser.ts'
import { type ServiceProcess, serviceProcess } from './support/command.ts'
import { temporaryDirectory } from './support/temporary.ts'

const json = { LOG_FORMAT: 'json' }

/** Every test starts processes, some of them six, one after the other. */
const patient = { timeout: 240_000 }

/** Milliseconds by which what must not wait for the drain timeout of 9 s is over. */
const SOON = 6000

/** A request that the service has, whose body is still to come, and its answer. */
async function openRequest(
  origin: string,
): Promise<{ request: ClientRequest; answer: Promise<IncomingMessage> }> {
  const request = httpRequest(`${origin}/auth/signin/email`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': '20',
      expect: '100-continue',
    },
  })
  const answer = once(request, 'response').then(([response]) => response as IncomingMessage)
  answer.catch(() => {})
  await once(request, 'continue')
  request.write('email=')
  return { request, answer }
}

/** Sends a request through a connection of its own. @returns the status of the answer. */
async function sendAlone(url: string): Promise<number | undefined> {
  const request = httpRequest(url, { agent: false })
  request.end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  return response.statusCode
}

/** Waits until a signal has arrived. */
async function draining(service: ServiceProcess): Promise<void> {
  await expect.poll(() => service.output().out, { timeout: 30_000 }).toContain('"msg":"draining"')
}

describe('a shutdown by SIGTERM', patient, () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('%s ends an idle service with 0', async (signal) => {
    using directory = temporaryDirectory()
    await using service = await serviceProcess({ directory: directory.path, env: json })
    await (await fetch(`${service.origin}/healthz`)).text()
    const begun = performance.now()
    const { code, out } = await service.end(signal)
    expect(code).toBe(0)
    expect(out).toContain('"msg":"stopped"')
    expect(performance.now() - begun).toBeLessThan(SOON)
  })

  test('completes an open request, and accepts no new one', async () => {
    using directory = temporaryDirectory()
    await using service = await serviceProcess({ directory: directory.path, env: json })
    const { request, answer } = await openRequest(service.origin)
    const ended = service.end('SIGTERM')
    await draining(service)
    // What came with the signal is still taken.
    await expect
      .poll(() => fetch(`${service.origin}/healthz`).then(() => 'taken', String))
      .toContain('fetch failed')
    request.end('a%40example.te')
    const response = await answer
    response.resume()
    expect(response.statusCode).toBe(302)
    expect(response.headers.connection).toBe('close')
    const { code, out } = await ended
    expect(code).toBe(0)
    expect(out).toContain('"outcome":"signin"')
  })

  test.each([16, 64])(
    'leaves no request unanswered that %i clients with a connection each have sent before',
    async (clients) => {
      using directory = temporaryDirectory()
      await using service = await serviceProcess({ directory: directory.path, env: json })
      await (await fetch(`${service.origin}/healthz`)).text()
      const signalled = new AbortController()
      let answered = 0
      const lost: unknown[] = []
      const client = async (): Promise<void> => {
        while (!signalled.signal.aborted) {
          const sent = await sendAlone(`${service.origin}/auth/session`).catch(String)
          if (sent === 200) answered++
          else lost.push(sent)
        }
      }
      const load = Array.from({ length: clients }, client)
      await expect.poll(() => answered).toBeGreaterThan(clients * 2)
      // From here on nobody sends anything new; what is on its way is on its way.
      signalled.abort()
      expect((await service.end('SIGTERM')).code).toBe(0)
      await Promise.all(load)
      expect(lost).toEqual([])
    },
  )

  test('gives a balancer the configured time to notice, and loses nothing until then', async () => {
    using directory = temporaryDirectory()
    const env = { ...json, LATCHKEY_DRAIN_DELAY: '2', LATCHKEY_DRAIN_TIMEOUT: '6' }
    await using service = await serviceProcess({ directory: directory.path, env })
    expect((await fetch(`${service.origin}/readyz`)).status).toBe(200)
    const begun = performance.now()
    const ended = service.end('SIGTERM')
    await draining(service)
    const ready = await fetch(`${service.origin}/readyz`)
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: 'unavailable', reason: 'draining' },
    ])
    const statuses = new Set<number>()
    while (performance.now() - begun < 1500) {
      const answer = await fetch(`${service.origin}/auth/session`)
      expect(answer.headers.get('connection')).toBe('close')
      statuses.add(answer.status)
      await answer.text()
    }
    expect(statuses).toEqual(new Set([200]))
    expect((await ended).code).toBe(0)
    expect(performance.now() - begun).toBeGreaterThan(2000)
    await expect(fetch(`${service.origin}/healthz`)).rejects.toThrow('fetch failed')
  })

  test('cuts off a request that does not end, and exits with 1', async () => {
    using directory = temporaryDirectory()
    const env = { ...json, LATCHKEY_DRAIN_TIMEOUT: '1' }
    await using service = await serviceProcess({ directory: directory.path, env })
    const { answer } = await openRequest(service.origin)
    const begun = performance.now()
    const { code, out } = await service.end('SIGTERM')
    expect(code).toBe(1)
    expect(out).toContain('stopped with requests cut off')
    expect(performance.now() - begun).toBeLessThan(SOON)
    await expect(answer).rejects.toThrow(/hang up|ECONNRESET|aborted/)
  })

  test('happens at once after a second signal', async () => {
    using directory = temporaryDirectory()
    await using service = await serviceProcess({ directory: directory.path, env: json })
    const { answer } = await openRequest(service.origin)
    service.process.kill('SIGTERM')
    await draining(service)
    const { code } = await service.end('SIGTERM')
    expect(code).toBe(143)
    await expect(answer).rejects.toThrow(/hang up|ECONNRESET|aborted/)
  })

  test('is not delayed by a connection that is kept alive', async () => {
    using directory = temporaryDirectory()
    await using service = await serviceProcess({ directory: directory.path, env: json })
    await Promise.all(
      Array.from({ length: 5 }, async () => (await fetch(`${service.origin}/healthz`)).text()),
    )
    const begun = performance.now()
    expect((await service.end('SIGTERM')).code).toBe(0)
    expect(performance.now() - begun).toBeLessThan(SOON)
  })
})

describe('HP-7: the lines of requests that the log collects', patient, () => {
  const env = { ...json, LOG_BUFFER: 'true' }
  const linesIn = (out: string): number => out.match(/"msg":"request"/g)?.length ?? 0
  async function visit(origin: string, times: number): Promise<void> {
    for (let time = 0; time < times; time++) await (await fetch(`${origin}/healthz`)).text()
  }

  test.each<[what: string, signal: NodeJS.Signals, code: number]>([
    ['a shutdown', 'SIGTERM', 0],
    ['an uncaught exception', 'SIGUSR2', 1],
    ['an end by the application', 'SIGHUP', 3],
  ])('are all written at %s', async (_what, signal, code) => {
    using directory = temporaryDirectory()
    const text = `process.on('SIGUSR2', () => { throw new Error('not caught') })
      process.on('SIGHUP', () => process.exit(3))
      export default {}`
    writeFileSync(join(directory.path, 'latchkey.config.mjs'), text)
    await using service = await serviceProcess({ directory: directory.path, env })
    await visit(service.origin, 20)
    const ended = await service.end(signal)
    expect([ended.code, linesIn(ended.out)]).toEqual([code, 20])
  })

  test('are missing after kill -9 only if they are younger than a quarter of a second', async () => {
    using directory = temporaryDirectory()
    await using service = await serviceProcess({ directory: directory.path, env })
    await visit(service.origin, 10)
    await expect.poll(() => linesIn(service.output().out)).toBe(10)
    await visit(service.origin, 5)
    const { out } = await service.end('SIGKILL')
    expect(linesIn(out)).toBeGreaterThanOrEqual(10)
  })
})

describe('stored data', patient, () => {
  async function signIn(origin: string, directory: string): Promise<ReturnType<typeof visitor>> {
    const guest = visitor(origin)
    const { csrfToken } = (await (await guest.get('/auth/csrf')).json()) as { csrfToken: string }
    const password = readFileSync(join(directory, '.latchkey', 'demo-password'), 'utf8')
    await guest.post('/auth/callback/password', {
      csrfToken,
      email: 'demo@example.test',
      password,
    })
    return guest
  }

  async function emailAt(origin: string, cookies: Map<string, string>): Promise<unknown> {
    const again = visitor(origin)
    for (const [name, value] of cookies) again.cookies.set(name, value)
    const session = (await (await again.get('/auth/session')).json()) as {
      user?: { email?: string }
    } | null
    return session?.user?.email
  }

  test('survives kill -9 right after a response', async () => {
    using directory = temporaryDirectory()
    const options = { directory: directory.path, env: json }
    for (let round = 0; round < 3; round++) {
      await using service = await serviceProcess(options)
      const { cookies } = await signIn(service.origin, directory.path)
      await service.end('SIGKILL')
      await using next = await serviceProcess(options)
      expect(await emailAt(next.origin, cookies)).toBe('demo@example.test')
      expect((await fetch(`${next.origin}/readyz`)).status).toBe(200)
      await next.end('SIGKILL')
    }
  })

  test('includes the secret, so sealed sessions outlive a restart', async () => {
    using directory = temporaryDirectory()
    const text = 'export default { auth: { session: { strategy: "jwt" } } }'
    writeFileSync(join(directory.path, 'latchkey.config.mjs'), text)
    const options = { directory: directory.path, env: json }
    await using service = await serviceProcess(options)
    const { cookies } = await signIn(service.origin, directory.path)
    await service.end()
    await using next = await serviceProcess(options)
    expect(await emailAt(next.origin, cookies)).toBe('demo@example.test')
  })

  test('is readable for the owner only', async () => {
    using directory = temporaryDirectory()
    await using service = await serviceProcess({ directory: directory.path, env: json })
    await signIn(service.origin, directory.path)
    const data = join(directory.path, '.latchkey')
    expect(statSync(data).mode & 0o777).toBe(0o700)
    for (const name of ['secret', 'demo-password', 'latchkey.db', 'latchkey.db-wal'])
      expect([name, statSync(join(data, name)).mode & 0o077]).toEqual([name, 0])
  })

  test('is in the configured place', async () => {
    using directory = temporaryDirectory()
    mkdirSync(join(directory.path, 'data'))
    const args = ['--database', 'file:data/auth.db']
    await using service = await serviceProcess({ directory: directory.path, env: json }, args)
    expect(service.output().out).toContain(join('data', 'auth.db'))
    expect(statSync(join(directory.path, 'data', 'auth.db')).mode & 0o077).toBe(0)
  })
})

describe('the output at the start', patient, () => {
  test('in development names the address and first steps', async () => {
    using directory = temporaryDirectory()
    await using service = await serviceProcess({ directory: directory.path })
    const { out, err } = service.output()
    const password = readFileSync(join(directory.path, '.latchkey', 'demo-password'), 'utf8')
    expect(out).toContain(`Latchkey is running at ${service.origin}`)
    expect(out).toMatch(/Four ways to sign in .*(?:\n +\w.*){3}\n +Passkey /)
    expect(out).toContain(`email demo@example.test, password ${password}`)
    expect(out).toContain(`${service.origin}/mailbox`)
    expect(out).toContain(join(directory.path, '.latchkey', 'latchkey.db'))
    expect(err).toBe('')
  })

  test('in production has nothing but JSON', async () => {
    using directory = temporaryDirectory()
    const env = {
      NODE_ENV: 'production',
      AUTH_SECRET: 'kY3vQm8Zr1Tn6Wc0Xp5Lb9Jd2Hf7Gs4A',
      AUTH_URL: 'https://login.example.com',
      SMTP_URL: 'smtp://mail.example',
      HOST: 'localhost',
    }
    // The public address is not where it listens, so the port is read from the log.
    const service = await serviceProcess({ directory: directory.path, env }).catch(String)
    expect(service).not.toBeTypeOf('string')
    if (typeof service === 'string') return
    await service[Symbol.asyncDispose]()
    const lines = service.output().out.trim().split('\n')
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty('level')
    expect(lines.at(-1)).toContain('"address":"https://login.example.com"')
  })
})
