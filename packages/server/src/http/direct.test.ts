import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { createLatchkey } from 'latchkey'
import { memoryAdapter } from 'latchkey/adapters/memory'
import { encode } from 'latchkey/jwt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../observe/log.ts'
import { guarded } from '../store/store-use.ts'
import { createApp } from './app.ts'
import { createDirect } from './direct.ts'
import { createListener } from './listener.ts'
import { trustedOrigin } from './origin.ts'

const SECRET = 'a secret of these tests, 0123456789abcdef'

/** When the stored session ends, on both sites. */
const EXPIRES = new Date(Date.now() + 29.9 * 24 * 3600 * 1000)

/** What is wrong with the store while a request is answered. */
type Fault = 'fails' | 'gone' | undefined

interface Site {
  readonly server: Server
  readonly lines: string[]
  fault: Fault
  readonly fill: () => Promise<void>
}

function siteOf(strategy: 'jwt' | 'database', isDirect: boolean): Site {
  const lines: string[] = []
  const stream = { write: (line: string): unknown => lines.push(line) }
  const log = createLog({ level: 'info', format: 'json', secrets: new Set(), stream })
  const store = memoryAdapter()
  const adapter = guarded({
    ...store,
    getSessionAndUser(token) {
      if (site.fault === 'fails') throw new Error('connect ECONNREFUSED')
      return store.getSessionAndUser?.(token) ?? null
    },
  })
  const auth = createLatchkey(
    {
      secret: SECRET,
      basePath: '/auth',
      providers: [],
      trustHost: true,
      logger: { error() {}, warn() {}, debug() {} },
      session: { strategy },
      ...(strategy === 'database' && { adapter }),
    },
    {},
  )
  const parts = {
    basePath: '/auth',
    draining: () => site.fault === 'gone',
    store: { gone: () => site.fault === 'gone', problem: () => undefined, timeout: 1 },
  }
  const app = createApp({ ...parts, bodyLimit: 1024, log, handler: (asked) => auth.result(asked) })
  const listener = createListener(
    {
      originOf: trustedOrigin(['app.example', 'other.example']),
      fetch: (request, exchange) => app.fetch(request, { exchange }),
      node: isDirect ? [createDirect({ ...parts, latchkey: auth })] : [],
    },
    log,
  )
  const site: Site = {
    server: createServer(listener),
    lines,
    fault: undefined,
    async fill() {
      const user = await store.createUser?.({
        id: 'u1',
        email: 'ada@example.com',
        emailVerified: null,
      })
      const userId = user?.id ?? ''
      await store.createSession?.({ sessionToken: 'live-session', userId, expires: EXPIRES })
    },
  }
  return site
}

/** Sends requests through one connection, and returns their answers. */
async function exchange({ server }: Site, heads: readonly string[]): Promise<object[]> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const all = heads.map((head) => `${head}\r\n`).join('')
  socket.write(`${all.slice(0, -2)}connection: close\r\n\r\n`, 'latin1')
  let text = ''
  for await (const piece of socket.setEncoding('latin1')) text += String(piece)
  return text.split(/(?=HTTP\/1\.1 \d{3} )/).map(answerOf)
}

function answerOf(text: string): object {
  const end = text.indexOf('\r\n\r\n')
  const [status, ...lines] = text.slice(0, end).split('\r\n')
  const headers = lines
    .map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase()))
    .filter((line) => !/^(?:date|connection|keep-alive|x-request-id):/.test(line))
    // A new token is another one each time, and a session is extended at another moment.
    .map((line) => line.replace(/(csrf-token=)[^;]+/, '$1…'))
  return {
    status,
    headers: headers.toSorted(),
    body: text.slice(end + 4).replace(/"\w{64}"/g, '…'),
  }
}

const told = (line: string): object => {
  const { id: _id, ms: _ms, time: _time, ...rest } = JSON.parse(line) as Record<string, unknown>
  return rest
}

describe.each(['jwt', 'database'] as const)('HP-3: with %s sessions', (strategy) => {
  const sites = [siteOf(strategy, true), siteOf(strategy, false)] as const
  let cookies: string[] = []

  beforeAll(async () => {
    for (const { server, fill } of sites) {
      await once(server.listen(0, '127.0.0.1'), 'listening')
      await fill()
    }
    const name = 'authjs.session-token'
    const token = await encode({
      token: { sub: 'u1', name: 'Ada' },
      secret: SECRET,
      salt: name,
    })
    const sealed = strategy === 'jwt' ? token : 'live-session'
    cookies = ['', `${name}=${sealed}`, `${name}=nonsense`, `a=b; ${name}=${sealed}; c="d"`]
  })

  afterAll(() => {
    for (const { server } of sites) server.close()
  })

  const paths = [
    '/auth/session',
    '/auth/session?a=b',
    '/auth/csrf',
    '/auth/providers',
    '/auth/signin',
    '/auth/signout?callbackUrl=/in',
    '/auth/error?error=AccessDenied',
    '/auth/verify-request',
    '/auth/signin/session',
    '/auth//session',
    '/auth/callback/x',
    '/auth/made-up',
    '/auth/jwks',
    '/healthz',
    '/readyz',
    '/readyz?x',
    '/',
    '/favicon.ico',
    '/auth/./session',
    '/session',
    'http://evil.example/auth/session',
  ]
  const heads = [
    'host: app.example\r\n',
    'host: OTHER.example\r\naccept: text/html\r\n',
    'host: app.example\r\nx-forwarded-proto: https\r\nx-forwarded-for: 192.0.2.1\r\n',
    'host: app.example\r\nx-forwarded-host: other.example\r\nforwarded: host=x\r\n',
    'host: evil.example\r\n',
    'host: app.example\r\nx-auth-return-redirect: 1\r\n',
  ]

  test.each<Fault>([undefined, 'fails', 'gone'])(
    'both ways of a read return the same; the store: %s',
    async (fault) => {
      for (const site of sites) site.fault = fault
      for (const method of ['GET', 'HEAD', 'OPTIONS'])
        for (const path of paths) {
          const sent = heads.flatMap((head) =>
            cookies.map((cookie) => {
              const line = cookie === '' ? '' : `cookie: ${cookie}\r\n`
              return `${method} ${path} HTTP/1.1\r\n${head}${line}`
            }),
          )
          const [direct, web] = await Promise.all(sites.map((site) => exchange(site, sent)))
          expect(direct).toHaveLength(sent.length)
          for (const [at, head] of sent.entries())
            expect({ head, answer: direct?.[at] }).toEqual({ head, answer: web?.[at] })
        }
      const [direct, web] = sites.map(({ lines }) => lines.splice(0).map(told))
      expect(direct?.length).toBeGreaterThan(100)
      expect(direct).toEqual(web)
    },
  )
})
