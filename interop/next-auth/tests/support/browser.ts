import type { TestProvider } from '../../../../packages/latchkey/src/entries/testing.ts'

/** An application that is served: by the published package, or by Latchkey. */
export interface Served {
  readonly basePath: string
  answer(request: Request): Promise<Response>
}

const NO_TOKEN = { csrfToken: '' }

/** Somebody's browser. It keeps its cookies when the application is served by something else. */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly #origin: string

  constructor(origin: string) {
    this.#origin = origin
  }

  /** Signs in with the provider. @returns where that ends. */
  async signIn(at: Served, idp: TestProvider): Promise<string> {
    const begun = await this.#post(at, 'signin/test')
    const back = idp.authorize(begun.headers.get('location') ?? '')
    const end = await this.#send(at, back.pathname + back.search)
    return end.headers.get('location') ?? ''
  }

  /** The user of the session; `undefined` when nobody is signed in. */
  async user(at: Served): Promise<{ name?: string; email?: string } | undefined> {
    const answer = await this.#send(at, `${at.basePath}/session`)
    const session = (await answer.json()) as { user?: { name?: string; email?: string } } | null
    return session?.user
  }

  async signOut(at: Served): Promise<void> {
    await this.#post(at, 'signout')
  }

  /** Names of the cookies that hold the session. */
  get sessionCookies(): string[] {
    return [...this.cookies.keys()].filter((name) => name.includes('session-token')).sort()
  }

  async #post(at: Served, path: string): Promise<Response> {
    const asked = await this.#send(at, `${at.basePath}/csrf`)
    // That of SvelteKit has none, and relies on the framework.
    const { csrfToken } = asked.ok ? ((await asked.json()) as { csrfToken: string }) : NO_TOKEN
    const body = new URLSearchParams({ csrfToken })
    return this.#send(at, `${at.basePath}/${path}`, { method: 'POST', body })
  }

  async #send(at: Served, path: string, init: RequestInit = {}): Promise<Response> {
    const request = new Request(this.#origin + path, init)
    const pairs = [...this.cookies].map(([name, value]) => `${name}=${value}`)
    if (pairs.length > 0) request.headers.set('cookie', pairs.join('; '))
    const response = await at.answer(request)
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
      if (value === '' || /max-age=0/i.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return response
  }
}
