import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { freePort } from './more/sign-in.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const page = readFileSync(join(root, 'docs/how-to/add-accounts.md'), 'utf8')

/** The application as the page has it. */
const source = (/```ts\n(\s*\/\/ server\.ts\n[\s\S]*?)```/.exec(page)?.[1] ?? '').replaceAll(
  /^ {3}/gm,
  '',
)

/** What an application on Hono has without Latchkey. */
const SKELETON = [/from 'hono'$/, /from '@hono\/node-server'$/, /new Hono\(\)$/, /^serve\(/]

// Below the packages that it uses.
const directory = mkdtempSync(join(root, 'packages/latchkey/.accounts-'))
let running: ChildProcess | undefined
afterAll(() => {
  running?.kill()
  rmSync(directory, { recursive: true, force: true })
})

test('ACC-25: an application on Hono has accounts in SQLite in at most ten own lines', () => {
  const lines = source.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('//'))
  const own = lines.filter((line) => !SKELETON.some((pattern) => pattern.test(line)))
  expect(own.length).toBeGreaterThan(3)
  expect(own.length).toBeLessThanOrEqual(10)
})

test('ACC-22, ACC-23, ACC-24: the page as it is written signs somebody up, with tables and a mailbox of its own', async () => {
  writeFileSync(join(directory, 'server.ts'), source)
  const port = await freePort()
  const lines: string[] = []
  running = spawn(process.execPath, ['server.ts'], {
    cwd: directory,
    env: {
      ...process.env,
      PORT: String(port),
      AUTH_SECRET: 'a secret of at least 32 characters',
      NODE_ENV: '',
    },
  })
  for (const stream of [running.stdout, running.stderr])
    stream?.on('data', (chunk: Buffer) => lines.push(String(chunk)))
  const origin = `http://localhost:${port}`
  await expect
    .poll(() =>
      fetch(origin).then(
        ({ status }) => status,
        () => lines.join(''),
      ),
    )
    .toBe(200)
  const jar = new Map<string, string>()
  const send = async (path: string, body?: object): Promise<Response> => {
    const response = await fetch(`${origin}${path}`, {
      redirect: 'manual',
      headers: {
        accept: body ? 'application/json' : 'text/html',
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body && { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      jar.set(name, value)
    }
    return response
  }
  const address = { email: 'ada@example.com', password: 'correct horse battery staple' }
  expect((await send('/auth/password/sign-up', address)).status).toBe(202)
  expect(await (await send('/auth/password/verify')).text()).toContain('/auth/mailbox')
  const mailbox = await (await send('/auth/mailbox')).text()
  const code = /\b\d{6}\b/.exec(mailbox.slice(mailbox.indexOf('<article')))?.[0]
  expect(lines.join('')).toContain('/auth/password/verify?token=')
  expect((await send('/auth/password/verify', { code })).status).toBe(200)
  expect(await (await send('/')).json()).toMatchObject({ email: 'ada@example.com' })
})
