import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Sends `100 Continue` (RFC 9110 section 10.1.1) when the body is first read. For a request that is refused without
 * reading the body it sends nothing, so the client does not send the body.
 */
export function continueLate(request: IncomingMessage, response: ServerResponse): void {
  const read = request._read.bind(request)
  request._read = (size) => {
    request._read = read
    // After the answer, Node.js reads the rest of the request only to discard it.
    if (!response.headersSent && !response.destroyed) response.writeContinue()
    read(size)
  }
}

/** Returns a body that starts to read its source only when it is read itself. */
export function lazyBody(request: Request): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        reader ??= request.body?.getReader()
        const { done, value } = (await reader?.read()) ?? { done: true }
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader?.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
