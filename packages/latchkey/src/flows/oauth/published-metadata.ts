import { customFetch } from '../../options/markers.ts'
import type { Metadata } from '../../protocols/oauth/metadata.ts'
import type { OAuthFlow } from './oauth-flow.ts'

/** Returns the published metadata, even if all endpoints are configured. Without an issuer there is none. */
export async function publishedBy({
  config,
  plan,
  send,
}: OAuthFlow): Promise<Pick<Metadata, 'server'>> {
  const { issuer, wellKnown, tenantIssuer } = config
  if (issuer === undefined) return { server: { issuer: '' } }
  const { readMetadata } = await import('../../protocols/oauth/metadata.ts')
  const asked = { issuer, wellKnown, tenantIssuer }
  return readMetadata(asked, send, config[customFetch] ?? plan.ports.fetch, plan.ports)
}
