import {
  type AuthorizationServer,
  processPushedAuthorizationResponse,
  pushedAuthorizationRequest,
} from 'oauth4webapi'
import { excerpt } from '../../base/encoding/excerpt.ts'
import { OAuthSignInError, toError } from '../../base/errors.ts'
import type { Metadata } from '../../protocols/oauth/metadata.ts'
import { requestOptions } from '../../protocols/oauth/request-options.ts'
import { withoutContents } from '../../protocols/oauth/without-contents.ts'
import { clockedClientOf, type OAuthFlow } from './oauth-flow.ts'
import { publishedBy } from './published-metadata.ts'
import { providerErrorOf } from './setup-fault.ts'
import { authenticationOf } from './tokens/redeem-code.ts'

/**
 * Sends the authorization request directly to the provider, with client authentication (RFC 9126).
 *
 * @returns the parameters for the browser: `client_id` and `request_uri`.
 * @throws {OAuthSignInError} if the provider has no endpoint for it, or refuses.
 */
export async function pushRequest(
  flow: OAuthFlow,
  metadata: Metadata,
  query: URLSearchParams,
): Promise<URLSearchParams> {
  const { id, clientId, send } = flow
  const server = await serverOf(flow, metadata)
  const client = clockedClientOf(flow)
  try {
    const answer = await pushedAuthorizationRequest(
      server,
      client,
      authenticationOf(flow),
      query,
      requestOptions(send),
    )
    const { request_uri } = await processPushedAuthorizationResponse(server, client, answer)
    return new URLSearchParams({ client_id: clientId, request_uri })
  } catch (error) {
    const reported = await providerErrorOf(error)
    throw new OAuthSignInError(toError(withoutContents(error)), {
      provider: id,
      ...(reported && { error: excerpt(reported.error), description: reported.description }),
    })
  }
}

/** Reads the metadata, because it was not read if all other endpoints are configured. */
async function serverOf(flow: OAuthFlow, { server }: Metadata): Promise<AuthorizationServer> {
  const name = 'pushed_authorization_request_endpoint'
  if (server[name] !== undefined) return server
  const published = (await publishedBy(flow)).server[name]
  if (published !== undefined) return { ...server, [name]: published }
  throw new OAuthSignInError(
    `provider ${flow.id}: its metadata has no ${name}; set \`par: false\``,
    { provider: flow.id },
  )
}
