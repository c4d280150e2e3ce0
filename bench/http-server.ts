/** A contender of `http.ts`: its name and how many people are signed in are the arguments. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Auth as PeerAuth } from '@auth/core'
import { encode as peerEncode } from '@auth/core/jwt'
import { createLatchkey } from 'latchkey'
import { encode } from 'latchkey/jwt'
import { sendWebResponse, toNodeListener, toWebRequest } from 'latchkey/node'
import { ourConfig, peerConfig, secret } from './contenders.ts'

const [name = '', people = ''] = process.argv.slice(2)

const salt = 'authjs.session-token'
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
const server = createServer({ keepAliveTimeout: 0 }, listeners[name]?.()).listen(0, '127.0.0.1')
await once(server, 'listening')
process.send?.({ port: (server.address() as AddressInfo).port, cookies })
