/** Answers a request: `Auth` of the library or of its peer, with its configuration. */
export type Answer = (request: Request) => Promise<Response>

const origin = 'https://app.example'

/** A browser that can carry its cookies from one service to the other. */
export class Visit {
  readonly cookies: Map<string, string>

  constructor(cookies: Iterable<readonly [string, string]> = []) {
    this.cookies = new Map(cookies)
  }

  /** Signs in with the credentials provider. */
  async signIn(answer: Answer): Promise<void> {
    const { csrfToken } = (await (await this.get(answer, '/auth/csrf')).json()) as {
      csrfToken: string
    }
    await this.post(answer, '/auth/callback/credentials', { csrfToken })
  }

  /** The body of `GET session`. */
  async session(answer: Answer): Promise<unknown> {
    return (await this.get(answer, '/auth/session')).json()
  }

  get(answer: Answer, path: string): Promise<Response> {
    return this.#send(answer, new Request(new URL(path, origin)))
  }

  post(answer: Answer, path: string, form: Record<string, string>): Promise<Response> {
    const body = new URLSearchParams(form)
    return this.#send(answer, new Request(new URL(path, origin), { method: 'POST', body }))
  }

  /** Names of the cookies that hold the session, in order. */
  get sessionCookies(): string[] {
    return [...this.cookies.keys()].filter((name) => name.includes('session-token')).sort()
  }

  async #send(answer: Answer, request: Request): Promise<Response> {
    const pairs = [...this.cookies].map(([name, value]) => `${name}=${value}`)
    if (pairs.length > 0) request.headers.set('cookie', pairs.join('; '))
    const response = await answer(request)
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split('; ')
      const name = pair.slice(0, pair.indexOf('='))
      if (/max-age=0/i.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, pair.slice(name.length + 1))
    }
    return response
  }
}
