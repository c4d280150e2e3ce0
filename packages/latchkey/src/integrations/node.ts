import type { Latchkey } from '../index.ts'
import { answer, type NodeRequest, type NodeResponse } from './node-http.ts'

export {
  appendCookies,
  type NodeRequest,
  type NodeResponse,
  sendWebResponse,
  toWebRequest,
} from './node-http.ts'

/**
 * A listener for Node.js's own server: `createServer(toNodeListener(latchkey))`. It answers whatever
 * it is given; send it what is below the base path.
 */
export function toNodeListener(
  latchkey: Pick<Latchkey, 'handler'>,
): (request: NodeRequest & { readonly body?: unknown }, response: NodeResponse) => void {
  return (request, response) => {
    answer(request, response, latchkey.handler, undefined, request.body).catch((error: unknown) =>
      fail(error, response),
    )
  }
}

/** The details are for the log, not for who asked. */
function fail(error: unknown, response: NodeResponse): void {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500
  if (status === 500) console.error(error)
  if (response.headersSent) return void response.destroy()
  response.statusCode = status
  response.end()
}
