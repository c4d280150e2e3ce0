/** A contender of `http.ts`: its name and how many people are signed in are the arguments. */
import { once } from 'node:events'
import { mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { Auth as PeerAuth } from '@auth/core'
import { encode as peerEncode } from '@auth/core/jwt'
import { createLatchkey } from 'latchkey'
import { encode } from 'latchkey/jwt'
import { sendWebResponse, toNodeListener, toWebRequest } from 'latchkey/node'
import type * as Serve from '../packages/server/src/serve.ts'
import type * as SettingsModule from '../packages/server/src/settings.ts'
import { secret as configured, ourConfig, peerConfig } from './contenders.ts'

const [name = '', people = ''] = process.argv.slice(2)

const salt = 'authjs.session-token'
/** What the service has off, by the name of its contender. */
const services: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  service: {},
  'service without log': { LOG_LEVEL: 'silent' },
  'service without sessions': { LATCHKEY_SESSIONS: 'false' },
  'service without plugins': {
    LATCHKEY_SESSIONS: 'false',
    LATCHKEY_LIMITS: 'false',
    LATCHKEY_PROVIDER_TOKENS: 'false',
    LATCHKEY_FEDERATED_LOGOUT: 'off',
  },
}
/** In production the service takes none that could be guessed. */
const secret = name in services ? 'mNq3vT9xB4nL8sW1cR6yH3jF5pD0gZaEuVtXkMbNqJw' : configured
const token = (person: number): Record<string, string> => ({
  sub: `person-${person}`,
  name: `Person ${person}`,
  email: `person${person}@example.com`,
})

/** The glue that both libraries have where nothing is direct. */
function throughWeb(respond: (request: Request) => Promise<Response>): RequestListener {
  return (request, response) =>
    void respond(toWebRequest(request)).then((answer) => sendWebResponse(answer, response))
}

/** Answers with the same bytes, and does nothing else. */
function bare(): RequestListener {
  const expires = new Date(Date.now() + 30 * 24 * 3600 * 1000).toISOString()
  const bodies = new Map(
    cookies.map((cookie, person) => {
      const { name, email } = token(person)
      return [cookie, JSON.stringify({ user: { name, email }, expires })]
    }),
  )
  return ({ headers }, response) => {
    const body = bodies.get(headers.cookie ?? '') ?? ''
    response.writeHead(200, [
      'cache-control',
      'private, no-cache, no-store',
      'content-type',
      'application/json',
      'pragma',
      'no-cache',
      'content-length',
      String(Buffer.byteLength(body)),
    ])
    response.end(body)
  }
}

const listeners: Readonly<Record<string, () => RequestListener>> = {
  direct: () => toNodeListener(createLatchkey(ourConfig(), {})),
  web: () => toNodeListener(createLatchkey(ourConfig(), {}), { direct: false }),
  peer: () => {
    const config = peerConfig()
    return throughWeb((request) => PeerAuth(request, config))
  },
  bare,
}

/** Each library reads what it sealed itself. */
const seal = name === 'peer' ? peerEncode : encode
const cookies = await Promise.all(
  Array.from({ length: Number(people) }, async (_, person) => {
    return `${salt}=${await seal({ token: token(person), secret, salt })}`
  }),
)
/** The built service, in production, with its access log in a file and its defaults for all else but what its contender has off. @returns its port */
async function startService(): Promise<number> {
  const load = (name: string): Promise<unknown> =>
    import(new URL(`../packages/server/dist/${name}.js`, import.meta.url).href)
  const { serve } = (await load('serve')) as typeof Serve
  const { loadSettings } = (await load('settings')) as typeof SettingsModule
  const directory = mkdtempSync(join(tmpdir(), 'latchkey-http-'))
  process.once('SIGTERM', () => {
    rmSync(directory, { recursive: true })
    process.exit()
  })
  const env = {
    NODE_ENV: 'production',
    AUTH_SECRET: secret,
    AUTH_URL: 'http://localhost',
    HOST: '127.0.0.1',
    PORT: '0',
    LATCHKEY_SESSION_STRATEGY: 'jwt',
    AUTH_PROVIDERS: 'github',
    AUTH_GITHUB_ID: 'id',
    AUTH_GITHUB_SECRET: 'secret',
    ...services[name],
  }
  const file = openSync(join(directory, 'log'), 'w')
  const stream = { write: (line: string) => void writeSync(file, line) }
  const settings = await loadSettings({ flags: {}, env, directory })
  return (await serve(settings, { env, directory, stream })).port
}

async function startServer(listener: RequestListener | undefined): Promise<number> {
  const server = createServer({ keepAliveTimeout: 0 }, listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const port = name in services ? await startService() : await startServer(listeners[name]?.())
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ bytes: getHeapStatistics().total_allocated_bytes, microseconds: user + system })
})
process.send?.({ port, cookies })
