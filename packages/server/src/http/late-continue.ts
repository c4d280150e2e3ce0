import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Sends `100 Continue` (RFC 9110 section 10.1.1) when the body is first read, and never for a request that is
 * refused without reading it: its client does not send a body that nobody wants.
 */
export function continueLate(request: IncomingMessage, response: ServerResponse): void {
  const read = request._read.bind(request)
  request._read = (size) => {
    request._read = read
    // The rest of a request that has been answered is read to be thrown away.
    if (!response.headersSent && !response.destroyed) response.writeContinue()
    read(size)
  }
}

/** Returns a body that is not asked for anything before somebody reads it. */
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
