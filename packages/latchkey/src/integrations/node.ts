import type { Latchkey } from '../index.ts'
import { answerNode } from './node-direct.ts'
import { answer, type NodeRequest, type NodeResponse } from './node-http.ts'

export { type Address, directAnswer, sendAnswer } from './node-direct.ts'
export {
  appendCookies,
  type NodeRequest,
  type NodeResponse,
  sendWebResponse,
  toWebRequest,
} from './node-http.ts'

/** How a listener answers. */
export interface ListenerOptions {
  /**
   * Whether what is asked for most, such as `GET session`, is answered without making a `Request` and a
   * `Response`. The answers are the same, in less time.
   *
   * @default true
   */
  readonly direct?: boolean
}

/**
 * A listener for Node.js's own server: `createServer(toNodeListener(latchkey))`. It answers whatever
 * it is given; send it what is below the base path.
 */
export function toNodeListener(
  latchkey: Pick<Latchkey, 'handler'>,
  { direct = true }: ListenerOptions = {},
): (request: NodeRequest & { readonly body?: unknown }, response: NodeResponse) => void {
  return (request, response) => {
    const answering = direct
      ? answerNode(latchkey, request, response)
      : answer(request, response, latchkey.handler, undefined, request.body)
    answering.catch((error: unknown) => fail(error, response))
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
