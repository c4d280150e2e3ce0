import { WWWAuthenticateChallengeError } from 'oauth4webapi'
import { excerpt } from '../../base/encoding/excerpt.ts'
import { CallbackRouteError } from '../../base/errors.ts'
import type { AuthRequest } from '../../http/request.ts'
import type { OAuthFlow } from './oauth-flow.ts'

/** An error of a provider (RFC 6749 sections 4.1.2.1 and 5.2). */
export interface ProviderError {
  readonly error: string
  readonly description: string | undefined
}

/** Error codes of providers for an unknown callback URL. The standard has none. */
const UNKNOWN_CALLBACK = /^(?:redirect_uri_mismatch|invalid_redirect_uri|redirect_mismatch)$/

/** Descriptions of other providers for an unknown callback URL. */
const ABOUT_CALLBACK = /redirect[ _]ur[il]|callback url/i

/** Error codes of providers for an unknown client or a wrong secret. */
const UNKNOWN_CLIENT = /^(?:invalid_client|unauthorized_client|incorrect_client_credentials)$/

/**
 * Returns an error that names the mistake in the setup of the site, and the solution; `undefined` if the response
 * concerns the visitor or the provider.
 */
export function setupFault(
  { id, redirectUri }: OAuthFlow,
  request: AuthRequest | undefined,
  { error, description }: ProviderError,
): CallbackRouteError | undefined {
  const said = `the provider ${id} answered ${quoted(error)}${description ? ` (${quoted(description)})` : ''}`
  const details = { provider: id, error: excerpt(error), description }
  if (UNKNOWN_CALLBACK.test(error) || (description && ABOUT_CALLBACK.test(description))) {
    const register = request
      ? `register exactly this callback URL there: ${redirectUri(request)}`
      : 'register the callback URL of this site there'
    return new CallbackRouteError(`${said}; ${register}`, details)
  }
  if (UNKNOWN_CLIENT.test(error)) {
    const name = `AUTH_${id.toUpperCase().replaceAll('-', '_')}`
    return new CallbackRouteError(
      `${said}; check \`clientId\` (${name}_ID) and \`clientSecret\` (${name}_SECRET), and that the secret has not expired`,
      details,
    )
  }
  return undefined
}

function quoted(text: string): string {
  return JSON.stringify(excerpt(text))
}

/** Returns the error code of a token endpoint; `undefined` for any other failure. */
export async function providerErrorOf(thrown: unknown): Promise<ProviderError | undefined> {
  if (!(thrown instanceof Error)) return undefined
  // With a challenge (RFC 6749 section 5.2) the library leaves the body unread.
  const body: unknown =
    thrown instanceof WWWAuthenticateChallengeError && !thrown.response.bodyUsed
      ? await thrown.response.json().catch(() => ({}))
      : thrown
  const { error, error_description: description } = body as Record<string, unknown>
  if (typeof error !== 'string') {
    return thrown instanceof WWWAuthenticateChallengeError
      ? { error: 'invalid_client', description: undefined }
      : undefined
  }
  return {
    error,
    description: typeof description === 'string' ? excerpt(description) : undefined,
  }
}
