import { once } from 'node:events'
import { copyFileSync, renameSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { describe, expect, test } from 'vitest'
import { visitor } from './support/browser.ts'
import { testService } from './support/service.ts'

const SECRET = 'kY3vQm8Zr1Tn6Wc0Xp5Lb9Jd2Hf7Gs4A'
const production = {
  NODE_ENV: 'production',
  AUTH_SECRET: SECRET,
  AUTH_URL: 'https://login.example.com',
  SMTP_URL: 'smtp://mail.example',
}

describe('the health of the service', () => {
  test('/healthz says that the process is up', async () => {
    await using service = await testService()
    const answer = await service.ask('/healthz')
    expect(answer).toMatchObject({ status: 200, text: '{"status":"ok"}' })
  })

  test('/readyz says no while the database is gone, and the process lives on', async () => {
    await using service = await testService()
    expect((await service.ask('/readyz')).status).toBe(200)
    const path = join(service.directory, '.latchkey', 'latchkey.db')
    renameSync(path, `${path}.gone`)
    await sleep(150)
    expect(await service.ask('/readyz')).toMatchObject({
      status: 503,
      text: '{"status":"unavailable","reason":"database-gone"}',
    })
    expect((await service.ask('/healthz')).status).toBe(200)
    renameSync(`${path}.gone`, path)
    await sleep(150)
    expect((await service.ask('/readyz')).status).toBe(200)
  })

  test.each(['gone', 'replaced'])('is bad while the database is %s', async (how) => {
    await using service = await testService()
    const guest = visitor(service.address)
    const form = {
      csrfToken: await csrfOf(guest),
      email: 'demo@example.test',
      password: service.demo?.account.password ?? '',
    }
    const path = join(service.directory, '.latchkey', 'latchkey.db')
    renameSync(path, `${path}.gone`)
    if (how === 'replaced') copyFileSync(`${path}.gone`, path)
    await sleep(150)
    const answer = await guest.post('/auth/callback/password', form)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('60')
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(await answer.json()).toEqual({ status: 'unavailable' })
    const page = await service.ask('/auth/signin', { headers: { accept: 'text/html,*/*' } })
    expect(page).toMatchObject({ status: 503, text: expect.stringContaining('<h1>Not available') })
    expect((await service.ask('/')).status).toBe(503)
    expect((await service.ask('/healthz')).status).toBe(200)
    renameSync(`${path}.gone`, path)
    await sleep(150)
    await guest.post('/auth/callback/password', form)
    expect(await emailOf(guest)).toBe('demo@example.test')
  })

  test('/readyz says no while somebody else holds the database, and so does the rest', async () => {
    await using service = await testService()
    const other = new DatabaseSync(join(service.directory, '.latchkey', 'latchkey.db'))
    other.exec('BEGIN IMMEDIATE')
    expect(await service.ask('/readyz')).toMatchObject({
      status: 503,
      text: '{"status":"unavailable","reason":"database-locked"}',
    })
    const guest = visitor(service.address)
    const csrfToken = await csrfOf(guest)
    const form = { csrfToken, email: 'a@example.test' }
    const begun = performance.now()
    const waiting = Array.from({ length: 15 }, () => guest.post('/auth/signin/email', form))
    await sleep(100)
    expect((await service.ask('/healthz')).status).toBe(200)
    expect(performance.now() - begun).toBeLessThan(1500)
    const [answer] = (await Promise.all(waiting)) as [Response]
    expect(performance.now() - begun).toBeLessThan(10_000)
    expect(answer.status).toBe(503)
    expect(await answer.json()).toEqual({ status: 'unavailable' })
    await expect
      .poll(() => service.lines().at(-1))
      .toMatchObject({ outcome: 'signin:database-locked', error: 'Configuration', status: 503 })
    expect(await (await guest.get('/auth/session')).json()).toBeNull()
    other.exec('ROLLBACK')
    other.close()
    await sleep(150)
    expect((await service.ask('/readyz')).status).toBe(200)
    expect((await guest.post('/auth/signin/email', form)).headers.get('location')).toContain(
      'verify-request',
    )
  })
})

describe('T-HOST-1, T-HOST-2, T-HOST-3: the address of the service', () => {
  const hostile = [
    { host: 'evil.example' },
    { host: 'evil.example:80' },
    { 'x-forwarded-host': 'evil.example' },
    { 'x-forwarded-host': ['evil.example', 'evil.example'] },
    { 'x-forwarded-host': 'localhost, evil.example' },
    { 'x-forwarded-proto': 'https', 'x-forwarded-port': '444' },
    { forwarded: 'host=evil.example;proto=https' },
    { 'x-original-url': '/evil', 'x-rewrite-url': '/evil' },
    { host: 'bad host"<>' },
  ]

  test.each(hostile)('does not depend on %j, even in the first request', async (headers) => {
    await using service = await testService()
    for (let round = 0; round < 2; round++) {
      const answer = await service.ask('/auth/providers', { headers })
      expect(answer.status).toBe(200)
      expect(answer.text).toContain(`${service.address}/auth/signin/email`)
      expect(answer.text).not.toContain('evil')
    }
    const metadata = await service.ask('/idp/.well-known/openid-configuration', { headers })
    expect(metadata.text).toContain(`"${service.address}/idp/auth"`)
    expect(metadata.text).not.toContain('evil')
  })

  test('is the configured URL in production, with its cookies', async () => {
    await using service = await testService(production)
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    const answer = await service.ask('/auth/csrf', { headers })
    expect(String(answer.headers['set-cookie'])).toMatch(/__Host-.*Secure/)
    const providers = await service.ask('/auth/providers', { headers })
    expect(providers.text).toContain('https://login.example.com/auth/signin/email')
  })

  test('is one of the accepted hosts, and no other', async () => {
    const { AUTH_URL: _, ...rest } = production
    const env = { ...rest, AUTH_TRUST_HOST: 'a.example,b.example', MAIL_FROM: 'a@a.example' }
    await using service = await testService(env)
    const at = (host: string) =>
      service.ask('/auth/providers', { headers: { host, 'x-forwarded-proto': 'https' } })
    expect((await at('a.example')).text).toContain('https://a.example/auth/')
    expect((await at('b.example')).text).toContain('https://b.example/auth/')
    expect((await at('evil.example')).status).toBe(421)
    expect((await at('a.example@evil.example')).status).toBe(400)
    expect((await service.ask('/readyz', { headers: { host: '10.0.0.7' } })).status).toBe(200)
  })

  test('does not change with an absolute request line', async () => {
    await using service = await testService()
    const answer = await service.ask('http://evil.example/auth/providers')
    expect(answer.text).toContain(service.address)
    expect(answer.text).not.toContain('evil')
  })

  test('is the only one at which the mailbox is shown', async () => {
    await using service = await testService()
    const headers = { host: 'evil.example' }
    expect((await service.ask('/mailbox', { headers })).status).toBe(421)
    expect((await service.ask('/mailbox/x', { headers })).status).toBe(421)
  })
})

describe('bad input', () => {
  test.each(['/auth/../auth/session', '/auth/%2e%2e/x', '/auth\\session'])(
    'T-HOST-4: %s is refused',
    async (path) => {
      await using service = await testService()
      const answer = await service.ask(path)
      expect(answer.status).toBe(400)
      const line = { path: '(unusable)', outcome: 'bad-path' }
      await expect.poll(() => service.lines().at(-1)).toMatchObject(line)
    },
  )

  test('an unknown path gets a page', async () => {
    await using service = await testService()
    expect(await service.ask('/nothing')).toMatchObject({ status: 404 })
    expect(await service.ask('//evil.example/')).toMatchObject({ status: 404 })
    expect(await service.ask('/authsession')).toMatchObject({ status: 404 })
  })

  test('a missing page leads to an existing one', async () => {
    await using demo = await testService()
    await using service = await testService(production)
    const headers = { accept: 'text/html' }
    for (const [{ ask }, path] of [
      [demo, '/nothing'],
      [demo, '/mailbox/nothing'],
      [service, '/nothing'],
    ] as const) {
      const href = /<a class="button main" href="([^"]*)"/.exec((await ask(path)).text)?.[1]
      expect((await ask(href ?? 'none', { headers })).status).toBe(200)
    }
  })

  test('a body that is too long is refused, with and without a length', async () => {
    await using service = await testService({ LATCHKEY_BODY_LIMIT: '2048' })
    const body = 'a='.padEnd(5000, 'b')
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const known = { ...type, 'content-length': '5000' }
    const chunked = { ...type, 'transfer-encoding': 'chunked' }
    for (const headers of [known, chunked]) {
      const answer = await service.ask('/auth/signin/email', { method: 'POST', headers, body })
      expect(answer.status).toBe(413)
    }
    expect((await service.ask('/healthz')).status).toBe(200)
  })

  test('hundreds of cookies are read', async () => {
    await using service = await testService()
    const cookie = Array.from({ length: 900 }, (_, index) => `cookie-${index}=${'x'.repeat(40)}`)
    const answer = await service.ask('/auth/session', { headers: { cookie: cookie.join('; ') } })
    expect(answer).toMatchObject({ status: 200, text: 'null' })
  })

  test.each(['TRACE', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])(
    'the method %s is refused',
    async (method) => {
      await using service = await testService()
      for (const path of ['/', '/auth/session', '/healthz', '/idp/auth']) {
        const { status } = await service.ask(path, { method })
        expect(status).toBeGreaterThanOrEqual(400)
        expect(status).toBeLessThan(500)
      }
    },
  )
})

describe('T-WEB-3: every page', () => {
  const pages = ['/', '/mailbox', '/nothing', '/auth/signin', '/auth/error', '/auth/verify-request']

  test.each([...pages, '/auth/%2e', '/idp/interaction/x', '/idp/auth'])('%s', async (path) => {
    await using service = await testService()
    const { headers, text } = await service.ask(path)
    expect(headers['content-security-policy']).toMatch(/default-src 'none'/)
    expect(headers['content-security-policy']).toMatch(/frame-ancestors 'none'/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toMatch(/^(?:same-origin|no-referrer|strict-origin|origin)/)
    expect(headers['cache-control']).toMatch(/no-store/)
    expect(text).toMatch(/^<!doctype html>/i)
    expect(text.replace(/<script>\(function.*?<\/script>/s, '')).not.toMatch(
      /<script|\son\w+=|\sstyle=/i,
    )
    const foreign = [...text.matchAll(/(?:src|href|action)="(https?:[^"]*)"/g)]
      .map(([, url = '']) => new URL(url).origin)
      .filter((origin) => origin !== service.address)
    expect(foreign).toEqual([])
  })
})

describe('the demo', () => {
  test('has three ways to sign in, shows the session on the home page, and signs out', async () => {
    await using service = await testService()
    for (const signIn of [withPassword, withIdp, withMail]) {
      const guest = visitor(service.address)
      expect(await (await guest.get('/')).text()).toContain('You are not signed in')
      const name = await signIn(guest, service.demo?.account.password ?? '')
      const home = await (await guest.get('/')).text()
      expect(home).toContain('You are signed in')
      expect(home).toContain(name)
      const csrfToken = await csrfOf(guest)
      await guest.follow(await guest.post('/auth/signout', { csrfToken }))
      expect(await (await guest.get('/')).text()).toContain('You are not signed in')
    }
  })

  test('creates another account each time at the development identity provider', async () => {
    await using service = await testService()
    const guest = visitor(service.address)
    expect(await withIdp(guest, '', 'alice')).toBe('alice@example.test')
    expect(await withIdp(visitor(service.address), '', 'bob')).toBe('bob@example.test')
    const csrfToken = await csrfOf(guest)
    await guest.follow(await guest.post('/auth/signout', { csrfToken }))
    expect(await withIdp(guest, '', 'carol')).toBe('carol@example.test')
  })

  test('signs nobody in after a refused consent', async () => {
    await using service = await testService()
    const guest = visitor(service.address)
    const page = await toIdp(guest)
    const end = await guest.follow(await guest.post(page, { name: 'alice', answer: 'refuse' }))
    expect(end.url).toMatch(/\/auth\/(?:signin|error)\?error=/)
    expect(await (await guest.get('/auth/session')).json()).toBeNull()
  })

  test('refuses an invalid name, and shows the form with it', async () => {
    await using service = await testService()
    const guest = visitor(service.address)
    const page = await toIdp(guest)
    const again = await guest.post(page, { name: '<b>"', answer: 'allow' })
    expect(again.status).toBe(400)
    expect(await again.text()).toContain('value="&lt;b&gt;&quot;"')
  })

  test.each([
    { email: 'demo@example.test', password: 'wrong' },
    { email: 'Demo', password: '' },
    { password: 'x' },
  ])('refuses wrong credentials: %j', async (form) => {
    await using service = await testService()
    const guest = visitor(service.address)
    const csrfToken = await csrfOf(guest)
    const answer = await guest.post('/auth/callback/password', { csrfToken, ...form })
    expect(answer.headers.get('location')).toContain('error=CredentialsSignin')
    const line = { outcome: 'callback', error: 'CredentialsSignin' }
    await expect.poll(() => service.lines().at(-1)).toMatchObject(line)
  })

  test('keeps its password for a data directory', async () => {
    await using first = await testService()
    const env = { LATCHKEY_DATA: join(first.directory, '.latchkey') }
    await using second = await testService(env)
    expect(second.demo?.account).toEqual(
      expect.objectContaining({ password: first.demo?.account.password }),
    )
  })

  test('uses the same word for mail everywhere', async () => {
    await using service = await testService()
    const providers = JSON.parse((await service.ask('/auth/providers')).text) as object
    expect(providers).toMatchObject({ email: { name: 'Email' } })
    for (const path of ['/', '/mailbox', '/auth/signin'])
      expect((await service.ask(path)).text).not.toMatch(/e-mail/i)
  })

  test('does not exist in production', async () => {
    await using service = await testService(production)
    for (const path of ['/', '/mailbox', '/idp/.well-known/openid-configuration', '/idp/auth'])
      expect((await service.ask(path)).status).toBe(404)
    const providers = JSON.parse((await service.ask('/auth/providers')).text) as object
    expect(Object.keys(providers)).toEqual(['email', 'password'])
    expect(service.demo).toBeUndefined()
  })

  test('has passkeys if the host is a name and no list of providers is set', async () => {
    const providersOf = async (env: Record<string, string>): Promise<string[]> => {
      await using service = await testService(env)
      const { text } = await service.ask('/auth/providers', { headers: { host: 'localhost' } })
      const home = await service.ask('/')
      expect(home.text).not.toContain('<script')
      return Object.keys(JSON.parse(text) as object)
    }
    expect(await providersOf({ HOST: 'localhost' })).toContain('passkey')
    expect(await providersOf({ HOST: '127.0.0.1' })).not.toContain('passkey')
    const named = await providersOf({ HOST: 'localhost', AUTH_PROVIDERS: 'webauthn' })
    expect(named).toContain('webauthn')
    expect(named).not.toContain('passkey')
  })

  test('is announced in the log', async () => {
    await using service = await testService()
    expect(service.text()).toContain('everybody who can reach them can sign in as any user')
  })
})

test('passkeys are named like other providers, and need no other setting', async () => {
  await using service = await testService({ ...production, AUTH_PROVIDERS: 'passkey' })
  const headers = { host: 'login.example.com', 'x-forwarded-proto': 'https' }
  const { status, text } = await service.ask('/auth/webauthn-options/passkey', { headers })
  expect([status, text]).toEqual([200, expect.stringContaining('"rpId":"login.example.com"')])
})

test('with SMTP_URL the mail is sent, and the mailbox names the server', async () => {
  const received: string[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      let text = ''
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      stream.on('end', () => {
        received.push(text)
        done()
      })
    },
  })
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as { port: number }
  try {
    await using service = await testService({
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'Acme <login@acme.example>',
    })
    const guest = visitor(service.address)
    const csrfToken = await csrfOf(guest)
    await guest.post('/auth/signin/email', { csrfToken, email: 'a@example.test' })
    expect(received).toHaveLength(1)
    expect(received[0]).toMatch(/^From: Acme <login@acme\.example>$/m)
    const box = await (await guest.get('/mailbox')).text()
    expect(box).toContain(`127.0.0.1:${port}`)
    expect(box).not.toContain('<article')
  } finally {
    await new Promise<void>((resolve) => smtp.close(resolve))
  }
})

describe('the log', () => {
  test('T-AUD-1: has no secret of any place, at any level', async () => {
    const canary = 'cAnArY7Zq2Xv9Lm4Tn8Wd1'
    await using service = await testService({
      LOG_LEVEL: 'trace',
      AUTH_SECRET: `${SECRET}${canary}`,
    })
    const guest = visitor(service.address)
    const password = service.demo?.account.password ?? ''
    const csrfToken = await csrfOf(guest)
    await withPassword(guest, password)
    await withIdp(visitor(service.address), '')
    await withMail(visitor(service.address))
    const cookies = [...guest.cookies]
      .filter(([name]) => !name.includes('last-used'))
      .map(([, value]) => value)
    const headers = {
      cookie: `authjs.session-token=${canary}; authjs.csrf-token=${canary}; x=${canary}`,
      authorization: `Bearer ${canary}`,
      referer: `http://localhost/?${canary}`,
      'user-agent': canary,
      'x-request-id': canary,
      'content-type': 'application/x-www-form-urlencoded',
    }
    const query = `code=${canary}&state=${canary}&token=${canary}&email=${canary}&callbackUrl=https://evil.example/${canary}&error=${canary}`
    const actions = [
      'session',
      'signin',
      'signout',
      'callback/development',
      'callback/email',
      'callback/password',
      'signin/email',
      'signin/development',
      'csrf',
      'providers',
      'error',
      'verify-request',
      canary,
      `signin/${canary}`,
    ]
    const body = `csrfToken=${canary}&password=${canary}&username=${canary}&email=${canary}`
    for (const path of [
      ...actions.map((action) => `/auth/${action}`),
      '/',
      '/mailbox',
      '/idp/auth',
      '/idp/token',
      '/healthz',
      '/readyz',
      `/reset/${canary}${canary}`,
    ]) {
      await service.ask(`${path}?${query}`, { headers })
      await service.ask(`${path}?${query}`, { method: 'POST', headers, body })
      await service.ask(path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: `{"password":"${canary}"`,
      })
    }
    const log = service.text()
    expect(log.split('\n').filter((line) => /canary/i.test(line))).toEqual([])
    for (const secret of [SECRET, password, csrfToken, ...cookies])
      expect(log).not.toContain(secret)
    const paths = service.lines().map(({ path }) => String(path))
    expect(paths.filter((path) => /[?#]/.test(path))).toEqual([])
  })

  test('has no error and no stack for a mistake of a visitor', async () => {
    await using service = await testService()
    const guest = visitor(service.address)
    const csrfToken = await csrfOf(guest)
    for (const email of ['a@b@example.test', 'nobody', 'a b@example.test', ''])
      await guest.post('/auth/signin/email', { csrfToken, email })
    await service.ask('/auth/callback/password', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":',
    })
    await guest.follow(await guest.post(await toIdp(guest), { name: 'a', answer: 'refuse' }))
    const lines = service.lines().filter(({ msg }) => String(msg).startsWith('auth '))
    expect(lines.map(({ level, refused }) => [level, refused])).toEqual([
      ...Array.from({ length: 4 }, () => ['warn', 'EmailSignInError']),
      ['warn', 'UnreadableBody'],
      ['info', 'OAuthCallbackError'],
    ])
    expect(lines.at(-1)).toMatchObject({ answer: 'access_denied' })
    expect(service.text()).not.toContain('"stack"')
  })

  test.each([
    ['with a length', 'content-length: 20\r\n\r\nemail=', ['UnreadableBody']],
    ['in pieces', 'transfer-encoding: chunked\r\n\r\n6\r\nemail=\r\n', []],
  ])('has no error for a body that breaks off, %s', async (_, rest, refusals) => {
    await using service = await testService()
    const { port } = service
    const sender = connect(port, '127.0.0.1')
    const type = 'content-type: application/x-www-form-urlencoded'
    sender.write(
      `POST /auth/signin/email HTTP/1.1\r\nhost: localhost:${port}\r\n${type}\r\n${rest}`,
    )
    await sleep(100)
    sender.destroy()
    await expect.poll(() => service.lines().map(({ outcome }) => outcome)).toContain('aborted')
    await sleep(100)
    const lines = service.lines()
    expect(lines.filter(({ level }) => level === 'error')).toEqual([])
    expect(lines.flatMap(({ refused }) => refused ?? [])).toEqual(refusals)
    expect((await service.ask('/healthz')).status).toBe(200)
  })

  test('says what is wrong with the secret, and not the secret', async () => {
    await using service = await testService({ AUTH_SECRET: 'kY3vQm8Zr1' })
    expect(service.lines().map(({ msg }) => msg)).toContain(
      'the secret is too short: it has 10 characters, and needs at least 32; run "latchkey secret", and use its output (required in production)',
    )
    expect(service.text()).not.toContain('kY3vQm8Zr1')
  })

  test('has an error if the mail cannot be sent', async () => {
    await using service = await testService({ SMTP_URL: `smtp://127.0.0.1:${await freePort()}` })
    const guest = visitor(service.address)
    const form = { csrfToken: await csrfOf(guest), email: 'a@example.test' }
    await guest.post('/auth/signin/email', form)
    expect(service.lines().find(({ level }) => level === 'error')).toMatchObject({
      msg: 'auth error',
      error: { name: 'EmailSignInError', cause: { err: { reason: expect.any(String) } } },
    })
  })

  test('has one line for each request, with its outcome and id', async () => {
    await using service = await testService()
    const before = service.lines().length
    const { headers } = await service.ask('/auth/session?x=1')
    await expect
      .poll(() => service.lines().slice(before))
      .toEqual([
        {
          level: 'info',
          time: expect.any(String),
          id: headers['x-request-id'],
          method: 'GET',
          path: '/auth/session',
          status: 200,
          outcome: 'session',
          ms: expect.any(Number),
          msg: 'request',
        },
      ])
  })

  test('T-AUD-1: has no more than 200 characters of a long request in a line', async () => {
    await using service = await testService()
    for (const word of ['code.', 'word-', 'a.', '/', 'zy/'])
      for (const target of [
        `/auth/${word.repeat(400)}`,
        `/auth/callback/${word.repeat(400)}`,
        `/auth/callback/development?error=${word.repeat(400)}`,
        `/auth/callback/development?state=x&error=x&error_description=${word.repeat(400)}`,
        `/auth/session?${word.repeat(400)}`,
      ])
        expect((await service.ask(target)).status).toBeLessThan(500)
    await service.ask('/auth/session', { headers: { host: 'zy.'.repeat(80) } })
    await sleep(20)
    expect(service.text()).not.toMatch(/[^\s"\\]{201}/)
  })

  test('T-AUD-3: has no line that a request forged', async () => {
    await using service = await testService()
    const forged = '%0d%0a%7b%22level%22:%22info%22%7d%1b[31m'
    await service.ask(`/x${forged}?a=${forged}`, {
      headers: { 'user-agent': 'a\u0085\u001bb'.replace(/[^\u0020-\u00ff]/g, '') },
    })
    await service.ask(`/auth/signin/${forged}`)
    await sleep(20)
    const text = service.text()
    expect(text.split('\n').length - 1).toBe(service.lines().length)
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  })
})

test('an unexpected error in the store is a plain 503, is logged, and the process continues', async () => {
  await using service = await testService()
  const path = join(service.directory, '.latchkey', 'latchkey.db')
  const other = new DatabaseSync(path)
  const guest = visitor(service.address)
  await withPassword(guest, service.demo?.account.password ?? '')
  other.exec('DROP TABLE IF EXISTS "Session"; DROP TABLE IF EXISTS "session"')
  other.close()
  const answer = await guest.get('/')
  expect(answer.status).toBe(503)
  const text = await answer.text()
  expect(text).not.toMatch(/sqlite|no such table|\.ts:/i)
  expect(service.lines().some(({ level }) => level === 'error')).toBe(true)
  expect((await service.ask('/healthz')).status).toBe(200)
})

test('a request before the pages are ready is answered', async () => {
  const port = await freePort()
  const starting = testService({ PORT: String(port) })
  const early = (async () => {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined)
      if (answer) return answer.status
      await sleep(1)
    }
  })()
  await using _service = await starting
  expect(await early).toBe(200)
})

test('two services in one process are independent', async () => {
  await using first = await testService()
  await using second = await testService()
  const guest = visitor(first.address)
  await withPassword(guest, first.demo?.account.password ?? '')
  const other = visitor(second.address)
  for (const [name, value] of guest.cookies) other.cookies.set(name, value)
  expect(await (await other.get('/auth/session')).json()).toBeNull()
})

describe('GET session', () => {
  const sessionOf = async (guest: Guest): Promise<{ user?: Record<string, unknown> } | null> =>
    (await (await guest.get('/auth/session')).json()) as { user?: Record<string, unknown> } | null

  test('returns the id of the user, the same after each sign-in', async () => {
    await using service = await testService()
    const ids = []
    for (const signIn of [withMail, withMail]) {
      const guest = visitor(service.address)
      await signIn(guest)
      ids.push((await sessionOf(guest))?.user?.['id'])
    }
    expect(ids[0]).toMatch(/^[\da-f-]{36}$/)
    expect(ids[1]).toBe(ids[0])
    const guest = visitor(service.address)
    await withPassword(guest, service.demo?.account.password ?? '')
    const session = await sessionOf(guest)
    expect(Object.keys(session ?? {})).toEqual(['user', 'expires'])
    expect(session?.user).toEqual({
      id: expect.any(String),
      name: expect.any(String),
      email: 'demo@example.test',
      image: null,
    })
  })

  test('leaves the id out if AUTH_SESSION_USER_ID is false', async () => {
    await using service = await testService({ AUTH_SESSION_USER_ID: 'false' })
    const guest = visitor(service.address)
    await withPassword(guest, service.demo?.account.password ?? '')
    expect((await sessionOf(guest))?.user).not.toHaveProperty('id')
  })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

type Guest = ReturnType<typeof visitor>

async function csrfOf(guest: Guest): Promise<string> {
  const { csrfToken } = (await (await guest.get('/auth/csrf')).json()) as { csrfToken: string }
  return csrfToken
}

async function withPassword(guest: Guest, password: string): Promise<string> {
  const form = { csrfToken: await csrfOf(guest), email: 'demo@example.test', password }
  await guest.follow(await guest.post('/auth/callback/password', form))
  return emailOf(guest)
}

async function toIdp(guest: Guest): Promise<string> {
  const begun = await guest.post('/auth/signin/development', { csrfToken: await csrfOf(guest) })
  return new URL((await guest.follow(begun)).url).pathname
}

async function withIdp(guest: Guest, _password: string, name = 'alice'): Promise<string> {
  const page = await toIdp(guest)
  await guest.follow(await guest.post(page, { name, answer: 'allow' }))
  return emailOf(guest)
}

async function withMail(guest: Guest): Promise<string> {
  const form = { csrfToken: await csrfOf(guest), email: 'mail@example.test' }
  await guest.follow(await guest.post('/auth/signin/email', form))
  const box = await (await guest.get('/mailbox')).text()
  const link = /class="button small" href="(https?:[^"]*)"/.exec(box)?.[1] ?? ''
  await guest.follow(await guest.get(link.replaceAll('&amp;', '&')))
  return emailOf(guest)
}

async function emailOf(guest: Guest): Promise<string> {
  const session = (await (await guest.get('/auth/session')).json()) as {
    user?: { email?: string }
  } | null
  return session?.user?.email ?? 'nobody'
}

test('T-FLOW-5: a connection that sends a thousand requests and reads no response gets a few', async () => {
  await using service = await testService()
  const greedy = connect(service.port, '127.0.0.1').pause()
  greedy.on('error', () => {})
  const one = `GET /auth/signin HTTP/1.1\r\nhost: localhost:${service.port}\r\n\r\n`
  greedy.write(one.repeat(1000))
  const requests = () => service.lines().filter(({ path }) => path === '/auth/signin')
  await expect.poll(() => requests().length).toBe(128)
  expect((await service.ask('/auth/session')).status).toBe(200)
  await sleep(200)
  expect(requests()).toHaveLength(128)
  greedy.destroy()
})
