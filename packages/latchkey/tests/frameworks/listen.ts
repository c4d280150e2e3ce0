import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Running } from './cases.ts'

export function listen(
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<Running> {
  const server = createServer((request, response) => void listener(request, response))
  return new Promise((resolve) =>
    server.listen(0, () => {
      const { port } = server.address() as AddressInfo
      resolve({
        origin: `http://localhost:${port}`,
        close: () => {
          server.closeAllConnections()
          return new Promise((done) => server.close(done))
        },
      })
    }),
  )
}
