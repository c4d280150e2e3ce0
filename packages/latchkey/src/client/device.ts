/**
 * Signs in a program without a browser, such as a command line (RFC 8628). It runs in the program, needs no other part of the
 * library, and works in every runtime with `fetch`.
 *
 * @module
 */

/** The instructions for the user. */
export interface DeviceCode {
  /** The code to enter, for example `WDJB-MJHT`. */
  readonly userCode: string
  /** The page on which the user enters the code. */
  readonly verificationUri: string
  /** The same page with the code filled in, for a QR code or to open in a browser. */
  readonly verificationUriComplete: string
  readonly expires: Date
}

export interface DeviceSignInOptions {
  /** Origin and base path of the site: `https://app.example/auth`. */
  readonly issuer: string
  /** The id of the program in the option `device.clients` of the site. */
  readonly clientId: string
  /** Name of the device, at most 40 characters; the page shows it to the user who approves the sign-in. */
  readonly name?: string | undefined
  /** Shows the instructions to the user. */
  onCode(code: DeviceCode): void | Promise<void>
  /** Aborts the wait. */
  readonly signal?: AbortSignal | undefined
  /** @default the global one */
  readonly fetch?: typeof fetch | undefined
}

/** The session of the program. Store it where other programs cannot read it. */
export interface DeviceSession {
  /** The token for the header `Authorization: Bearer`. */
  readonly accessToken: string
  /** When the session expires if it is not used. */
  readonly expires: Date
  /** The public id of the session; it is not a credential. */
  readonly session: string
}

/** The sign-in failed; `code` has the reason. */
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

/** The response of the site. */
type Answered = Readonly<Record<string, unknown>>

/**
 * Requests a code, shows the instructions to the user, and waits until the user has approved the sign-in.
 *
 * @throws {DeviceSignInError} if the user refuses, or does not approve in time.
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
      // No connection, or a slow one: poll half as often (RFC 8628 section 3.5).
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
  throw new DeviceSignInError('expired_token', 'the code expired before anybody entered it')
}

/** Returns whether a later request may succeed: the site failed, or limits the rate of requests. */
function isBusy({ error }: Answered): boolean {
  return error === 'status_429' || String(error).startsWith('status_5')
}

function hasTexts(answer: Answered, names: readonly string[]): boolean {
  return names.every((name) => typeof answer[name] === 'string')
}

function invalidResponse(issuer: string, path: string): DeviceSignInError {
  return new DeviceSignInError(
    'invalid_response',
    `${issuer}/device/${path} did not return a response of RFC 8628; check that \`issuer\` is the origin and the base path of the site`,
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
