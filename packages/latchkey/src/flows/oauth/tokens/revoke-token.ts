import { processRevocationResponse, ResponseBodyError, revocationRequest } from 'oauth4webapi'
import type { Metadata } from '../../../protocols/oauth/metadata.ts'
import { withoutContents } from '../../../protocols/oauth/without-contents.ts'
import { clientOf, type OAuthFlow } from '../oauth-flow.ts'
import { authenticationOf, tokenRequestOptions } from './redeem-code.ts'

/** Returns whether the provider can revoke tokens. */
export async function canRevoke(flow: OAuthFlow): Promise<boolean> {
  return (
    typeof flow.config.tokens?.revocation === 'function' ||
    (await serverOf(flow)).revocation_endpoint !== undefined
  )
}

/** Revokes a token (RFC 7009). @throws if the provider does not confirm it. */
export async function revokeToken(
  flow: OAuthFlow,
  token: string,
  hint: 'access_token' | 'refresh_token',
): Promise<void> {
  const { config, send } = flow
  const { revocation } = config.tokens ?? {}
  if (typeof revocation === 'function') {
    await revocation({ provider: config, token, hint, fetch: send })
    return
  }
  const server = await serverOf(flow)
  if (server.revocation_endpoint === undefined)
    throw new TypeError(
      `provider ${flow.id}: the metadata has no revocation endpoint; set \`tokens.revocation\``,
    )
  const { additionalParameters: _, ...options } = tokenRequestOptions(flow)
  try {
    const answer = await revocationRequest(server, clientOf(flow), authenticationOf(flow), token, {
      ...options,
      additionalParameters: { token_type_hint: hint },
    })
    await processRevocationResponse(answer)
  } catch (error) {
    // It becomes invalid with the other token of the grant, which is also revoked (RFC 7009 section 2.2.1).
    if (error instanceof ResponseBodyError && error.error === 'unsupported_token_type') return
    throw withoutContents(error)
  }
}

async function serverOf(flow: OAuthFlow): Promise<Metadata['server']> {
  const { revocation } = flow.config.tokens ?? {}
  const { server } = await flow.server()
  const { revocation_endpoint: named, ...others } = server
  const endpoint = typeof revocation === 'string' ? revocation : named
  return revocation === false || endpoint === undefined
    ? others
    : { ...others, revocation_endpoint: endpoint }
}
