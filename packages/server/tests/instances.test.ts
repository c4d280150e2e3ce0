import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { balancer } from './support/balancer.ts'
import { type Visitor, visitor } from './support/browser.ts'
import { serviceProcess } from './support/command.ts'
import {
  askForLink,
  byMail,
  byPasskey,
  byPassword,
  byProvider,
  crowdConfig,
  crowdEnv,
  sessionOf,
  toProvider,
  whoIs,
} from './support/crowd.ts'
import { REDIS_URL, runSql, temporaryDatabase } from './support/servers.ts'
import { temporaryDirectory } from './support/temporary.ts'

/** Three instances of one service behind one address, on one PostgreSQL and one Redis. */
async function threeInstances(more: NodeJS.ProcessEnv = {}) {
  const stack = new AsyncDisposableStack()
  const directory = stack.use(temporaryDirectory())
  const database = stack.use(await temporaryDatabase())
  const front = stack.use(await balancer())
  const env = {
    ...crowdEnv(directory.path),
    AUTH_URL: front.origin,
    DATABASE_URL: database.url,
    DATABASE_POOL: '5',
    REDIS_URL,
    REDIS_PREFIX: `latchkey-test-${randomBytes(4).toString('hex')}:`,
    ...more,
  }
  const start = () => serviceProcess({ directory: directory.path, env }, ['--config', crowdConfig])
  // The first makes the tables while the others wait for it.
  const instances = await Promise.all([start(), start(), start()])
  for (const instance of instances) stack.use(instance)
  front.targets = instances.map(({ output }) => {
    const port = /"port":(\d+)/.exec(output().out)?.[1]
    return `http://127.0.0.1:${port}`
  })
  return {
    front,
    instances,
    database,
    directory: directory.path,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

describe('three instances of a service', { timeout: 240_000 }, () => {
  test('sign in two hundred users, each request at another instance, while one of them dies', async () => {
    await using site = await threeInstances()
    const { front, instances, directory, database } = site
    const first = visitor(front.origin)
    await byProvider(first, 'first')
    const [row] = await runSql(database.url, 'SELECT id FROM "user"')
    const ways = [
      ['provider', byProvider, 'acme.example'],
      ['mail', byMail, 'mail.example'],
      ['passkey', byPasskey, 'key.example'],
      ['password', (person: Visitor) => byPassword(person, String(row?.['id'])), ''],
    ] as const
    const people: { person: Visitor; expected: string; failure?: unknown }[] = []
    let next = 0
    const worker = async (): Promise<void> => {
      while (next < 200) {
        const number = next++
        const [way, signIn, host] = ways[number % ways.length] ?? ways[0]
        const person = visitor(front.origin)
        const name = `${way}-${number}`
        const expected = host === '' ? 'first@acme.example' : `${name}@${host}`
        const entry: (typeof people)[number] = { person, expected }
        people.push(entry)
        if (number === 100) instances[1]?.process.kill('SIGKILL')
        await signIn(person, name, directory).catch((error: unknown) => {
          entry.failure = error
        })
      }
    }
    await Promise.all(Array.from({ length: 8 }, worker))

    // Whoever was at the dying one saw a connection that broke, and nothing else.
    const failures = people.filter(({ failure }) => failure !== undefined)
    for (const { failure } of failures) expect(String(failure)).toMatch(/: 502$|fetch failed/)
    expect([front.targets[1]]).toEqual(expect.arrayContaining([...front.broken.keys()]))
    expect(failures.length).toBeLessThanOrEqual(front.broken.get(front.targets[1] ?? '') ?? 0)
    for (const { person, expected, failure } of people) {
      if (failure === undefined) expect(await whoIs(person)).toBe(expected)
    }
    expect([...front.answered.values()].every((count) => count > 50)).toBe(true)
    const alone = 'SELECT u.email FROM "user" u LEFT JOIN "account" a ON a."userId" = u.id'
    const left = await runSql(
      database.url,
      `${alone} WHERE a."userId" IS NULL AND u."emailVerified" IS NULL`,
    )
    expect(left).toEqual([])
    expect(await whoIs(first)).toBe('first@acme.example')
  })

  test('T-OTV-1: accept a link, and a response of a provider, once together', async () => {
    await using site = await threeInstances()
    const { front, directory } = site
    for (let round = 0; round < 5; round++) {
      const bob = visitor(front.origin)
      const link = await askForLink(bob, `bob-${round}`, directory)
      const links = Array.from({ length: 12 }, () => withCookiesOf(bob))
      await Promise.all(links.map((person) => person.get(link)))
      expect(links.filter((person) => sessionOf(person) !== undefined)).toHaveLength(1)

      const ada = visitor(front.origin)
      const back = await toProvider(ada, `ada-${round}`)
      const answers = Array.from({ length: 12 }, () => withCookiesOf(ada))
      await Promise.all(answers.map((person) => person.get(back)))
      expect(answers.filter((person) => sessionOf(person) !== undefined)).toHaveLength(1)
    }
  })

  test('T-SESS-5: end a session for all of them', async () => {
    await using site = await threeInstances()
    const { front, instances } = site
    const ada = visitor(front.origin)
    await byProvider(ada, 'ada')
    const kept = withCookiesOf(ada)
    const { csrfToken } = (await (await ada.get('/auth/csrf')).json()) as { csrfToken: string }
    await ada.post('/auth/signout', { csrfToken })
    for (const _ of instances) expect(await whoIs(kept)).toBeUndefined()
  })

  test('are stopped one after the other without a failed request', async () => {
    await using site = await threeInstances({ LATCHKEY_DRAIN_DELAY: '3' })
    const { front, instances } = site
    const ada = visitor(front.origin)
    await byProvider(ada, 'ada')
    const enough = new AbortController()
    const statuses = new Set<number>()
    const load = (async () => {
      while (!enough.signal.aborted) statuses.add((await ada.get('/auth/session')).status)
    })()
    for (const instance of instances.slice(0, 2)) {
      await pause(200)
      const [target] = front.targets
      const ended = instance.end('SIGTERM')
      // A load balancer sends nothing more to an instance that is not ready; the requests before that are answered.
      await expect.poll(async () => (await fetch(`${target}/readyz`)).status).toBe(503)
      front.targets = front.targets.slice(1)
      expect((await ended).code).toBe(0)
    }
    enough.abort()
    await load
    expect(statuses).toEqual(new Set([200]))
  })
})

function withCookiesOf(person: Visitor): Visitor {
  const other = visitor(person.origin)
  for (const [name, value] of person.cookies) other.cookies.set(name, value)
  return other
}
