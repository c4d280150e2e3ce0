import { markMounted } from '../base/instance-notes.ts'
import type { Latchkey } from '../entries/index.ts'
import { answerNode } from './node-direct.ts'
import { answer, type NodeRequest, type NodeResponse } from './node-http.ts'

export type { DirectAnswer, PlainAnswer } from '../http/direct.ts'
export { type Address, directAnswer, sendAnswer } from './node-direct.ts'
export {
  appendCookies,
  type NodeRequest,
  type NodeResponse,
  sendWebResponse,
  toWebRequest,
} from './node-http.ts'

/** Options of `toNodeListener`. */
export interface ListenerOptions {
  /**
   * Whether the most frequent requests, for example `GET session`, are answered without a `Request` and a `Response`.
   * The answers are the same, in less time.
   *
   * @default true
   */
  readonly direct?: boolean
}

/**
 * A listener for the server of Node.js: `createServer(toNodeListener(latchkey))`. It handles all requests; pass it
 * those below the base path.
 */
export function toNodeListener(
  latchkey: Pick<Latchkey, 'handler'>,
  { direct = true }: ListenerOptions = {},
): (request: NodeRequest & { readonly body?: unknown }, response: NodeResponse) => void {
  markMounted(latchkey)
  return (request, response) => {
    const answering = direct
      ? answerNode(latchkey, request, response)
      : answer(request, response, latchkey.handler, undefined, request.body)
    answering.catch((error: unknown) => fail(error, response))
  }
}

/** Responds without details, which are only for the log. */
function fail(error: unknown, response: NodeResponse): void {
  const status = statusOf(error)
  if (status >= 500) console.error(error)
  if (response.headersSent) return void response.destroy()
  response.statusCode = status
  response.end()
}

/** Returns the status of an error. Errors of an HTTP client also have a `status`, of another response, or `null`. */
function statusOf(error: unknown): number {
  const status: unknown = error instanceof Error && 'status' in error ? error.status : 500
  return Number.isInteger(status) && Number(status) >= 400 && Number(status) < 600
    ? Number(status)
    : 500
}
