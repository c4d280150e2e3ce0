/**
 * Signs a program without a browser in, such as a command line (RFC 8628). For the program: it needs nothing else of the
 * library, and runs wherever there is `fetch`.
 *
 * @module
 */

/** What people have to do. */
export interface DeviceCode {
  /** What they type: `WDJB-MJHT`. */
  readonly userCode: string
  /** The page on which they type it. */
  readonly verificationUri: string
  /** The same with the code in the field, for a QR code or to open a browser with. */
  readonly verificationUriComplete: string
  readonly expires: Date
}

export interface DeviceSignInOptions {
  /** Origin and base path of the site: `https://app.example/auth`. */
  readonly issuer: string
  /** As the site's option `device.clients` has it. */
  readonly clientId: string
  /** What the device calls itself, at most 40 characters; whoever lets it in is shown that. */
  readonly name?: string | undefined
  /** Tells people what to do. */
  onCode(code: DeviceCode): void | Promise<void>
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined
  /** @default the global one */
  readonly fetch?: typeof fetch | undefined
}

/** A session that the program has. Keep it where other programs cannot read it. */
export interface DeviceSession {
  /** To send as `Authorization: Bearer`. */
  readonly accessToken: string
  /** When it ends unless it is used. */
  readonly expires: Date
  /** The public name of the session; it signs nobody in. */
  readonly session: string
}

/** Why nobody is signed in. */
export class DeviceSignInError extends Error {
  override readonly name = 'DeviceSignInError'
  /** `access_denied`, `expired_token`, `invalid_client` … (RFC 8628 section 3.5), or `invalid_response`. */
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** What the site answers. */
type Answered = Readonly<Record<string, unknown>>

/**
 * Asks for a code, tells people what to do with it, and waits until they did.
 *
 * @throws {DeviceSignInError} when it is refused, or nobody did it in time.
 * @throws the reason of `signal`.
 */
export async function signInDevice({
  issuer,
  clientId,
  name,
  onCode,
  signal,
  fetch: send = fetch,
}: DeviceSignInOptions): Promise<DeviceSession> {
  const post = async (path: string, fields: Record<string, string>): Promise<Answered> => {
    const body = new URLSearchParams({ client_id: clientId, ...fields })
    const answer = await send(`${issuer}/device/${path}`, {
      method: 'POST',
      body,
      ...(signal && { signal }),
    })
    const read: unknown = await answer.json().catch(() => ({}))
    const told = (typeof read === 'object' && read !== null ? read : {}) as Answered
    return answer.ok ? told : { error: `status_${answer.status}`, ...told }
  }

  const codes = await post('code', name === undefined ? {} : { name })
  if (codes['error'] !== undefined) throw refused(codes)
  if (!hasTexts(codes, ['device_code', 'user_code', 'verification_uri'])) {
    throw invalidResponse(issuer, 'code')
  }
  const expires = Date.now() + Number(codes['expires_in']) * 1000
  await onCode({
    userCode: String(codes['user_code']),
    verificationUri: String(codes['verification_uri']),
    verificationUriComplete: String(codes['verification_uri_complete']),
    expires: new Date(expires),
  })

  let interval = Number(codes['interval'] ?? 5)
  while (Date.now() < expires) {
    await wait(interval * 1000, signal)
    let answer: Answered
    try {
      answer = await post('token', { grant_type: GRANT, device_code: String(codes['device_code']) })
    } catch (error) {
      signal?.throwIfAborted()
      // No connection, or one that takes too long: ask half as often (RFC 8628 section 3.5).
      if (!(error instanceof Error)) throw error
      interval *= 2
      continue
    }
    if (answer['error'] === undefined) {
      if (!hasTexts(answer, ['access_token', 'session'])) throw invalidResponse(issuer, 'token')
      return sessionOf(answer)
    }
    if (answer['error'] === 'slow_down') interval += 5
    else if (answer['error'] !== 'authorization_pending' && !isBusy(answer)) throw refused(answer)
  }
  throw new DeviceSignInError('expired_token', 'nobody entered the code in time')
}

/** Does the site fail, or want to be asked less often? Then it may answer later. */
function isBusy({ error }: Answered): boolean {
  return error === 'status_429' || String(error).startsWith('status_5')
}

function hasTexts(answer: Answered, names: readonly string[]): boolean {
  return names.every((name) => typeof answer[name] === 'string')
}

function invalidResponse(issuer: string, path: string): DeviceSignInError {
  return new DeviceSignInError(
    'invalid_response',
    `${issuer}/device/${path} did not answer as RFC 8628 describes; check that \`issuer\` is the origin and the base path of the site`,
  )
}

function sessionOf({ access_token, expires_in, session }: Answered): DeviceSession {
  return {
    accessToken: String(access_token),
    expires: new Date(Date.now() + Number(expires_in) * 1000),
    session: String(session),
  }
}

function refused({ error, title }: Answered): DeviceSignInError {
  const code = String(error)
  const fix =
    code === 'invalid_client'
      ? '; check that `device.clients` of the site has `clientId`'
      : code.startsWith('status_4')
        ? '; check that `issuer` is the origin and the base path of the site'
        : ''
  const why = (title === undefined ? code : `${code}: ${String(title)}`) + fix
  return new DeviceSignInError(code, `the device is not signed in: ${why}`)
}

function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
