import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import type { Challenge } from 'altcha-lib/types'
import { createPool } from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mariadb, migrate } from '../../src/adapters/sql/index.ts'
import { mysql2Store } from '../../src/adapters/sql/mysql2.ts'
import { openNodeSqlite } from '../../src/adapters/sql/node-sqlite.ts'
import { pgStore } from '../../src/adapters/sql/pg.ts'
import type {
  AccountProcess,
  AnsweredAtOnce,
  AnswerOf,
  Asked,
  AskedAtOnce,
} from '../support/account-process.ts'
import { GOOD, OTHER } from '../support/passwords-site.ts'
import { connectRedis, redisUrl, removeKeys } from '../support/redis.ts'
import { mysqlDatabase, postgresDatabase } from './sql/databases.ts'

// Hashing takes its time on a machine with much to do.

const PARALLEL = 50
/** Milliseconds until all processes begin at once. */
const LEAD = 30

interface OpenStore {
  readonly store: AccountProcess['store']
  close(): Promise<void>
}

/** Empty stores that several processes share. */
const stores: Readonly<Record<string, () => Promise<OpenStore>>> = {
  async SQLite() {
    const directory = await mkdtemp(join(tmpdir(), 'latchkey-processes-'))
    const sqlite = join(directory, 'accounts.db')
    const database = openNodeSqlite(sqlite)
    await migrate(database, { records: true })
    return {
      store: { sqlite },
      close: () => rm(directory, { recursive: true }),
    }
  },
  async PostgreSQL() {
    const database = await postgresDatabase()
    if (!database) throw new Error('PostgreSQL does not answer')
    const pool = new pg.Pool({ connectionString: database.url })
    await migrate(pgStore(pool), { records: true })
    await pool.end()
    return { store: { postgres: database.url }, close: () => database.drop() }
  },
  async MariaDB() {
    const database = await mysqlDatabase()
    if (!database) throw new Error('MariaDB does not answer')
    const pool = createPool({ uri: database.url })
    await migrate(mysql2Store(pool, mariadb), { records: true })
    await pool.end()
    return { store: { mariadb: database.url }, close: () => database.drop() }
  },
  async Redis() {
    const prefix = `processes-${randomUUID()}:`
    return {
      store: { redis: redisUrl, prefix },
      async close() {
        const client = await connectRedis()
        await removeKeys(client, prefix)
        await client.close()
      },
    }
  },
}

/** A browser that asks two processes of one site, as a load balancer does. */
class Browser {
  readonly jar: Map<string, string> = new Map()
  readonly pair: Processes
  constructor(pair: Processes) {
    this.pair = pair
  }

  asks(path: string, fields?: object): Asked {
    const cookie = [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    return { method: fields ? 'POST' : 'GET', path, ...(fields && { fields }), cookie }
  }

  /** Asks one process, and keeps its cookies. */
  async ask(path: string, fields?: object): Promise<AnswerOf> {
    const [answer] = await this.pair.all([this.asks(path, fields)])
    if (!answer) throw new Error('no answer')
    for (const cookie of answer.cookies) {
      const [pair = ''] = cookie.split(';')
      const at = pair.indexOf('=')
      if (/max-age=0\b|1970/i.test(cookie)) this.jar.delete(pair.slice(0, at))
      else this.jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return answer
  }
}

/** Two processes with one store. */
class Processes {
  readonly mails: { readonly to: string; readonly text: string }[] = []
  private readonly children: readonly ChildProcess[]
  private turns = 0
  constructor(children: readonly ChildProcess[]) {
    this.children = children
  }

  static async start(store: AccountProcess['store']): Promise<Processes> {
    const secret = randomBytes(32).toString('base64url')
    const children = await Promise.all(
      // The second one hashes harder, so that its sign-ins replace the hashes of the first one.
      [7168, 8192].map(async (memory) => {
        const script = new URL('../support/account-process.ts', import.meta.url)
        const child = fork(script, [], { execArgv: ['--conditions=source', '--no-warnings'] })
        child.send({ store, secret, memory } satisfies AccountProcess)
        const first = await Promise.race([once(child, 'message'), once(child, 'exit')])
        if (first[0] !== 'ready') throw new Error('the process did not start')
        return child
      }),
    )
    return new Processes(children)
  }

  /** Asks all at once, in turns in each process. The answers are in the order of the questions. */
  async all(asked: readonly Asked[]): Promise<readonly AnswerOf[]> {
    const first = this.turns++
    const share = (child: number): number[] =>
      asked.flatMap((_, at) => ((at + first) % this.children.length === child ? [at] : []))
    const answers: AnswerOf[] = []
    const at = Date.now() + (asked.length > 1 ? LEAD : 0)
    await Promise.all(
      this.children.map(async (child, index) => {
        const own = share(index)
        if (own.length === 0) return
        const id = Math.random()
        const answered = new Promise<AnsweredAtOnce>((resolve) => {
          const take = (message: AnsweredAtOnce): void => {
            if (message.id !== id) return
            child.off('message', take)
            resolve(message)
          }
          child.on('message', take)
        })
        const sent: AskedAtOnce = { id, at, asked: own.map((each) => asked[each] as Asked) }
        child.send(sent)
        const { answers: got, mails } = await answered
        got.forEach((answer, each) => {
          answers[own[each] ?? 0] = answer
        })
        this.mails.push(...mails)
      }),
    )
    return answers
  }

  /** Waits for a mail to an address that matches, the newest one first. Mails may be sent after the answer. */
  async mailed(to: string, pattern: RegExp): Promise<RegExpExecArray> {
    for (let waits = 0; waits < 3000; waits++) {
      for (const { text, ...mail } of this.mails.toReversed()) {
        const found = mail.to === to ? pattern.exec(text) : null
        if (found) return found
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
      const idle = { method: 'GET', path: 'password/rules', cookie: '' } as const
      await this.all([idle, idle])
    }
    throw new Error(`no mail to ${to} matches`)
  }

  stop(): void {
    for (const child of this.children) child.kill('SIGKILL')
  }
}

const CODE = /\b\d{6}\b/
const RESET = /password\/reset\?token=([\w-]+)/
const statusesOf = (answers: readonly AnswerOf[]): number[] => answers.map(({ status }) => status)
const countOf = (statuses: readonly number[], wanted: number): number =>
  statuses.filter((status) => status === wanted).length

describe.each(Object.keys(stores))('12.1: two processes of Node.js on one %s', (name) => {
  let opened: OpenStore
  let both: Processes
  let people = 0

  beforeAll(async () => {
    opened = await (stores[name] as () => Promise<OpenStore>)()
    both = await Processes.start(opened.store)
  })
  afterAll(async () => {
    both?.stop()
    await opened?.close()
  })

  const someone = (): string => `person-${++people}@example.com`
  const browser = (): Browser => new Browser(both)

  async function signUp(email: string): Promise<Browser> {
    const own = browser()
    await own.ask('password/sign-up', { email, password: GOOD })
    const [code] = await both.mailed(email, CODE)
    expect((await own.ask('password/verify', { code })).status).toBe(200)
    return own
  }

  const signsIn = async (identifier: string, password: string): Promise<boolean> =>
    (await browser().ask('password/sign-in', { identifier, password })).status === 200

  async function resetToken(email: string): Promise<string | undefined> {
    const before = both.mails.length
    await browser().ask('password/forgot', { identifier: email })
    for (let waits = 0; both.mails.length === before && waits < 3000; waits++)
      await both.mailed(email, /./)
    return (await both.mailed(email, RESET))[1]
  }

  test('ACC-6: of many proofs of one sign-up, with its code and its link, one creates the user', async () => {
    const email = someone()
    const own = browser()
    await own.ask('password/sign-up', { email, password: GOOD })
    const [code] = await both.mailed(email, CODE)
    const [, token] = await both.mailed(email, /password\/verify\?\S*token=([\w-]+)/)
    const link = browser()
    for (const [key, value] of own.jar) link.jar.set(key, value)
    await link.ask(`password/verify?${new URLSearchParams({ token: token ?? '', email })}`)
    const statuses = statusesOf(
      await both.all(
        Array.from({ length: PARALLEL }, (_, at) =>
          at % 4 < 2 ? own.asks('password/verify', { code }) : link.asks('password/verify', {}),
        ),
      ),
    )
    expect(countOf(statuses, 200)).toBe(1)
    expect(countOf(statuses, 400) + countOf(statuses, 409) + countOf(statuses, 429)).toBe(
      PARALLEL - 1,
    )
    expect(await signsIn(email, GOOD)).toBe(true)
  })

  test('PW-30: of many resets with one token, one sets the password', async () => {
    const email = someone()
    await signUp(email)
    const token = await resetToken(email)
    const statuses = statusesOf(
      await both.all(
        Array.from({ length: PARALLEL }, (_, at) =>
          browser().asks('password/reset', { token, password: `${OTHER} ${at}` }),
        ),
      ),
    )
    expect(countOf(statuses, 200)).toBe(1)
    expect(countOf(statuses, 400)).toBe(PARALLEL - 1)
    expect(await signsIn(email, `${OTHER} ${statuses.indexOf(200)}`)).toBe(true)
    expect(await signsIn(email, GOOD)).toBe(false)
  })

  test('PW-30, PW-33: of resets with two tokens and changes at once, one wins', async () => {
    const email = someone()
    const own = await signUp(email)
    const tokens = [await resetToken(email), await resetToken(email)]
    const statuses = statusesOf(
      await both.all(
        Array.from({ length: 12 }, (_, at) => {
          const password = `${OTHER} ${at}`
          return at % 3 === 0
            ? own.asks('password/change', { current: GOOD, password })
            : browser().asks('password/reset', { token: tokens[at % 2], password })
        }),
      ),
    )
    expect(countOf(statuses, 200)).toBe(1)
    expect(statuses.every((status) => [200, 400, 401, 409].includes(status))).toBe(true)
    expect(await signsIn(email, `${OTHER} ${statuses.indexOf(200)}`)).toBe(true)
    expect(await signsIn(email, GOOD)).toBe(false)
  })

  test('PW-14: a change stays when the sign-ins of the other process replace the hash', async () => {
    const email = someone()
    const own = await signUp(email)
    const answers = await both.all(
      Array.from({ length: 10 }, (_, at) =>
        at === 5
          ? own.asks('password/change', { current: GOOD, password: OTHER })
          : own.asks('password/sign-in', { identifier: email, password: GOOD }),
      ),
    )
    // The faster one wins: the hash of the same password, or the new password.
    const isChanged = answers[5]?.status === 200
    expect(isChanged || answers[5]?.status === 409).toBe(true)
    const after = browser()
    for (const [key, value] of own.jar) after.jar.set(key, value)
    const right = { identifier: email, password: isChanged ? OTHER : GOOD }
    const wrong = { identifier: email, password: isChanged ? GOOD : OTHER }
    const statuses = statusesOf(
      await both.all([
        after.asks('password/sign-in', right),
        after.asks('password/sign-in', wrong),
      ]),
    )
    expect(statuses).not.toEqual([401, 200])
    expect(statuses[1]).not.toBe(200)
  })

  test('OTC-2: the right code, typed often at once, begins one session, beside a proof of a sign-up one user', async () => {
    const email = someone()
    const code = browser()
    await code.ask('email-code/send', { email })
    const [typed] = await both.mailed(email, CODE)
    const before = both.mails.length
    const pending = browser()
    await pending.ask('password/sign-up', { email, password: GOOD })
    await expect
      .poll(async () => {
        await both.mailed(email, CODE)
        return both.mails.length
      })
      .toBeGreaterThan(before)
    const [signUpCode] = await both.mailed(email, CODE)
    const answers = await both.all(
      Array.from({ length: PARALLEL }, (_, at) =>
        at % 4 < 2
          ? code.asks('email-code/verify', { code: typed })
          : pending.asks('password/verify', { code: signUpCode }),
      ),
    )
    const of = (isCode: boolean): number[] =>
      statusesOf(answers.filter((_, at) => at % 4 < 2 === isCode))
    expect(countOf(of(true), 200)).toBe(1)
    expect(countOf(of(false), 200)).toBeLessThanOrEqual(1)
    // Who proved the sign-up has the password; nothing of a sign-up goes to a user who was there before.
    expect(await signsIn(email, GOOD)).toBe(countOf(of(false), 200) === 1)
  })

  test('OTC-2: of many guesses of a code at once, five are judged', async () => {
    const email = someone()
    const own = browser()
    await own.ask('email-code/send', { email })
    const [right] = await both.mailed(email, CODE)
    const guesses = Array.from({ length: PARALLEL }, (_, at) => String(at).padStart(6, '0'))
    const statuses = statusesOf(
      await both.all(
        guesses
          .filter((guess) => guess !== right)
          .map((guess) => own.asks('email-code/verify', { code: guess })),
      ),
    )
    expect(countOf(statuses, 200)).toBe(0)
    expect(countOf(statuses, 400)).toBeLessThanOrEqual(5)
    expect((await own.ask('email-code/verify', { code: right })).status).not.toBe(200)
  })

  test('OTC-21: of many people who want one name at once, one has it', async () => {
    const owners = await Promise.all([signUp(someone()), signUp(someone())])
    const wanted = `wanted-${people}`
    const answers = await both.all([
      ...Array.from({ length: 20 }, (_, at) =>
        (owners[at % 2] as Browser).asks('usernames/set', { name: wanted }),
      ),
      ...Array.from({ length: 20 }, () =>
        browser().asks('password/sign-up', {
          email: someone(),
          password: GOOD,
          username: wanted.toUpperCase(),
        }),
      ),
    ])
    const set = statusesOf(answers.slice(0, 20))
    const reserved = statusesOf(answers.slice(20))
    const winners = new Set([
      ...set.flatMap((status, at) => (status === 200 ? [at % 2] : [])),
      ...reserved.flatMap((status, at) => (status === 202 ? [at + 2] : [])),
    ])
    expect(winners.size).toBe(1)
  })

  test('LIM-3: of 200 sign-ins at a limit of 10, ten are tried', async () => {
    const email = someone()
    const statuses = statusesOf(
      await both.all(
        Array.from({ length: 200 }, (_, at) =>
          browser().asks('password/sign-in', { identifier: email, password: `wrong ${at}` }),
        ),
      ),
    )
    expect(countOf(statuses, 401)).toBe(10)
    expect(countOf(statuses, 429)).toBe(190)
  })

  test('LIM-10, T-ACC-36: the answer to a proof of work passes once', async () => {
    const drawn = await browser().ask('limits/challenge?action=password.forgot')
    const challenge = drawn.body as unknown as Challenge
    const solution = await solveChallenge({ challenge, deriveKey })
    const answer = btoa(JSON.stringify({ challenge, solution }))
    const statuses = statusesOf(
      await both.all(
        Array.from({ length: PARALLEL }, (_, at) =>
          browser().asks('password/forgot', {
            identifier: `puzzle-${at}@example.com`,
            challenge: answer,
          }),
        ),
      ),
    )
    expect(countOf(statuses, 202)).toBe(1)
    expect(countOf(statuses, 403)).toBe(PARALLEL - 1)
  })
})
