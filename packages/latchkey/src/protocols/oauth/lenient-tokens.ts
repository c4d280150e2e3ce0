import { isJsonObject } from '../../base/encoding/json.ts'

/**
 * Returns a standard token response (RFC 6749 section 5.1) for non-standard ones: a list as `scope`, a missing
 * `token_type`, a challenge in addition to tokens, an error without `error`.
 */
export async function readLeniently(response: Response): Promise<Response> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  if (!isJsonObject(body)) return response
  const { scope, message, ...others } = body
  const { status } = response
  if (!response.ok) {
    const error = others['error'] ?? (typeof message === 'string' ? 'invalid_request' : undefined)
    return Response.json({ ...others, error, error_description: message }, { status })
  }
  const scopes: unknown = Array.isArray(scope) ? scope.join(' ') : scope
  return Response.json(
    {
      token_type: 'bearer',
      ...others,
      ...(typeof scopes === 'string' ? { scope: scopes } : {}),
    },
    { status },
  )
}
