import { connect, type Socket } from 'node:net'

/** An answer, as far as it is looked at. */
export interface Answer {
  readonly status: number
  /** Status line and headers. */
  readonly head: string
  readonly body: string
}

/** A request that somebody waits for. */
interface Waiting {
  readonly request: Buffer
  readonly done: (answer: Answer | undefined) => void
}

/** Connections to one instance. */
export interface Connections {
  /** Requests that wait for a connection. */
  readonly queued: number
  /** Sends a request as soon as a connection is free. @param done receives `undefined` if there is no answer */
  send(request: Buffer, done: (answer: Answer | undefined) => void): void
  close(): void
}

/** Opens connections when they are needed. @param most connections at the same time */
export function createConnections(port: number, most: number): Connections {
  const idle: Socket[] = []
  const queue: Waiting[] = []
  const open = new Map<Socket, Waiting | undefined>()
  let isClosed = false

  function begin(socket: Socket, waiting: Waiting): void {
    open.set(socket, waiting)
    socket.write(waiting.request)
  }

  function settle(socket: Socket, answer: Answer | undefined): void {
    const waiting = open.get(socket)
    const isReusable = answer !== undefined && !/^connection: close\r$/im.test(answer.head)
    if (isReusable) open.set(socket, undefined)
    else {
      open.delete(socket)
      const at = idle.indexOf(socket)
      if (at >= 0) idle.splice(at, 1)
      socket.destroy()
    }
    waiting?.done(answer)
    if (isClosed) return
    const next = queue.shift()
    if (!next) return void (isReusable && idle.push(socket))
    begin(isReusable ? socket : opened(), next)
  }

  function opened(): Socket {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let text = ''
    socket.setEncoding('latin1')
    socket.on('data', (piece: string) => {
      text += piece
      const answer = parse(text)
      if (!answer) return
      text = ''
      settle(socket, answer)
    })
    socket.on('error', () => {})
    socket.on('close', () => open.has(socket) && settle(socket, undefined))
    return socket
  }

  return {
    get queued() {
      return queue.length
    },
    send(request, done) {
      const waiting = { request, done }
      const socket = idle.pop() ?? (open.size < most ? opened() : undefined)
      if (socket) begin(socket, waiting)
      else queue.push(waiting)
    },
    close() {
      isClosed = true
      for (const { done } of queue.splice(0)) done(undefined)
      for (const socket of open.keys()) socket.destroy()
    },
  }
}

/** Returns an answer that is complete: with a length, in chunks, or without a body. */
export function parse(text: string): Answer | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = text.slice(0, end + 2)
  const rest = text.slice(end + 4)
  const status = Number(head.slice(9, 12))
  const length = /^content-length: (\d+)\r$/im.exec(head)?.[1]
  if (length !== undefined) {
    return rest.length < Number(length) ? undefined : { status, head, body: rest }
  }
  if (!/^transfer-encoding: chunked\r$/im.test(head)) return { status, head, body: '' }
  return rest === '0\r\n\r\n' || rest.endsWith('\r\n0\r\n\r\n')
    ? { status, head, body: rest }
    : undefined
}
