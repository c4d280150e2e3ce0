import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { D1Binding } from '../../src/adapters/sql/d1.ts'

// Runtimes that only tests need: `npm test` installs them.

const project = fileURLToPath(new URL('../../../../interop/runtimes/', import.meta.url))

/** Returns the path of the command of a runtime. */
export function commandOf(runtime: 'bun' | 'deno'): string {
  return join(project, 'node_modules/.bin', runtime)
}

/** Returns the path of an older Node.js, which is published for Linux only. */
export function olderNode(major: 22 | 24): string {
  return join(project, `node_modules/node-${major}-${process.platform}-${process.arch}/bin/node`)
}

/** The part of Miniflare that is used. */
interface Miniflare {
  readonly ready: Promise<URL>
  getD1Database<Binding = D1Binding>(name: string): Promise<Binding>
  dispatchFetch(url: string): Promise<Response>
  dispose(): Promise<void>
}

/** Starts workerd. @param options of Miniflare */
export function startMiniflare(options: object): Miniflare {
  const { Miniflare } = createRequire(project)('miniflare') as {
    Miniflare: new (options: object) => Miniflare
  }
  return new Miniflare(options)
}
