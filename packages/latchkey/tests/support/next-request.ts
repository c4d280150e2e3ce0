/** As much of the request of Next.js as the tests look at. */
export class NextRequest extends Request {
  readonly nextUrl: URL & { basePath: string }
  readonly cookies: { get(name: string): { value: string } | undefined }

  /** Of an address alone: of a `Request`, the edge runtime does not take the headers. */
  constructor(input: string, init: RequestInit & { nextConfig?: { basePath?: string } } = {}) {
    super(input, init)
    const { basePath = '' } = init.nextConfig ?? {}
    this.nextUrl = Object.assign(new URL(this.url), { basePath })
    if (this.nextUrl.pathname.startsWith(`${basePath}/`))
      this.nextUrl.pathname = this.nextUrl.pathname.slice(basePath.length)
    const sent = new Map((this.headers.get('cookie') ?? '').split('; ').map(pairOf))
    this.cookies = {
      get: (name) => (sent.has(name) ? { value: sent.get(name) ?? '' } : undefined),
    }
  }
}

function pairOf(pair: string): [string, string] {
  const [name = '', value = ''] = pair.split('=')
  return [name, value]
}
