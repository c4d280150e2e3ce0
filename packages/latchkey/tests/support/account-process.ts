// A process of a site with accounts: `fork` it, and send it an `AccountProcess`. It then does what it is told, many requests at
// once, beside other processes with the same store, and says what they were answered and which mails it sent.
import { once } from 'node:events'
import process from 'node:process'
import { createPool } from 'mysql2/promise'
import pg from 'pg'
import { createClient } from 'redis'
import { fromNodeRedis, redisAdapter } from '../../src/adapters/redis/index.ts'
import { mariadb, sqlAdapter } from '../../src/adapters/sql/index.ts'
import { mysql2Store } from '../../src/adapters/sql/mysql2.ts'
import { openNodeSqlite } from '../../src/adapters/sql/node-sqlite.ts'
import { pgStore } from '../../src/adapters/sql/pg.ts'
import { createLatchkey } from '../../src/entries/index.ts'
import type { Adapter } from '../../src/model/adapter.ts'
import type { SendMailParams } from '../../src/options/provider-options.ts'
import { emailCode } from '../../src/plugins/email-code/index.ts'
import { proofOfWork } from '../../src/plugins/limits/challenge/proof-of-work.ts'
import { limits } from '../../src/plugins/limits/index.ts'
import { passwords } from '../../src/plugins/passwords/index.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'
import { usernames } from '../../src/plugins/usernames/index.ts'

/** What a process is told first. */
export interface AccountProcess {
  readonly store:
    | { readonly sqlite: string }
    | { readonly postgres: string }
    | { readonly mariadb: string }
    | { readonly redis: string; readonly prefix: string }
  readonly secret: string
  /** KiB for the hash of a password. */
  readonly memory: number
}

/** One request of a page, with what is in its browser. */
export interface Asked {
  readonly method: 'GET' | 'POST'
  /** Below the base path. */
  readonly path: string
  readonly fields?: object
  readonly cookie: string
}

/** Requests that a process begins at once. */
export interface AskedAtOnce {
  readonly id: number
  /** When to begin, by the clock that all processes of a machine share, in milliseconds. */
  readonly at: number
  readonly asked: readonly Asked[]
}

/** What they were answered. */
export interface AnsweredAtOnce {
  readonly id: number
  readonly answers: readonly AnswerOf[]
  readonly mails: readonly { readonly to: string; readonly text: string }[]
}

export interface AnswerOf {
  readonly status: number
  readonly cookies: readonly string[]
  readonly body: Readonly<Record<string, unknown>> | null
}

const [told] = (await once(process, 'message')) as [AccountProcess]

async function open(): Promise<Adapter> {
  const { store } = told
  const records = { records: true }
  if ('sqlite' in store) return sqlAdapter(openNodeSqlite(store.sqlite), records)
  if ('postgres' in store) {
    const pool = new pg.Pool({ connectionString: store.postgres, max: 8 })
    return sqlAdapter(pgStore(pool), records)
  }
  if ('mariadb' in store)
    return sqlAdapter(
      mysql2Store(createPool({ uri: store.mariadb, connectionLimit: 8 }), mariadb),
      records,
    )
  const client = await createClient({ url: store.redis }).connect()
  return redisAdapter(fromNodeRedis(client), { prefix: store.prefix })
}

const mails: { to: string; text: string }[] = []
const latchkey = createLatchkey(
  {
    adapter: await open(),
    secret: told.secret,
    trustHost: true,
    session: { strategy: 'jwt' },
    logger: { error() {}, warn() {}, debug() {} },
    providers: [
      {
        id: 'post',
        name: 'Post',
        type: 'email',
        maxAge: 600,
        options: {},
        sendVerificationRequest() {},
        sendMail: ({ mail }: SendMailParams) => void mails.push({ to: mail.to, text: mail.text }),
      },
    ],
    plugins: [
      sessions(),
      limits({
        client: { hops: 1 },
        challenge: proofOfWork({ cost: 1, range: [1, 5] }),
        challengeWhen: 'never',
        hooks: {
          decide: ({ identifier = '' }) =>
            identifier.startsWith('puzzle') ? 'challenge' : undefined,
        },
        rules: {
          'password.sign-in': [{ by: 'identifier', limit: 10, window: 900, unknownDevices: true }],
          // What is tried here does not end at the limits of the others. Only what is counted may need a challenge.
          'password.sign-up': false,
          'password.forgot': [{ by: 'identifier', limit: 1000, window: 900 }],
          'password.resend': false,
          'password.verify': false,
          'password.verify-code': false,
          'password.reset': false,
          'password.change': false,
          'email-code.send': false,
          'email-code.verify': false,
          post: false,
        },
      }),
      passwords({
        hash: { memory: told.memory, passes: 5 },
        hashing: { patience: 60, queue: 1000 },
      }),
      emailCode(),
      usernames(),
    ],
  },
  {},
)

async function answer({ method, path, fields, cookie }: Asked): Promise<AnswerOf> {
  const response = await latchkey.handler(
    new Request(`https://app.example/auth/${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'sec-fetch-site': 'same-origin',
        'x-forwarded-for': '203.0.113.7',
        cookie,
      },
      ...(method === 'POST' && { body: JSON.stringify(fields ?? {}) }),
    }),
  )
  const text = await response.text()
  let body: AnswerOf['body'] = null
  try {
    body = JSON.parse(text) as AnswerOf['body']
  } catch {
    // A redirect, or no content.
  }
  return { status: response.status, cookies: response.headers.getSetCookie(), body }
}

async function answerAll({ id, at, asked }: AskedAtOnce): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, at - Date.now())))
  const answers = await Promise.all(asked.map(answer))
  process.send?.({ id, answers, mails: mails.splice(0) } satisfies AnsweredAtOnce)
}

process.on('message', (all: AskedAtOnce) => void answerAll(all))
process.send?.('ready')
