// What is used of SvelteKit. It is the application's own that is loaded, whichever version it has.

declare module '@sveltejs/kit' {
  export const VERSION: string
  /** Throws what the framework takes for a redirect. Version 3 asks for leave to go to other sites. */
  export function redirect(status: number, url: string, options: { external: true }): never
  export function isRedirect(error: unknown): boolean
}

declare module '$app/paths' {
  /** The path of the application with a slash at the end, as seen from the page that is asked for. */
  export function resolve(path: '/'): string
  /** The path of the application without a slash at the end, up to version 2. */
  export const base: string
}

declare module '$env/dynamic/private' {
  /** What `.env` and the process say; in version 3 only the variables that `src/env.ts` names. */
  export const env: Readonly<Record<string, string | undefined>>
}
