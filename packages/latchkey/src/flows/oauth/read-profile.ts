import { type Client, processUserInfoResponse, userInfoRequest } from 'oauth4webapi'
import { isJsonObject } from '../../base/encoding/json.ts'
import type { AuthRequest } from '../../http/request.ts'
import type { Profile } from '../../model/profile.ts'
import { verifySignature } from '../../protocols/oauth/jwt-signature.ts'
import type { Metadata } from '../../protocols/oauth/metadata.ts'
import { requestOptions } from '../../protocols/oauth/request-options.ts'
import { fetchUserInfo } from '../../protocols/oauth/userinfo.ts'
import { endpointContext, type OAuthFlow } from './oauth-flow.ts'
import type { Redeemed } from './tokens/redeem-code.ts'

/** The input for reading a profile. */
interface Reading extends Redeemed {
  readonly request: AuthRequest
  readonly metadata: Metadata
  readonly client: Client
}

/** Returns the profile of the user: the claims of the ID token, or the response of the userinfo endpoint. */
export async function readProfile(flow: OAuthFlow, reading: Reading): Promise<Profile> {
  const { userinfo, send, asksUserinfo, id, type } = flow
  const { request, tokens, claims } = reading
  const { server } = reading.metadata
  if (!asksUserinfo && claims) return claims
  if (userinfo.request) {
    const profile = await userinfo.request({ ...endpointContext(flow, request), tokens })
    const said: Profile = isJsonObject(profile) ? profile : {}
    // Its format may differ, but its subject may not. The message is that of the library.
    if (claims && (said.sub ?? claims['sub']) !== claims['sub']) {
      throw new TypeError('unexpected "response" body "sub" property value')
    }
    return said
  }
  if (server.userinfo_endpoint === undefined) {
    throw new TypeError(`provider ${id} has no userinfo endpoint`)
  }
  if (type === 'oauth') {
    return fetchUserInfo(
      { ...userinfo, url: userinfo.url ?? server.userinfo_endpoint },
      tokens,
      send,
    )
  }
  return askUserinfo(flow, reading)
}

/** Checks the subject against the ID token, and a signature if there is one (OpenID Connect Core section 5.3). */
async function askUserinfo(
  { send, plan, config }: OAuthFlow,
  { metadata, client, tokens, claims }: Reading,
): Promise<Profile> {
  const { server } = metadata
  const answer = await userInfoRequest(
    server,
    client,
    String(tokens.access_token),
    requestOptions(send),
  )
  const isSigned = client.userinfo_signed_response_alg !== undefined
  const jwt = isSigned ? await answer.clone().text() : ''
  const profile = await processUserInfoResponse(server, client, String(claims?.['sub']), answer)
  if (isSigned) {
    const { clientSecret } = config
    await verifySignature({ metadata, response: answer, jwt, clientSecret }, send, plan.ports)
  }
  return profile
}
