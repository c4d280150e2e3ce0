import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { fromNodeRedis, redisAdapter } from '../../src/adapters/redis/index.ts'
import { migrate, sqlAdapter } from '../../src/adapters/sql/index.ts'
import { pgStore } from '../../src/adapters/sql/pg.ts'
import type { Adapter } from '../../src/model/adapter.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'
import { createWorld, type World } from '../../src/testing/world.ts'
import { connectRedis, redisUrl, removeKeys } from '../support/redis.ts'
import type { RevocationProcess, RevocationReport } from '../support/revocation-process.ts'
import { apiOf, requestOf } from '../support/sessions-site.ts'

const postgresUrl =
  process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const secret = 'a secret for tests, 0123456789abcdef'

/** Milliseconds. What lies between a decision and the moment that is noted of it, on a machine with much to do. */
const NOTING = 150
const BOUND = 400
const PROCESSES = 4
const SESSIONS = 240
/** Milliseconds for which it goes on, and between two ends, and two kills. */
const [LASTS, BETWEEN_ENDS, BETWEEN_KILLS] = [4000, 25, 900]

const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  for (const work of cleanUp.splice(0).toReversed()) await work()
})

async function onPostgres(): Promise<{ adapter: Adapter; store: RevocationProcess['store'] }> {
  const name = `revocations_${crypto.randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client({ connectionString: postgresUrl })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
  const url = new URL(postgresUrl)
  url.pathname = `/${name}`
  const pool = new pg.Pool({ connectionString: url.href, max: 4 })
  // Its connections are ended with the database.
  pool.on('error', () => {})
  cleanUp.push(async () => {
    await pool.end()
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.end()
  })
  await migrate(pgStore(pool), { records: true })
  return { adapter: sqlAdapter(pgStore(pool), { records: true }), store: { postgres: url.href } }
}

async function onRedis(): Promise<{ adapter: Adapter; store: RevocationProcess['store'] }> {
  const prefix = `revocations-${crypto.randomUUID()}:`
  const client = await connectRedis()
  cleanUp.push(async () => {
    await removeKeys(client, prefix)
    client.destroy()
  })
  const adapter = redisAdapter(fromNodeRedis(client), { prefix })
  return { adapter, store: { redis: redisUrl, prefix } }
}

const cookieOf = ({ jar }: World): string => [...jar].map((pair) => pair.join('=')).join('; ')

/** Signs many people in. */
async function signIns(adapter: Adapter): Promise<RevocationProcess['sessions']> {
  const people = await Promise.all(
    Array.from({ length: SESSIONS }, (_, index) =>
      adapter.createUser?.({
        id: crypto.randomUUID(),
        name: `person ${index}`,
        email: `${index}@example.com`,
        emailVerified: null,
      }),
    ),
  )
  const world = createWorld(
    {
      adapter,
      secret,
      session: { strategy: 'jwt' },
      plugins: [sessions({ device: false, revocations: false })],
      providers: [
        {
          id: 'credentials',
          name: 'Password',
          type: 'credentials',
          credentials: { id: {} },
          authorize: ({ id }) => people.find((person) => person?.id === id) ?? null,
        },
      ],
    },
    { startsAt: Date.now() },
  )
  const made: RevocationProcess['sessions'][number][] = []
  for (const person of people) {
    const browser = world.otherBrowser()
    await browser.post('/auth/callback/credentials', { id: person?.id ?? '' })
    const id = (await apiOf(browser).current(requestOf(browser)))?.id ?? ''
    made.push({ cookie: cookieOf(browser), sid: id, userId: String(person?.id) })
  }
  return made
}

describe('REV-1: four processes, one of which is killed now and then', () => {
  test.each([
    ['PostgreSQL, with pushes', onPostgres, true],
    ['Redis', onRedis, false],
  ])('let nobody in after the bound: %s', async (_, open, pushes) => {
    const { adapter, store } = await open()
    const told: RevocationProcess = {
      store,
      secret,
      bound: BOUND,
      pushes,
      sessions: await signIns(adapter),
    }
    const accepted: [number, number][] = []
    const ended = new Map<number, number>()
    let unreadable = 0
    const take = (report: RevocationReport | 'ready'): void => {
      if (report === 'ready') return
      accepted.push(...(report.accepted as [number, number][]))
      for (const [session, at] of report.ended) ended.set(session, at)
      unreadable += report.unreadable
    }
    const start = async (): Promise<ChildProcess> => {
      const script = new URL('../support/revocation-process.ts', import.meta.url)
      const execArgv = ['--conditions=source', '--no-warnings']
      const child = fork(script, [], { execArgv })
      cleanUp.push(() => child.kill('SIGKILL'))
      child.send(told)
      child.on('message', take)
      await once(child, 'message')
      return child
    }
    const children = await Promise.all(Array.from({ length: PROCESSES }, start))

    const until = performance.now() + LASTS
    const ending = (async () => {
      for (let session = 0; session < SESSIONS && performance.now() < until; session += 2) {
        const child = children[session % PROCESSES]
        // It may be killed meanwhile.
        if (child?.connected) child.send(session, () => {})
        await pause(BETWEEN_ENDS)
      }
    })()
    for (let victim = 0; performance.now() < until; victim = (victim + 1) % PROCESSES) {
      await pause(BETWEEN_KILLS)
      children[victim]?.kill('SIGKILL')
      children[victim] = await start()
    }
    await ending
    await pause(BOUND * 3)

    const late = accepted.flatMap(([session, at]) => {
      const since = at - (ended.get(session) ?? Number.POSITIVE_INFINITY)
      return since > BOUND + NOTING
        ? [`${session} was let in ${since.toFixed(0)} ms after its end`]
        : []
    })
    expect(late).toEqual([])
    // Many were ended, and the others went on.
    expect(ended.size).toBeGreaterThan(30)
    const others = accepted.filter(([session]) => session % 2 === 1)
    expect(others.length).toBeGreaterThan(500)
    expect(unreadable).toBeLessThan(accepted.length / 20)
  })
})
