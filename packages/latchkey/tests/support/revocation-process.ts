// A process of a site whose sessions are sealed: `fork` it, and send it what it needs. It reads sessions all the time, ends
// those that it is told to, and says when it let whom in, by the clock that all processes of a machine share.
import { once } from 'node:events'
import process from 'node:process'
import pg from 'pg'
import { createClient } from 'redis'
import { fromNodeRedis, redisAdapter } from '../../src/adapters/redis/index.ts'
import { redisPush } from '../../src/adapters/redis/push.ts'
import { sqlAdapter } from '../../src/adapters/sql/index.ts'
import { pgStore } from '../../src/adapters/sql/pg.ts'
import { postgresPush } from '../../src/adapters/sql/push.ts'
import { createLatchkey } from '../../src/entries/index.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'

/** What a process is told. */
export interface RevocationProcess {
  readonly store:
    | { readonly postgres: string }
    | { readonly redis: string; readonly prefix: string }
  readonly secret: string
  /** Milliseconds. */
  readonly bound: number
  readonly pushes: boolean
  /** Of each session, and its name. */
  readonly sessions: readonly {
    readonly cookie: string
    readonly sid: string
    readonly userId: string
  }[]
}

/** What it says: who was let in when, and who was ended when; milliseconds. */
export interface RevocationReport {
  readonly accepted: readonly (readonly [session: number, at: number])[]
  readonly ended: readonly (readonly [session: number, at: number])[]
  readonly unreadable: number
}

const [told] = (await once(process, 'message')) as [RevocationProcess]

async function open() {
  if ('postgres' in told.store) {
    const pool = new pg.Pool({ connectionString: told.store.postgres, max: 4 })
    return { adapter: sqlAdapter(pgStore(pool), { records: true }), push: postgresPush(pool) }
  }
  const { redis, prefix } = told.store
  const client = await createClient({ url: redis }).connect()
  return {
    adapter: redisAdapter(fromNodeRedis(client), { prefix }),
    push: redisPush(client, { prefix }),
  }
}

const { adapter, push } = await open()
const latchkey = createLatchkey(
  {
    adapter,
    providers: [],
    secret: told.secret,
    trustHost: true,
    session: { strategy: 'jwt' },
    logger: { error() {}, warn() {}, debug() {} },
    plugins: [
      sessions({
        touch: 0,
        device: false,
        revocations: { bound: told.bound, ...(told.pushes && { push }) },
      }),
    ],
  },
  {},
)

const now = (): number => Number(process.hrtime.bigint()) / 1e6
let report: { accepted: [number, number][]; ended: [number, number][]; unreadable: number }
const begin = (): void => {
  report = { accepted: [], ended: [], unreadable: 0 }
}
begin()

async function read(index: number): Promise<void> {
  const headers = { cookie: told.sessions[index]?.cookie ?? '' }
  const found = await latchkey.auth.result(new Request('https://app.example/', { headers }))
  if (found.status === 'authenticated') report.accepted.push([index, now()])
  else if (found.status === 'unavailable') report.unreadable++
}

async function end(index: number): Promise<void> {
  const { sid = '', userId = '' } = told.sessions[index] ?? {}
  try {
    if (await latchkey.api.sessions.end({ userId, id: sid })) report.ended.push([index, now()])
  } catch {
    // It failed, and nothing was promised.
  }
}

process.on('message', (index: number) => void end(index))

setInterval(() => {
  process.send?.(report)
  begin()
}, 50)
process.send?.('ready')
for (;;) {
  const many = told.sessions.length
  await Promise.all([1, 2, 3, 4].map(() => read(Math.floor(Math.random() * many))))
  await new Promise((resolve) => setTimeout(resolve, 10))
}
