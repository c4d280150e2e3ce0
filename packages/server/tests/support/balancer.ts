import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'

/** One address for several instances of a service. */
export interface Balancer extends AsyncDisposable {
  readonly origin: string
  /** Where requests go, in turn. One that cannot be reached is passed over. */
  targets: string[]
  /** How many requests each target answered, by its origin. */
  readonly answered: Map<string, number>
  /** How many requests broke off at a target, by its origin. */
  readonly broken: Map<string, number>
}

/** A proxy that sends each request to the next instance. A request that breaks off is a 502. */
export async function balancer(): Promise<Balancer> {
  let turn = 0
  const answered = new Map<string, number>()
  const broken = new Map<string, number>()
  const breaksOff = (target: string): void => {
    broken.set(target, (broken.get(target) ?? 0) + 1)
  }
  const self = { targets: [] as string[] }
  const server = createServer((request, response) => {
    const body: Buffer[] = []
    const first = turn++
    const send = (attempt: number): void => {
      const target = self.targets[(first + attempt) % self.targets.length]
      if (target === undefined || attempt >= self.targets.length) {
        response.writeHead(502).end()
        return
      }
      const { method, url, headers } = request
      const onward = httpRequest(`${target}${url}`, { method, headers, agent: false }, (answer) => {
        answered.set(target, (answered.get(target) ?? 0) + 1)
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
        answer.pipe(response)
        answer.on('error', () => {
          breaksOff(target)
          response.destroy()
        })
      })
      onward.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED') return send(attempt + 1)
        breaksOff(target)
        if (response.headersSent) response.destroy()
        else response.writeHead(502).end()
      })
      onward.end(Buffer.concat(body))
    }
    request.on('data', (chunk: Buffer) => body.push(chunk)).on('end', () => send(0))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return Object.assign(self, {
    origin: `http://127.0.0.1:${port}`,
    answered,
    broken,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}
