export const ORIGIN = 'https://app.example'

type Answer = (request: Request) => Promise<Response>

interface Session {
  readonly user?: { readonly name?: string; readonly email?: string }
}

/** Keeps cookies for as long as they are to be kept. */
export class Browser {
  readonly #cookies = new Map<string, { readonly value: string; readonly until: number }>()

  async session(answer: Answer): Promise<Session | null> {
    const response = await this.get(answer, new URL('/auth/session', ORIGIN))
    return (await response.json()) as Session | null
  }

  get(answer: Answer, url: URL): Promise<Response> {
    return this.send(answer, url, {})
  }

  post(answer: Answer, url: URL, form: Record<string, string>): Promise<Response> {
    return this.send(answer, url, { method: 'POST', body: new URLSearchParams(form) })
  }

  async send(answer: Answer, url: URL, init: RequestInit): Promise<Response> {
    const request = new Request(url, init)
    const cookies = this.names().map((name) => `${name}=${this.#cookies.get(name)?.value}`)
    if (cookies.length > 0) request.headers.set('cookie', cookies.join('; '))
    const response = await answer(request)
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    return response
  }

  /** Names of the cookies that have not expired. */
  names(): string[] {
    const now = Date.now()
    return [...this.#cookies].filter(([, { until }]) => until > now).map(([name]) => name)
  }

  value(name: string): string | undefined {
    return this.names().includes(name) ? this.#cookies.get(name)?.value : undefined
  }

  /** RFC 6265 section 5.3: `Max-Age` goes before `Expires`. */
  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ')
    const at = pair.indexOf('=')
    const said = (name: string): string | undefined =>
      attributes.find((text) => text.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1)
    const [age, date] = [said('max-age'), said('expires')]
    const until =
      age !== undefined
        ? Date.now() + Number(age) * 1000
        : date !== undefined
          ? Date.parse(date)
          : Number.POSITIVE_INFINITY
    this.#cookies.set(pair.slice(0, at), { value: pair.slice(at + 1), until })
  }
}
