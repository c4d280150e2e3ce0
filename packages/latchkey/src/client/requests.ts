import type { Session } from '../model/session.ts'

/** A provider, as `GET providers` lists it. */
export interface ClientProvider {
  id: string
  name: string
  type: string
  signinUrl: string
  callbackUrl: string
}

/** What is wrong with a field. */
export interface FieldError {
  readonly field: string
  readonly code: string
}

interface RefusalDetails {
  readonly code?: string | undefined
  readonly errors?: readonly FieldError[] | undefined
}

/** Fails with the answer's status when the service does not do as asked. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  /** The status of the answer; `undefined` when there was none, offline say. */
  readonly status: number | undefined
  /** By which a plugin names what it refuses: `invalid_input`, `unauthenticated` … */
  readonly code: string | undefined
  /** The fields that are wrong, with `invalid_input`. */
  readonly errors: readonly FieldError[]

  constructor(
    message: string,
    status?: number,
    { code, errors = [], ...options }: ErrorOptions & RefusalDetails = {},
  ) {
    super(message, options)
    this.status = status
    this.code = code
    this.errors = errors
  }
}

/** What the service is asked, and nothing else. Every method rejects with a {@link ClientError}. */
export interface Requests {
  /** The session, and by how many milliseconds the service's clock is ahead of this one. */
  session(): Promise<{ session: Session | null; ahead: number }>
  update(data: unknown): Promise<Session | null>
  providers(): Promise<Record<string, ClientProvider>>
  csrfToken(): Promise<string>
  json(path: string): Promise<unknown>
  /** Asks a route of a plugin: by GET, or by POST where there are fields. */
  ask(path: string, fields?: object): Promise<unknown>
  /** Sends a form with a CSRF token, and once more when that was out of date. @returns where to go. */
  form(path: string, fields: Fields): Promise<FormAnswer>
}

type Fields = Readonly<Record<string, unknown>>

export interface FormAnswer {
  /** Absolute. */
  readonly url: string
  readonly status: number
  readonly ok: boolean
  /** Is there a step before somebody is signed in? */
  readonly detour?: boolean | undefined
}

/** @param base the address of the service: its origin, if it is another, and its base path. */
export function createRequests(base: () => string, send: typeof fetch): Requests {
  const ask = async (
    path: string,
    { headers, ...init }: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  ): Promise<Response> => {
    try {
      return await send(`${base()}/${path}`, {
        cache: 'no-store',
        credentials: 'include',
        ...init,
        headers: { accept: 'application/json', ...headers },
      })
    } catch (cause) {
      throw new ClientError(`the service cannot be reached at ${base()}`, undefined, { cause })
    }
  }

  const read = async (answer: Response): Promise<unknown> => {
    const body: unknown = await answer.json().catch(() => undefined)
    if (answer.ok && body !== undefined) return body
    throw new ClientError(`the service answered with ${answer.status}`, answer.status)
  }

  const refused = async (answer: Response): Promise<ClientError> => {
    const told = ((await answer.json().catch(() => undefined)) ?? {}) as RefusalDetails & {
      title?: string
    }
    const { title = `the service answered with ${answer.status}`, code, errors } = told
    return new ClientError(title, answer.status, { code, errors })
  }

  const sendForm = async (path: string, fields: Fields): Promise<FormAnswer> => {
    const body = new URLSearchParams({ csrfToken: await requests.csrfToken() })
    for (const [name, value] of Object.entries(fields)) {
      for (const one of [value].flat()) if (one !== undefined) body.append(name, String(one))
    }
    const answer = await ask(path, {
      method: 'POST',
      headers: { 'x-auth-return-redirect': '1' },
      body,
    })
    const { status, ok } = answer
    const told = ((await answer.json().catch(() => undefined)) ?? {}) as Partial<FormAnswer>
    const { url, detour } = told
    if (url === undefined) throw new ClientError(`the service answered with ${status}`, status)
    return { url, status, ok, detour }
  }

  const requests: Requests = {
    async ask(path, fields) {
      const init = fields && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fields),
      }
      const answer = await ask(path, init)
      if (!answer.ok) throw await refused(answer)
      return answer.status === 204 ? null : answer.json()
    },
    async session() {
      const asked = Date.now()
      const answer = await ask('session')
      const session = toSession(await read(answer))
      const date = Date.parse(answer.headers.get('date') ?? '')
      // The header has whole seconds; half of one is its error.
      return { session, ahead: Number.isNaN(date) ? 0 : date + 500 - (asked + Date.now()) / 2 }
    },
    async update(data) {
      const csrfToken = await requests.csrfToken()
      const answer = await ask('session', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ csrfToken, data }),
      })
      return toSession(await read(answer))
    },
    async providers() {
      return (await requests.json('providers')) as Record<string, ClientProvider>
    },
    async csrfToken() {
      const { csrfToken } = (await requests.json('csrf')) as { csrfToken: string }
      return csrfToken
    },
    json: async (path) => read(await ask(path)),
    async form(path, fields) {
      const answer = await sendForm(path, fields)
      // Another tab that opened at the same time may have brought another token along.
      const isOutdated = (target: unknown): boolean => String(target).includes('error=MissingCSRF')
      return isOutdated(answer.url) && !isOutdated(fields['callbackUrl'])
        ? sendForm(path, fields)
        : answer
    },
  }
  return requests
}

/** Nobody is signed in: `null`, or what a service of an earlier time says. */
function toSession(body: unknown): Session | null {
  return typeof body === 'object' && body !== null && Object.keys(body).length > 0
    ? (body as Session)
    : null
}
