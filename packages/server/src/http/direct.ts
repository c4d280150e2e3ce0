import type { ServerResponse } from 'node:http'
import type { Latchkey } from 'latchkey'
import { directAnswer } from 'latchkey/node'
import { usingStore } from '../store/store-use.ts'
import { type AppParts, actionOf, afterFailure, healthOf, isFailure } from './app.ts'
import type { Exchange } from './exchange.ts'
import { type NodeHandler, standingHeaders } from './listener.ts'

/** The parts of the application that direct answers need. */
type DirectParts = Pick<AppParts, 'basePath' | 'pluginRoutes' | 'draining' | 'store'> & {
  readonly latchkey: Pick<Latchkey, 'handler'>
}

type Answer = Awaited<NonNullable<ReturnType<typeof directAnswer>>>['answer']

/**
 * Returns a handler that answers health checks and the most frequent requests of the library without creating a
 * `Request` and a `Response`. The answers are the same as those of the application, which handles all other requests.
 */
export function createDirect({ latchkey, ...parts }: DirectParts): NodeHandler {
  const { basePath, pluginRoutes, store } = parts
  return async (request, response, exchange, place) => {
    const { path } = place
    if (request.method !== 'GET') return false
    const health = healthOf(path, exchange, parts)
    if (health) {
      await write(await health, response, exchange)
      return true
    }
    if (!path.startsWith(`${basePath}/`) || store.gone()) return false
    let answering: ReturnType<typeof directAnswer>
    const use = await usingStore(store.timeout, async () => {
      answering = directAnswer(latchkey, request, response, place)
      await answering
    })
    const result = await answering
    if (!result) return false
    exchange.outcome = actionOf(path, basePath, pluginRoutes)
    if (result.error !== undefined) exchange.error = result.error
    const { answer } = result
    const hasFailed = use.failed && isFailure(answer.status, exchange)
    await write(
      hasFailed
        ? await afterFailure(store, use, exchange, request.headers.accept, asResponse(answer))
        : answer,
      response,
      exchange,
    )
    return true
  }
}

/** Writes an answer with the standing headers. If the client has closed the connection, it writes nothing. */
async function write(answer: Answer, to: ServerResponse, exchange: Exchange): Promise<void> {
  const isWeb = answer instanceof Response
  const body = isWeb ? await bytesOf(answer) : answer.body
  if (to.destroyed) return
  const { status, headers } = answer
  const list = standingHeaders(exchange, (name) =>
    isWeb ? answer.headers.has(name) : name in headers,
  )
  if (isWeb) for (const pair of answer.headers) list.push(...pair)
  else {
    for (const name in answer.headers) list.push(name, answer.headers[name] ?? '')
    for (const cookie of answer.cookies) list.push('set-cookie', cookie)
  }
  if (body === null) return void to.writeHead(status, list).end()
  const length = Buffer.byteLength(body)
  list.push('content-length', String(length))
  // ASCII text has the same bytes in both encodings, and Node.js copies latin1 without a conversion.
  to.writeHead(status, list).end(body, length === body.length ? 'latin1' : 'utf8')
}

async function bytesOf(answer: Response): Promise<Buffer | null> {
  return answer.body && Buffer.from(await answer.arrayBuffer())
}

function asResponse(answer: Answer): Response {
  if (answer instanceof Response) return answer
  const { status, headers, cookies, body } = answer
  const response = new Response(body, { status, headers: { ...headers } })
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}
