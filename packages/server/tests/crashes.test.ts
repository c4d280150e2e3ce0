import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Visitor, visitor } from './support/browser.ts'
import { latchkey, serviceProcess } from './support/command.ts'
import {
  askForLink,
  byProvider,
  crowdConfig,
  crowdEnv,
  sessionOf,
  toProvider,
  whoIs,
} from './support/crowd.ts'
import { temporaryDirectory } from './support/temporary.ts'

const KILLS = 50

test(`T-DATA-3: a service that is killed ${KILLS} times under load has all data that it acknowledged`, {
  timeout: 600_000,
}, async () => {
  using directory = temporaryDirectory()
  const options = { directory: directory.path, env: crowdEnv(directory.path) }
  const start = () => serviceProcess(options, ['--config', crowdConfig])
  /** Those who were told that they are signed in, by address. */
  const answered: { person: Visitor; email: string }[] = []
  const used: string[] = []
  let number = 0

  for (let kill = 0; kill < KILLS; kill++) {
    await using service = await start()
    const death = new AbortController()
    const crowd = Array.from({ length: 4 }, async (_, index) => {
      while (!death.signal.aborted) {
        const name = `visitor-${number++}`
        const person = visitor(service.origin)
        const way = index % 2 === 0 ? 'acme' : 'mail'
        try {
          if (way === 'acme') await byProvider(person, name)
          else {
            const link = await askForLink(person, name, directory.path)
            await person.get(link)
            if (sessionOf(person) !== undefined) used.push(link)
          }
        } catch {
          // It is dead, or about to be.
        }
        if (sessionOf(person) !== undefined) {
          answered.push({ person, email: `${name}@${way}.example` })
        }
      }
    })
    const before = answered.length
    await pause(100 + ((kill * 37) % 400))
    // However busy the machine is, somebody was answered.
    for (let waited = 0; answered.length < before + 2 && waited < 200; waited++) await pause(50)
    await service.end('SIGKILL')
    death.abort()
    await Promise.all(crowd)
  }

  await using service = await start()
  expect(answered.length).toBeGreaterThan(KILLS)
  expect(used.length).toBeGreaterThan(KILLS / 2)
  for (const { person, email } of answered) {
    const later = visitor(service.origin)
    for (const [name, value] of person.cookies) later.cookies.set(name, value)
    expect(await whoIs(later)).toBe(email)
  }
  for (const link of used) {
    const thief = visitor(service.origin)
    await thief.get(link)
    expect(sessionOf(thief)).toBeUndefined()
  }
  await service.end()
  const database = new DatabaseSync(join(directory.path, '.latchkey', 'latchkey.db'))
  const alone = `SELECT u.email FROM "user" u LEFT JOIN "account" a ON a."userId" = u.id
      WHERE a."userId" IS NULL AND u."emailVerified" IS NULL`
  expect(database.prepare(alone).all()).toEqual([])
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  database.close()
})

/** A file system of a few megabytes, or `undefined` where this process may not make one. */
function tinyDisk(directory: string): ({ path: string } & Disposable) | undefined {
  const path = join(directory, 'disk')
  mkdirSync(path)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  return { path, [Symbol.dispose]: () => void execFileSync('umount', ['-l', path]) }
}

function cookiesOf({ cookies }: Visitor): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}

test('a start on a full disk names the disk, and leaves no partial files', async (context) => {
  using directory = temporaryDirectory()
  using disk = tinyDisk(directory.path)
  if (!disk) return context.skip('only root may make a file system of a few megabytes')
  const filler = join(disk.path, 'filler')
  const { bavail, bsize } = statfsSync(disk.path)
  writeFileSync(filler, Buffer.alloc(bavail * bsize))
  const start = (env: Record<string, string>) =>
    latchkey(['serve', '--port', '0'], {
      directory: directory.path,
      env: { LOG_FORMAT: 'json', ...env },
    })
  const database = await start({ DATABASE_URL: `file:${disk.path}/data.db` })
  expect(database.code).toBe(1)
  expect(database.err).toMatch(`latchkey: database: cannot use ${disk.path}/data.db (`)
  expect(database.err).toContain(`): the disk of ${disk.path} is full; free some space`)
  const data = join(disk.path, 'kept')
  const kept = await start({ LATCHKEY_DATA: data })
  expect(kept.code).toBe(1)
  expect(kept.err).toBe(
    `latchkey: dataDir: cannot write ${data}/secret (ENOSPC); the disk of ${data} is full; free some space, or set LATCHKEY_DATA to a directory on another disk (latchkey/docs/reference/errors.md#stores-of-the-service)\n`,
  )
  rmSync(filler)
  await using service = await serviceProcess({
    directory: directory.path,
    env: { LOG_FORMAT: 'json', LATCHKEY_DATA: data },
  })
  expect((await fetch(`${service.origin}/readyz`)).status).toBe(200)
})

test('a full disk is a temporary error', { timeout: 120_000 }, async (context) => {
  using directory = temporaryDirectory()
  using disk = tinyDisk(directory.path)
  if (!disk) return context.skip('only root may make a file system of a few megabytes')
  const env = { ...crowdEnv(directory.path), DATABASE_URL: `file:${disk.path}/data.db` }
  await using service = await serviceProcess({ directory: directory.path, env }, [
    '--config',
    crowdConfig,
  ])
  const ada = visitor(service.origin)
  await byProvider(ada, 'ada')

  const { bavail, bsize } = statfsSync(disk.path)
  const filler = join(disk.path, 'filler')
  writeFileSync(filler, Buffer.alloc(bavail * bsize))
  const ready = await ada.get('/readyz')
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { status: 'unavailable', reason: 'disk-full' },
  ])
  let refused = 0
  for (let number = 0; number < 200 && refused < 5; number++) {
    const person = visitor(service.origin)
    try {
      await byProvider(person, `visitor-${number}`)
    } catch (error) {
      refused++
      expect(String(error)).toMatch(/: 503$/)
      expect(sessionOf(person)).toBeUndefined()
    }
  }
  expect(refused).toBe(5)
  expect(await whoIs(ada)).toBe('ada@acme.example')
  expect(service.output().out).toMatch(/disk is full/)

  const cab = visitor(service.origin)
  const page = await fetch(service.origin + (await toProvider(cab, 'cab')), {
    redirect: 'manual',
    headers: { accept: 'text/html', cookie: cookiesOf(cab) },
  })
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '60'])
  expect(await page.text()).toContain('<h1>Not available')
  expect(page.headers.getSetCookie()).toEqual([])

  rmSync(filler)
  const bob = visitor(service.origin)
  await byProvider(bob, 'bob')
  expect(await whoIs(bob)).toBe('bob@acme.example')
  await expect.poll(async () => (await ada.get('/readyz')).status).toBe(200)
  expect((await service.end()).code).toBe(0)
})
