// The part of Next.js that is used, in all supported versions. The package is the one that the application installed.
// With the file extension, Node.js and every `moduleResolution` find a module, since the package has no `exports`.

declare module 'next/headers.js' {
  export function headers(): Promise<Headers>
  export function cookies(): Promise<{
    set(name: string, value: string, options: Readonly<Record<string, unknown>>): unknown
  }>
}

declare module 'next/navigation' {
  /** Throws a redirect of the framework. */
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
    /** The URL, whose path has neither the base path nor a locale. */
    readonly nextUrl: URL & {
      readonly basePath?: string
      readonly locale?: string
      readonly defaultLocale?: string
    }
    readonly cookies: { get(name: string): { name: string; value: string } | undefined }
  }

  export const NextResponse: {
    /** Continues to the page, with these request headers. */
    next(init?: { request?: { headers?: Headers } }): Response
  }
}

// The name in declarations of other packages.
declare module 'next/server' {
  export { NextRequest } from 'next/server.js'
}
