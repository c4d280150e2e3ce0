import {
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  type TokenEndpointResponse,
} from 'oauth4webapi'
import { withoutContents } from '../../protocols/oauth/without-contents.ts'
import { clientOf, type OAuthFlow } from './oauth-flow.ts'
import {
  authenticationOf,
  conforming,
  setIdTokenAside,
  tokenRequestOptions,
} from './redeem-code.ts'

/**
 * Returns new tokens for a refresh token (RFC 6749 section 6). An ID token in the response has nothing new,
 * and is omitted.
 *
 * @throws the error of the library. If the provider refuses, its `error` is the code of the provider.
 */
export async function refreshTokens(
  flow: OAuthFlow,
  refreshToken: string,
): Promise<TokenEndpointResponse> {
  // The metadata lists the algorithms for client assertions.
  const isSigned = flow.config.client?.token_endpoint_auth_method?.endsWith('_jwt') === true
  const { server } = await (isSigned ? flow.server() : flow.endpoints())
  const client = clientOf(flow)
  try {
    const answer = await refreshTokenGrantRequest(
      server,
      client,
      authenticationOf(flow),
      refreshToken,
      tokenRequestOptions(flow),
    )
    const conform = await conforming(flow, answer)
    const { response = conform } = (await setIdTokenAside(conform)) ?? {}
    return await processRefreshTokenResponse(server, client, response)
  } catch (error) {
    throw withoutContents(error)
  }
}
