/**
 * What 200 sign-ins with a password that arrive together do to a process: its memory, its event loop and the other
 * requests. See README.md.
 *
 *     npm run bench:crowd [-- --quick]
 *
 * All runs in this process, on all processors: hashing is in threads.
 */
import { availableParallelism } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { hashPassword, verifyPassword } from '@better-auth/utils/password'
import { hashSync } from 'bcryptjs'
import { bcrypt } from 'latchkey/plugins/passwords/foreign'
import { bareHash, ORIGIN, passwordSite, signInRequest } from './cases/passwords.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })

const MEBIBYTE = 1024 * 1024
const CROWD = 200
const ROUNDS = values.quick ? 1 : 5
const IDLE_MS = values.quick ? 1000 : 4000
/** Milliseconds between two reads of a session. */
const PACE = 5
const PASSWORD = 'correct horse battery staple'
/** Options with which all are served, so that there is a throughput to measure. */
const patient = { hashing: { patience: 60 } }

interface Contender {
  readonly name: string
  /** Called before each round. */
  prepare?(): Promise<void>
  /** Signs somebody in. @returns whether it went well. */
  run(): Promise<boolean>
  /** Reads a session meanwhile. */
  read(): Promise<unknown>
}

interface Round {
  readonly perSecond: number
  /** MiB */
  readonly growth: number
  /** Milliseconds, 99th percentile. */
  readonly loopDelay: number
  readonly session: number
  readonly failed: number
}

async function site(options: object = {}): Promise<Pick<Contender, 'run' | 'read'>> {
  const { handler } = await passwordSite({ ...patient, ...options })
  const { headers } = await handler(signInRequest())
  const cookie = headers.getSetCookie().map((line) => line.split(';', 1)[0])
  return {
    run: async () => (await handler(signInRequest())).status === 200,
    read: async () =>
      handler(new Request(`${ORIGIN}/auth/session`, { headers: { cookie: cookie.join('; ') } })),
  }
}

/** A site whose users were all imported with bcrypt: the first sign-in of each verifies that hash and replaces it. */
async function importedSite(read: Contender['read']): Promise<Omit<Contender, 'name'>> {
  const { handler, api, addUser } = await passwordSite({ ...patient, foreign: [bcrypt()] })
  const hash = hashSync(PASSWORD, 10)
  const addressOf = (i: number): string => `user${i}@example.com`
  const ids = await Promise.all(Array.from({ length: CROWD }, (_, i) => addUser(addressOf(i))))
  let next = 0
  return {
    async prepare() {
      next = 0
      for (const id of ids) {
        await api.passwords.remove(id)
        await api.passwords.importHash(id, { hash })
      }
    },
    run: async () => (await handler(signInRequest(addressOf(next++)))).status === 200,
    read,
  }
}

/** Runs work for 200 at once, and watches the process. */
async function crowd({ prepare, run, read }: Contender, atOnce: number = CROWD): Promise<Round> {
  await prepare?.()
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let most = before
  const sessions: number[] = []
  const watched = { isOver: false }
  const reading = (async () => {
    while (!watched.isOver) {
      most = Math.max(most, process.memoryUsage().rss)
      const start = performance.now()
      await read()
      sessions.push(performance.now() - start)
      await pause(PACE)
    }
  })()
  const loop = monitorEventLoopDelay({ resolution: 1 })
  loop.enable()
  const start = performance.now()
  let failed = 0
  let left = CROWD
  const worker = async (): Promise<void> => {
    while (left-- > 0) if (!(await run())) failed++
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  const seconds = (performance.now() - start) / 1000
  loop.disable()
  watched.isOver = true
  await reading
  return {
    perSecond: CROWD / seconds,
    growth: (most - before) / MEBIBYTE,
    // What is measured is the time between two turns, which is the resolution where nothing is late.
    loopDelay: loop.percentile(99) / 1e6,
    session: percentile(sessions),
    failed,
  }
}

async function idle(read: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (const end = performance.now() + IDLE_MS; performance.now() < end; ) {
    const start = performance.now()
    await read()
    times.push(performance.now() - start)
    await pause(PACE)
  }
  return percentile(times)
}

function percentile(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}

const peerStored = await hashPassword(PASSWORD)
const own = await site()
const imported = await importedSite(own.read)
const concurrency = Math.min(availableParallelism(), 3)
const contenders: readonly (Contender & { readonly atOnce?: number })[] = [
  { name: 'sign-ins', ...own },
  { name: 'first sign-ins of users imported with bcrypt', ...imported },
  {
    name: `bare argon2id, ${concurrency} at once`,
    atOnce: concurrency,
    run: async () => (await bareHash()).length === 32,
    read: own.read,
  },
  {
    name: 'the hash of Better Auth alone',
    run: () => verifyPassword(peerStored, PASSWORD),
    read: own.read,
  },
]
const quiet = await idle(own.read)
console.log(`${CROWD} at once on ${availableParallelism()} processors; a session takes ${quiet.toFixed(2)} ms (99th percentile) when nobody signs in.

| who | a second | beside bare | memory grows, MiB | event loop late, p99, ms | session, p99, beside idle | failed |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |`)
const rounds = new Map<string, Round[]>()
for (let round = 0; round < ROUNDS; round++)
  for (const each of contenders)
    rounds.set(each.name, [...(rounds.get(each.name) ?? []), await crowd(each, each.atOnce)])
const of = (name: string, member: keyof Round): number =>
  median((rounds.get(name) ?? []).map((round) => round[member]))
const bare = of(contenders[2]?.name ?? '', 'perSecond')
for (const { name } of contenders) {
  const growth = Math.max(...(rounds.get(name) ?? []).map((round) => round.growth))
  const cells = [
    name,
    of(name, 'perSecond').toFixed(1),
    (of(name, 'perSecond') / bare).toFixed(2),
    Math.round(growth),
    of(name, 'loopDelay').toFixed(1),
    (of(name, 'session') / quiet).toFixed(1),
    Math.max(...(rounds.get(name) ?? []).map(({ failed }) => failed)),
  ]
  console.log(`| ${cells.join(' | ')} |`)
}
