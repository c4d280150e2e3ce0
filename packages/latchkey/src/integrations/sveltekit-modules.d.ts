// The part of SvelteKit that is used, in all supported versions. The package is the one that the application installed.

declare module '@sveltejs/kit' {
  export const VERSION: string
  /** Throws a redirect of the framework. Version 3 requires `external` for other sites. */
  export function redirect(status: number, url: string, options: { external: true }): never
  /** Throws an error that the framework responds with. */
  export function error(status: number, body: string | { message: string }): never
  export function isRedirect(error: unknown): boolean
}

declare module '$app/paths' {
  /** The path of the application with a trailing slash, relative to the requested page. */
  export function resolve(path: '/'): string
  /** The path of the application without a trailing slash, up to version 2. */
  export const base: string
}

declare module '$env/dynamic/private' {
  /** The variables of `.env` and the process; in version 3 only those that `src/env.ts` names. */
  export const env: Readonly<Record<string, string | undefined>>
}
