import type { Answer, Call } from '../../../plugin-kit.ts'
import { failuresOf } from '../failures.ts'
import { createOpSessions } from '../op-sessions.ts'
import type { Own } from '../own.ts'

/** Characters. */
const LONGEST = 255

/**
 * `GET logout/frontchannel/<provider>`: a provider has a browser load it in a frame, and says which of its sessions
 * ended. Whatever it says, the answer looks the same.
 */
export async function logOutInFrame({ request, rest = '' }: Call, own: Own): Promise<Answer> {
  const { host, settings } = own
  const client = settings.frontchannel.includes(rest) ? await host.provider(rest) : undefined
  if (client?.type !== 'oidc' || client.issuer === undefined) return { status: 404 }
  const failures = await failuresOf(`front-channel ${client.id}`, request, own)
  failures.refuseIfTooMany()
  const [[issuer, ...issuers], [sid, ...sids]] = [
    request.query.getAll('iss'),
    request.query.getAll('sid'),
  ]
  const isAsked = issuers.length + sids.length === 0 && issuer !== undefined && !!sid
  const isMeant = isAsked && sid.length <= LONGEST && client.isIssuer(issuer)
  const iat = Math.floor(host.ports.now() / 1000)
  const ended = isMeant
    ? await createOpSessions(host).end(
        { issuer, clientId: client.clientId, sid },
        iat,
        'front-channel',
      )
    : []
  if (!ended?.length) await failures.note()
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; frame-ancestors ${new URL(client.issuer).origin}`,
    },
  }
}
