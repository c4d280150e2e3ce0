import { connect } from 'node:net'

/** A server that tests need, and which files do. */
interface TestServer {
  readonly name: string
  readonly variable: string
  readonly url: string
  readonly files: readonly string[]
}

const { env } = process

const servers: readonly TestServer[] = [
  {
    name: 'PostgreSQL',
    variable: 'TEST_POSTGRES_URL',
    url: env['TEST_POSTGRES_URL'] ?? 'postgres://127.0.0.1:5432',
    files: [
      'packages/server/tests/{databases,instances}.test.ts',
      'packages/latchkey/src/adapters/{drizzle,split}/**/*.test.ts',
      'packages/latchkey/src/plugins/sessions/tests/plugin.test.ts',
      'packages/latchkey/src/plugins/{email-code,two-factor,usernames}/tests/races.test.ts',
      'interop/**/*.test.ts',
    ],
  },
  {
    name: 'MariaDB',
    variable: 'TEST_MYSQL_URL',
    url: env['TEST_MYSQL_URL'] ?? 'mysql://127.0.0.1:3306',
    files: [
      'packages/server/tests/databases.test.ts',
      'packages/latchkey/src/adapters/drizzle/**/*.test.ts',
      'packages/latchkey/src/plugins/{email-code,two-factor,usernames}/tests/races.test.ts',
    ],
  },
  {
    name: 'Redis',
    variable: 'TEST_REDIS_URL',
    url: env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379',
    files: [
      'packages/server/tests/{databases,instances}.test.ts',
      'packages/latchkey/src/adapters/{redis,split}/**/*.test.ts',
      'packages/latchkey/src/plugins/sessions/tests/plugin.test.ts',
      'packages/latchkey/src/plugins/{email-code,two-factor,usernames}/tests/races.test.ts',
      'interop/auth-js/**/*.test.ts',
    ],
  },
]

/** Files of tests whose server does not answer, each said in a line. Where `CI` is set, all must run. */
export async function filesWithoutServer(): Promise<string[]> {
  if (env['CI']) return []
  const left = await Promise.all(
    servers.map(async ({ name, variable, url, files }) => {
      if (await answers(new URL(url))) return []
      console.log(
        `skipped: ${name} does not answer at ${variable} or its default, so ${files.join(', ')}`,
      )
      return files
    }),
  )
  return left.flat()
}

const PORTS: Readonly<Record<string, number>> = {
  'postgres:': 5432,
  'mysql:': 3306,
  'redis:': 6379,
}

function answers({ hostname, port, protocol }: URL): Promise<boolean> {
  const socket = connect(Number(port) || (PORTS[protocol] ?? 0), hostname)
  return new Promise((resolve) => {
    socket.setTimeout(2000, () => resolve(false))
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
  }).finally(() => socket.destroy()) as Promise<boolean>
}
