import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { root } from '../../package/packed.ts'
import { unlikeFetch } from '../unlike-fetch.ts'
import type { Versions } from './installed.ts'

/** An application that is ready for production. `/` says who is signed in, and `/private` is for users only. */
export interface Startable {
  /** The program of Node.js. */
  readonly start: readonly string[]
  /** @default '/auth' */
  readonly base?: string
  /** A path that returns the name of the user as JSON. */
  readonly api?: string
}

/** Starts an application on a free port, and signs in and out. */
export async function expectSignIn(
  { start: program, base = '/auth', api }: Startable,
  folder: string,
): Promise<void> {
  const port = await freePort()
  const site = `http://localhost:${port}`
  const server = start(program, folder, port)
  await expect.poll(() => server.exitCode !== null || answers(site), { timeout: 60_000 }).toBe(true)
  expect(server.exitCode).toBeNull()

  const guest = visitor(site)
  const stopped = await guest.get('/private')
  expect(stopped.status).toBeGreaterThanOrEqual(302)
  const { pathname } = new URL(stopped.headers.get('location') ?? '', site)
  expect(pathname).toBe(`${base}/signin`)
  // The host is that of the request, with its port.
  expect(await (await guest.get(`${base}/providers`)).json()).toMatchObject({
    github: { callbackUrl: `${site}${base}/callback/github` },
  })
  await guest.post(`${base}/callback/credentials`, base, { name: 'ada' })
  expect(await (await guest.get('/')).text()).toContain('who: Ada')
  expect(await (await guest.get('/private')).text()).toContain('only for Ada')
  if (api) expect(await (await guest.get(api)).json()).toBe('Ada')
  await guest.post(`${base}/signout`, base)
  expect(await (await guest.get('/')).text()).toContain('who: nobody')
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** Starts a program of Node.js, and ends it with the test. */
export function start(
  args: readonly string[],
  cwd: string,
  port: number,
  mode: 'production' | 'development' = 'production',
): ChildProcess {
  const path = `${join(root, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`
  const env = {
    ...process.env,
    PATH: path,
    PORT: String(port),
    HOST: 'localhost',
    NODE_ENV: mode,
    NODE_OPTIONS: '',
  }
  const child = spawn('node', args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
  onTestFinished(() => void child.kill())
  return child
}

export async function answers(site: string): Promise<boolean> {
  const { ok } = await fetch(site).catch(() => ({ ok: false }))
  return ok
}

/** Somebody with a browser, as far as cookies and the header `Origin` are concerned. */
export function visitor(site: string): {
  get(path: string): Promise<Response>
  post(path: string, base: string, fields?: Versions): Promise<Response>
} {
  const jar = new Map<string, string>()
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
    const headers = { cookie, origin: site }
    const answer = await unlikeFetch(site + path, { ...init, headers })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return answer
  }
  return {
    get: ask,
    async post(path, base, fields = {}) {
      const { csrfToken } = (await (await ask(`${base}/csrf`)).json()) as { csrfToken: string }
      const body = new URLSearchParams({ csrfToken, ...fields })
      const answer = await ask(path, { method: 'POST', body })
      expect(answer.status).toBe(302)
      return answer
    },
  }
}
