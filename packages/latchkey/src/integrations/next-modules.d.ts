// What is used of Next.js. It is the application's own that is loaded, whichever version it has. With the ending a
// module is found by Node.js alone and by every `moduleResolution`: the package names no subpaths.

declare module 'next/headers.js' {
  export function headers(): Promise<Headers>
  export function cookies(): Promise<{
    set(name: string, value: string, options: Readonly<Record<string, unknown>>): unknown
  }>
}

declare module 'next/navigation' {
  /** Throws what the framework takes for a redirect. */
  export function redirect(url: string): never
}

declare module 'next/server.js' {
  export class NextRequest extends Request {
    constructor(
      input: string,
      init: RequestInit & {
        duplex?: 'half'
        nextConfig?: {
          basePath?: string
          i18n?: { locales: string[]; defaultLocale: string } | undefined
        }
      },
    )
    /** The address, whose path is without base path and locale. */
    readonly nextUrl: URL & {
      readonly basePath?: string
      readonly locale?: string
      readonly defaultLocale?: string
    }
    readonly cookies: { get(name: string): { name: string; value: string } | undefined }
  }

  export const NextResponse: {
    /** Goes on to the page, with these headers of the request. */
    next(init?: { request?: { headers?: Headers } }): Response
  }
}

// As declarations of other packages name it.
declare module 'next/server' {
  export { NextRequest } from 'next/server.js'
}
