import { registerHooks } from 'node:module'

/**
 * What the published packages take from their frameworks, as far as an action needs it: they are
 * imported without Next.js, SvelteKit and Solid, which bundlers give them otherwise.
 */
const stubs: Readonly<Record<string, string>> = {
  'next/server':
    'export class NextRequest extends Request {}; export class NextResponse extends Response { static next = () => new Response() }',
  'next/headers':
    'export const headers = async () => new Headers(); export const cookies = async () => new Map()',
  'next/navigation': 'export const redirect = (url) => { throw new Error(url) }',
  '@sveltejs/kit':
    'export const redirect = (status, url) => { throw new Error(url) }, isRedirect = () => false, VERSION = "2.70.0"',
  'solid-js/web': 'export const getRequestEvent = () => undefined',
  '$app/environment': 'export const dev = false, building = false',
  '$app/paths': "export const base = '', resolve = (path) => path",
  '$env/dynamic/private': 'export const env = {}',
}

/** Imports something with them. */
export function withoutFrameworks<T>(load: () => T): T {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      // Node.js needs the ending, and bundlers do not.
      // A module of CommonJS needs a file.
      if (specifier === 'next/server' && context.conditions.includes('require')) {
        const { href } = new URL('next-server.cjs', import.meta.url)
        return { url: href, format: 'commonjs', shortCircuit: true }
      }
      const stub = stubs[specifier.replace(/\.js$/, '')]
      if (stub !== undefined) {
        const url = `data:text/javascript,${encodeURIComponent(stub)}`
        return { url, format: 'module', shortCircuit: true }
      }
      // Written for bundlers, which add the ending themselves.
      const isBare = /^\.\/\w+$/.test(specifier) && context.parentURL?.includes('@auth/sveltekit')
      // Packages of this workspace as they are built: Vitest has Node.js take their sources.
      const conditions = context.conditions.filter((condition) => condition !== 'source')
      return next(isBare ? `${specifier}.js` : specifier, { ...context, conditions })
    },
  })
  const loaded = load()
  if (loaded instanceof Promise) loaded.finally(() => hooks.deregister()).catch(() => {})
  else hooks.deregister()
  return loaded
}
