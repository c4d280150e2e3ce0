/** What a browser keeps and does without a screen: cookies, forms, redirects within one site. */
export interface Visitor {
  readonly origin: string
  readonly cookies: Map<string, string>
  get(path: string): Promise<Response>
  post(path: string, form: Record<string, string>): Promise<Response>
  /** Follows redirects from an answer to the page at their end. */
  follow(answer: Response): Promise<Response>
}

export function visitor(origin: string): Visitor {
  const cookies = new Map<string, string>()
  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(path, origin)
    if (url.origin !== new URL(origin).origin) throw new Error(`leaves the site: ${url.href}`)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) keep(cookies, line)
    return answer
  }
  const self: Visitor = {
    origin,
    cookies,
    get: (path) => send(path),
    post: (path, form) => send(path, { method: 'POST', body: new URLSearchParams(form) }),
    async follow(answer) {
      const location = answer.headers.get('location')
      if (location === null) return answer
      await answer.body?.cancel()
      return self.follow(await send(location))
    },
  }
  return self
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';')
  const [name = '', value = ''] = pair.split(/=(.*)/s)
  const gone = attributes.some((attribute) => /^\s*max-age=0$|1970/i.test(attribute))
  if (gone || value === '') cookies.delete(name)
  else cookies.set(name, value)
}
