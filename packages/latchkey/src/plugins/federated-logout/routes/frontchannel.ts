import type { Answer, Call } from '../../../entries/plugin.ts'
import { failuresOf } from '../failures.ts'
import type { Own } from '../own.ts'
import { createOpSessions } from '../records/op-sessions.ts'

/** In characters. */
const LONGEST = 255

/**
 * `GET logout/frontchannel/<provider>`: a provider makes the browser load it in a frame, with the session that ended.
 * The response is the same for all requests.
 */
export async function logOutInFrame({ request, rest = '' }: Call, own: Own): Promise<Answer> {
  const { host, settings } = own
  const client = settings.frontchannel.includes(rest)
    ? await host.providers.client(rest)
    : undefined
  if (client?.type !== 'oidc' || client.issuer === undefined) return { status: 404 }
  const failures = await failuresOf(`front-channel ${client.id}`, request, own)
  const [[issuer, ...issuers], [sid, ...sids]] = [
    request.query.getAll('iss'),
    request.query.getAll('sid'),
  ]
  const isAsked = issuers.length + sids.length === 0 && issuer !== undefined && !!sid
  const isMeant = isAsked && sid.length <= LONGEST && client.isIssuer(issuer)
  const meant = isMeant ? { issuer, clientId: client.clientId, sid } : undefined
  const iat = Math.floor(host.ports.now() / 1000)
  const opSessions = createOpSessions(host)
  // Above the limit, a guess costs one read of the store and writes nothing.
  const isHeard = meant && (!failures.areTooMany() || (await opSessions.knows(meant)))
  const ended = isHeard ? await opSessions.end(meant, iat, 'front-channel') : []
  const refusal = ended?.length ? undefined : await failures.note()
  if (refusal) throw refusal
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; frame-ancestors ${new URL(client.issuer).origin}`,
    },
  }
}
