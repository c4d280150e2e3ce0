import { type AuthError, InvalidProvider } from '../base/errors.ts'
import type { OAuth2Config } from '../options/provider-options.ts'

/** Members of a client's registration (RFC 7591, RFC 9101, JARM) for features that are not supported. */
const UNSUPPORTED =
  /^(?:request_object_|authorization_(?:signed|encrypted)_response_|(?:id_token|userinfo)_encrypted_response_)/

/** Finds an option for signed requests, signed or encrypted responses, or tokens in the authorization response. */
export function checkUnsupported(provider: OAuth2Config<unknown>): AuthError | undefined {
  const { id, client = {}, authorization } = provider
  const { url = '', params = {} } =
    typeof authorization === 'object' ? authorization : { url: authorization }
  const hasQuery = url.includes('?') && URL.canParse(url)
  const query = hasQuery ? Object.fromEntries(new URL(url).searchParams) : {}
  const {
    request,
    request_uri,
    response_mode: mode,
    response_type: type = 'code',
  }: Record<string, unknown> = { ...query, ...params }
  const refuse = (name: string, why: string): AuthError =>
    new InvalidProvider(`provider ${id}: \`${name}\` ${why}`)
  const member = Object.keys(client).find((name) => UNSUPPORTED.test(name))
  if (member !== undefined)
    return refuse(
      `client.${member}`,
      'is for signed requests, or for encrypted or signed responses, which are not supported; remove it here and at the provider',
    )
  if ((request ?? request_uri) !== undefined)
    return refuse(
      `authorization.params.${request === undefined ? 'request_uri' : 'request'}`,
      'is a signed request (RFC 9101), which is not supported; remove it, and set `par: true` to keep the parameters from the browser',
    )
  if (String(mode).includes('jwt'))
    return refuse(
      'authorization.params.response_mode',
      `is ${JSON.stringify(mode)}, a signed authorization response (JARM), which is not supported; remove it`,
    )
  if (/\b(?:id_)?token\b/.test(String(type)))
    return refuse(
      'authorization.params.response_type',
      `is ${JSON.stringify(type)}, the implicit or the hybrid flow, which is not supported; remove it`,
    )
  return undefined
}
