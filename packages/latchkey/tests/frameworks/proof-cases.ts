import { type RequestListener, request } from 'node:http'
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import type { AuthConfig } from '../../src/entries/index.ts'
import { passwordsSite } from '../support/passwords-site.ts'
import { listen } from './listen.ts'

// The guards that ask for a proof of identity, in each framework.

/** Returns what finds the packages that an example has. */
export const installedFor = (example: string) =>
  createRequire(new URL(`../../../../examples/${example}/server.ts`, import.meta.url))

export type Visit = (path: string, headers: Record<string, string>) => Promise<Response>

/** An application with `/fresh` (10 minutes), `/day` (a day) and `/two` (two factors). */
export type Make = (config: AuthConfig) => Promise<{ visit: Visit; close?: () => Promise<unknown> }>

export const FRESH = 600
export const DAY = 86_400
const ORIGIN = 'http://localhost:3000'

export const fetching = (fetch: (request: Request) => Response | Promise<Response>): Visit => {
  return async (path, headers) => fetch(new Request(ORIGIN + path, { headers }))
}

/** Not `fetch`, whose requests say that a script sent them. */
export async function listening(listener: RequestListener): ReturnType<Make> {
  const { origin, close } = await listen(listener)
  return { visit: visiting(new URL(origin).port), close: async () => close() }
}

export function visiting(port: string): Visit {
  return (path, headers) =>
    new Promise((resolve, reject) => {
      const asked = { port, path, headers: { host: 'localhost:3000', ...headers } }
      const sent = request(asked, (answer) => {
        const { statusCode: status = 0, headers: received } = answer
        const { location } = received
        answer.toArray().then((parts) => {
          const headers = location ? { location } : {}
          resolve(new Response(parts.join(''), { status, headers }))
        }, reject)
      })
      sent.on('error', reject).end()
    })
}

/** Those whose scripts request pages, and are redirected, too. */
const REDIRECTING: readonly string[] = [
  'next, in a page',
  'nuxt',
  'nuxt, in the browser',
  'react-router',
  'solid-start, in a server function',
  'sveltekit, for data',
  'tanstack-start',
]

/** Tests the guards of a framework. */
export function describeGuards(name: string, make: Make): void {
  describe(`MF-25: the guards of ${name}`, () => {
    test(`T-FLOW-3: let only users in whose proof is recent and strong enough, and lead others to it (${name})`, async () => {
      const site = passwordsSite(
        {},
        { trustHost: true, secret: 'a secret of these tests, 0123456789abcdef' },
        { origin: ORIGIN, startsAt: Date.now() - 3600 * 1000 },
      )
      await site.signUp()
      const app = await make({
        ...site.world.config,
        adapter: { ...site.world.config.adapter },
      })
      try {
        const cookie = [...site.world.jar].map(([key, value]) => `${key}=${value}`).join('; ')
        const page = { accept: 'text/html', cookie }
        const fresh = await app.visit('/fresh', page)
        expect(fresh.status).toBe(303)
        expect(fresh.headers.get('location')).toMatch(/\/auth\/reauthenticate\?for=/)
        const day = await app.visit('/day', page)
        expect([day.status, await day.text()]).toEqual([200, 'open'])
        const two = await app.visit('/two', page)
        expect(two.headers.get('location')).toMatch(/\/auth\/reauthenticate\?for=/)

        const nobody = await app.visit('/day', { accept: 'text/html' })
        expect(nobody.headers.get('location')).toMatch(/\/auth\/signin\?/)
        if (REDIRECTING.includes(name)) return
        const script = await app.visit('/fresh', { accept: 'application/json', cookie })
        expect([script.status, await script.json()]).toMatchObject([
          403,
          { code: 'reauthentication_required', max_age: FRESH, acr_values: 'urn:latchkey:acr:1' },
        ])
      } finally {
        await app.close?.()
      }
    })

    test(`T-FLOW-3: let nobody in if no session knows its proof (${name})`, async () => {
      const site = passwordsSite(
        {},
        { trustHost: true, secret: 'a secret of these tests, 0123456789abcdef' },
        { origin: ORIGIN, startsAt: Date.now() - 3600 * 1000 },
      )
      await site.signUp()
      const broken: AuthConfig = {
        ...site.world.config,
        plugins: [],
        session: { strategy: 'jwt' },
      }
      const app = await make(broken)
      try {
        const cookie = [...site.world.jar].map(([key, value]) => `${key}=${value}`).join('; ')
        // Without the plugins, no session says when its user proved it: that is an error, and not a way in.
        const answer = await app
          .visit('/day', { accept: 'text/html', cookie })
          .catch(() => undefined)
        expect(answer instanceof Response ? await answer.text() : '').not.toBe('open')
      } finally {
        await app.close?.()
      }
    })
  })
}
