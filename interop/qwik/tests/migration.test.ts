import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { root, run } from '../../../packages/latchkey/tests/package/packed.ts'
import { createGitHub } from '../../../packages/latchkey/tests/support/github.ts'
import { ensureBuilt } from '../../../tools/ensure-built.ts'

// An application as the pages of Auth.js for Qwik describe one, built and served by Qwik City itself:
// with the package that they name, and with Latchkey in its place.

const project = fileURLToPath(new URL('..', import.meta.url))
const library = join(root, 'packages/latchkey')
const require = createRequire(import.meta.url)

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

const servers: Server[] = []

afterAll(() => {
  for (const server of servers) server.close()
})

/** The application in a folder of its own, with what it is to import instead of `@auth/qwik`. */
function applicationWith(renamed: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(inject('runFolder'), 'qwik-'))
  cpSync(join(project, 'application'), folder, { recursive: true })
  for (const file of globSync('**/*.{ts,tsx}', { cwd: folder })) {
    let text = readFileSync(join(folder, file), 'utf8')
    for (const [before, after] of Object.entries(renamed)) text = text.replaceAll(before, after)
    writeFileSync(join(folder, file), text)
  }
  const dependencies = { '@auth/qwik': '*', latchkey: '*' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', dependencies }))
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync(join(project, 'node_modules'))) {
    symlinkSync(join(project, 'node_modules', name), join(modules, name))
  }
  // No links: what was built is to find the framework of this application.
  ensureBuilt()
  for (const part of ['dist', 'package.json']) {
    cpSync(join(library, part), join(modules, 'latchkey', part), { recursive: true })
  }
  for (const name of ['cookie', 'oauth4webapi']) {
    const places = [library, root].map((from) => join(from, 'node_modules', name))
    const from = places.find((place) => existsSync(place)) ?? name
    cpSync(from, join(modules, 'latchkey/node_modules', name), { recursive: true })
  }
  return folder
}

/** Serves what Qwik builds of it. @returns the origin */
async function serve(folder: string): Promise<string> {
  const vite = join(project, 'node_modules/vite/bin/vite.js')
  // For the browser first: the server looks up there what it names.
  run('node', [vite, 'build'], folder)
  run('node', [vite, 'build', '--ssr', 'src/entry.ssr.tsx', '--outDir', 'server'], folder)
  const { router } = require(join(folder, 'server/entry.ssr.js')) as { router: Middleware }
  const server = createServer((request, response) =>
    router(request, response, () => response.writeHead(404).end()),
  ).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

/** Somebody's browser, for which the application has one address whoever serves it. */
class Browser {
  readonly cookies = new Map<string, string>()

  async get(url: string): Promise<Response> {
    return this.#send(url, { method: 'GET' })
  }

  /** Sends a form of the page, with what is in it. */
  async submit(origin: string, id: string): Promise<Response> {
    const page = await (await this.get(`${origin}/`)).text()
    const [form = ''] = page.match(new RegExp(`<form[^>]* id="${id}".*?</form>`, 's')) ?? []
    const [, action = ''] = /action="([^"]+)"/.exec(form) ?? []
    const fields = form.matchAll(/<input[^>]*name="([^"]+)"[^>]*value="([^"]+)"/g)
    const body = new URLSearchParams(
      Array.from(fields, ([, name = '', value = '']) => [name, value]),
    )
    return this.#send(new URL(action, origin).href, { method: 'POST', body, headers: { origin } })
  }

  async user(origin: string, path: string): Promise<string | undefined> {
    const page = await (await this.get(origin + path)).text()
    return /<p id="user"[^>]*>(?:<!--.*?-->)?([^<]*)</.exec(page)?.[1]
  }

  async #send(url: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('cookie', [...this.cookies].map((pair) => pair.join('=')).join('; '))
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
      if (value === '' || /max-age=0/i.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return answer
  }
}

const names = { '@auth/qwik/providers': 'latchkey/providers', '@auth/qwik': 'latchkey/qwik' }
const applications: Record<string, { folder: string; origin: string }> = {}

beforeAll(async () => {
  for (const [name, renamed] of [
    ['@auth/qwik', {}],
    ['latchkey/qwik', names],
  ] as const) {
    const folder = applicationWith(renamed)
    applications[name] = { folder, origin: await serve(folder) }
  }
}, 300_000)

beforeEach(() => {
  const github = createGitHub()
  const send = fetch
  vi.stubGlobal('fetch', (input: string | URL | Request, init?: RequestInit) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input)
    return hostname.endsWith('github.com') ? github.fetch(input, init) : send(input, init)
  })
  vi.stubEnv('AUTH_SECRET', 'a secret of an application that moves, 0123')
  vi.stubEnv('AUTH_TRUST_HOST', 'true')
  vi.stubEnv('AUTH_GITHUB_ID', 'id')
  vi.stubEnv('AUTH_GITHUB_SECRET', 'secret')
  return () => {
    vi.unstubAllGlobals()
    vi.unstubAllEnvs()
  }
})

describe.each(['@auth/qwik', 'latchkey/qwik'])('an application on %s', (name) => {
  const application = () => applications[name] as { folder: string; origin: string }

  test('fits the types', { timeout: 120_000 }, () => {
    expect(run('tsc', ['-p', application().folder, '--preserveSymlinks'], root)).toBe('')
  })

  test('signs in and out with its forms', async () => {
    const { origin } = application()
    const browser = new Browser()
    expect(await browser.user(origin, '/')).toBe('nobody')

    const refused = await browser.get(`${origin}/private/`)
    const signInPage = refused.headers.get('location') ?? ''
    expect([refused.status, signInPage]).toEqual([302, '/auth/signin?callbackUrl=/private/'])
    expect(await (await browser.get(origin + signInPage)).text()).toContain('GitHub')

    const begun = await browser.submit(origin, 'sign-in')
    const asked = new URL(begun.headers.get('location') ?? '')
    expect(asked.origin + asked.pathname).toBe('https://github.com/login/oauth/authorize')
    const back = new URL(asked.searchParams.get('redirect_uri') ?? '')
    expect(back.href).toBe(`${origin}/auth/callback/github`)
    back.search = new URLSearchParams({ code: 'the-code' }).toString()
    const state = asked.searchParams.get('state')
    if (state !== null) back.searchParams.set('state', state)
    const end = await browser.get(back.href)
    expect([end.status, end.headers.get('location')]).toEqual([302, `${origin}/private/`])
    // The other one knows them, too.
    for (const at of Object.values(applications)) {
      expect(await browser.user(at.origin, '/private/')).toBe('ada@example.com')
    }

    await browser.submit(origin, 'sign-out')
    expect(await browser.user(origin, '/')).toBe('nobody')
    expect((await browser.get(`${origin}/private/`)).status).toBe(302)
  })
})
