// What is used of Next.js. It is the application's own that is loaded, whichever version it has.

declare module 'next/headers' {
  export function headers(): Promise<Headers>
  export function cookies(): Promise<{
    set(name: string, value: string, options: Readonly<Record<string, unknown>>): unknown
  }>
}

declare module 'next/navigation' {
  /** Throws what the framework takes for a redirect. */
  export function redirect(url: string): never
}

declare module 'next/server' {
  export const NextResponse: {
    /** Goes on to the page, with these headers of the request. */
    next(init?: { request?: { headers?: Headers } }): Response
  }
}
