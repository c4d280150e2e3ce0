import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { connect } from './libsql.ts'

test('a silent server is waited for no longer than the limit', async () => {
  await using silent = await listening(createServer(() => {}))
  await expect(connect(silent.url, { pool: 2, timeout: 0.2 })).rejects.toThrow(/timeout|aborted/i)
})

async function listening(server: Server): Promise<{ url: URL } & AsyncDisposable> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
