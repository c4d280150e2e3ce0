/**
 * Well-known paths, with which browsers and password managers find pages of accounts.
 *
 * @module
 */

/** Options of {@link wellKnown}. */
export interface WellKnownOptions {
  /** The base path at which the handler is mounted. @default '/auth' */
  readonly basePath?: string | undefined
}

/**
 * Returns a handler for `GET` of two well-known paths; other paths get 404:
 *
 * - `/.well-known/change-password` redirects to the page of the plugin `passwords` (W3C, A Well-Known URL for Changing Passwords).
 * - `/.well-known/passkey-endpoints` names the page of the plugin `account` for passkeys, if there is a passkey provider (W3C, A
 *   Well-Known URL for Relying Party Passkey Endpoints).
 *
 * @param handler of an instance, or of a framework: it answers requests below the base path.
 */
export function wellKnown(
  handler: (request: Request) => Promise<Response>,
  { basePath = '/auth' }: WellKnownOptions = {},
): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname, origin } = new URL(request.url)
    const ask = (path: string): Promise<Response> =>
      handler(new Request(`${origin}${basePath}/${path}`, request))
    const isPassword = pathname === '/.well-known/change-password'
    if (!isPassword && pathname !== '/.well-known/passkey-endpoints') return nothing(404)
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return nothing(405, { allow: 'GET, HEAD' })
    // The rules are there exactly if the page is.
    const answer = await ask(isPassword ? 'password/rules' : 'account/passkey-endpoints')
    if (answer.status !== 200) return nothing(answer.status < 500 ? 404 : answer.status)
    return isPassword ? nothing(302, { location: `${basePath}/password/change` }) : answer
  }
}

function nothing(status: number, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status, headers: { ...headers, 'cache-control': 'no-store' } })
}
