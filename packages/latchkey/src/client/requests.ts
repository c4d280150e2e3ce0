import type { Session } from '../model/session.ts'
import { notMounted } from './addresses/default-path.ts'

/** A provider, as `GET providers` lists it. */
export interface ClientProvider {
  id: string
  name: string
  type: string
  signinUrl: string
  callbackUrl: string
}

/** A problem with a field. */
export interface FieldError {
  readonly field: string
  readonly code: string
}

interface RefusalDetails {
  readonly code?: string | undefined
  readonly errors?: readonly FieldError[] | undefined
  readonly next?: string | undefined
  readonly retryAfter?: number | undefined
}

/** Thrown if the service refuses a request or cannot be reached. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  /** The status of the response; `undefined` without one, for example offline. */
  declare readonly status: number | undefined
  /** The problem code of a plugin: `invalid_input`, `unauthenticated` … */
  declare readonly code: string | undefined
  /** The invalid fields, with `invalid_input`. */
  declare readonly errors: readonly FieldError[]
  /** The page that the user must visit first, for example with `reauthentication_required`. */
  declare readonly next: string | undefined
  /** Seconds after which a further attempt may succeed, for example with `too_many_attempts`. */
  declare readonly retryAfter: number | undefined

  constructor(
    message: string,
    status?: number,
    { code, errors = [], next, retryAfter, ...options }: ErrorOptions & RefusalDetails = {},
  ) {
    super(message, options)
    Object.assign(this, { status, code, errors, next, retryAfter })
  }
}

/** A {@link ClientError} with the codes that a function can refuse with. */
export type Refusal<Code extends string> = ClientError & { readonly code: Code }

/** How a request to the service ended. */
export type Settled<Answer, Code extends string> =
  | { readonly data: Answer; readonly error: undefined }
  | { readonly data: undefined; readonly error: Refusal<Code> }

/**
 * Returns the answer or the refusal of a function of a client, so that `error.code` has the type of the codes of that function.
 * If the service gave no code, for example since the browser is offline or a proxy failed, the code is `unreachable`.
 *
 * @throws what is no refusal, for example the error of a browser whose visitor declined to use a passkey.
 */
export async function settle<Answer, Code extends string = string>(
  work: Promise<Answer> & { readonly refusal?: Code },
): Promise<Settled<Answer, Code | 'unreachable'>> {
  try {
    return { data: await work, error: undefined }
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    ;(error as { code?: string }).code ??= 'unreachable'
    return { data: undefined, error: error as Refusal<Code | 'unreachable'> }
  }
}

/** The requests to the service. Every method rejects with a {@link ClientError}. */
export interface Requests {
  /** Returns the session, and the milliseconds by which the clock of the service is ahead. */
  session(signal?: AbortSignal): Promise<{ session: Session | null; ahead: number }>
  update(data: unknown, signal?: AbortSignal): Promise<Session | null>
  providers(): Promise<Record<string, ClientProvider>>
  csrfToken(): Promise<string>
  json(path: string): Promise<unknown>
  /** Sends a request to a route of a plugin: GET, or POST with fields. */
  ask(path: string, fields?: object): Promise<unknown>
  /**
   * Sends a form with a CSRF token, and again if the token is outdated.
   *
   * @returns the URL of the redirect.
   */
  form(path: string, fields: Fields): Promise<FormAnswer>
}

type Fields = Readonly<Record<string, unknown>>

export interface FormAnswer {
  /** Absolute. */
  readonly url: string
  readonly status: number
  readonly ok: boolean
  /** Whether another step is required before there is a session. */
  readonly detour?: boolean | undefined
}

/**
 * Creates the requests.
 *
 * @param base returns the address of the service: the base path, with the origin if it differs.
 */
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
    if (answer.status === 404) throw new ClientError(notMounted(base()), 404)
    throw new ClientError(`the service returned status ${answer.status}`, answer.status)
  }

  const refused = async (answer: Response): Promise<ClientError> => {
    const told = ((await answer.json().catch(() => undefined)) ?? {}) as RefusalDetails & {
      title?: string
    }
    const { title = `the service returned status ${answer.status}`, code, errors, next } = told
    const retryAfter = Number(answer.headers.get('retry-after')) || undefined
    return new ClientError(title, answer.status, { code, errors, next, retryAfter })
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
    if (url === undefined) throw new ClientError(`the service returned status ${status}`, status)
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
    async session(signal) {
      const asked = Date.now()
      const answer = await ask('session', signal && { signal })
      const session = toSession(await read(answer))
      const date = Date.parse(answer.headers.get('date') ?? '')
      // The header has whole seconds, so the average error is half a second.
      return { session, ahead: Number.isNaN(date) ? 0 : date + 500 - (asked + Date.now()) / 2 }
    },
    async update(data, signal) {
      const csrfToken = await requests.csrfToken()
      const answer = await ask('session', {
        method: 'POST',
        ...(signal && { signal }),
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
      // Another tab may have replaced the token at the same time.
      const isOutdated = (target: unknown): boolean => String(target).includes('error=MissingCSRF')
      return isOutdated(answer.url) && !isOutdated(fields['callbackUrl'])
        ? sendForm(path, fields)
        : answer
    },
  }
  return requests
}

/** Returns `null` without a session, also for the response of older services. */
function toSession(body: unknown): Session | null {
  return typeof body === 'object' && body !== null && Object.keys(body).length > 0
    ? (body as Session)
    : null
}
