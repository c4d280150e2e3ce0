import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { type RunningService, serve } from '../../src/serve.ts'
import { loadSettings } from '../../src/settings.ts'
import { temporaryDirectory } from './temporary.ts'

/** A service in this process, in a directory of its own. */
export interface TestService extends RunningService {
  readonly directory: string
  /** Every line of its log so far. */
  lines(): Record<string, unknown>[]
  /** The whole log as it was written. */
  text(): string
  /** Sends exactly these headers, unlike `fetch`. */
  ask(target: string, options?: AskOptions): Promise<Answer>
  [Symbol.asyncDispose](): Promise<void>
}

export interface AskOptions {
  readonly method?: string
  readonly headers?: Record<string, string | string[]>
  readonly body?: string
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Starts a service on a free port. */
export async function testService(env: Record<string, string> = {}): Promise<TestService> {
  const directory = temporaryDirectory()
  const written: string[] = []
  const all = {
    LOG_FORMAT: 'json',
    LOG_LEVEL: 'debug',
    PORT: '0',
    HOST: '127.0.0.1',
    // Nobody is left at the end of a test.
    LATCHKEY_DRAIN_TIMEOUT: '0',
    ...env,
  }
  try {
    const settings = await loadSettings({ flags: {}, env: all, directory: directory.path })
    const stream = { write: (line: string) => void written.push(line) }
    const service = await serve(settings, { env: all, directory: directory.path, stream })
    return {
      ...service,
      directory: directory.path,
      text: () => written.join(''),
      lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>),
      ask: (target, options) => ask(service.port, target, options),
      async [Symbol.asyncDispose]() {
        await service.drain()
        directory[Symbol.dispose]()
      },
    }
  } catch (error) {
    directory[Symbol.dispose]()
    throw error
  }
}

function ask(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: AskOptions = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, path, method, headers, agent: false },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        )
        response.on('error', reject)
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}
