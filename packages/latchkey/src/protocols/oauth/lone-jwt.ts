import {
  type Client,
  clockSkew,
  clockTolerance,
  processUserInfoResponse,
  skipSubjectCheck,
} from 'oauth4webapi'
import { type Ports, systemPorts } from '../../base/ports.ts'
import { claimsOf, headerOf } from './jwt-header.ts'
import { type SignedAnswer, verifySignature } from './jwt-signature.ts'

/** Seconds: tolerates any time, since the times of the token are checked elsewhere. */
const ANY_TIME = 24 * 60 * 60

/**
 * Verifies signature, issuer and audience of a JWT that is not part of a response of the provider. The caller checks
 * its header and its times.
 *
 * The OAuth library verifies only signatures of responses, so the JWT is passed as a userinfo response.
 *
 * @throws if one of them is wrong, or the keys cannot be read.
 */
export async function verifyLoneJwt(
  { metadata, jwt, clientSecret }: Omit<SignedAnswer, 'response'>,
  { issuer, clientId }: { readonly issuer: string; readonly clientId: string },
  send: typeof fetch,
  ports: Pick<Ports, 'now'>,
): Promise<void> {
  const client: Client = {
    client_id: clientId,
    userinfo_signed_response_alg: headerOf(jwt).alg,
    [clockTolerance]: ANY_TIME,
    [clockSkew]: Math.round((ports.now() - systemPorts.now()) / 1000),
  }
  const response = new Response(jwt, { headers: { 'content-type': 'application/jwt' } })
  const { iss, aud } = claimsOf(jwt)
  if (iss === undefined || aud === undefined)
    throw new TypeError('the JWT has no `iss` or no `aud`')
  try {
    await processUserInfoResponse({ issuer }, client, skipSubjectCheck, response)
  } catch (error) {
    // The subject may be missing; the library checks it last.
    if (!isAboutSubject(error)) throw error
  }
  await verifySignature({ metadata, response, jwt, clientSecret }, send, ports)
}

function isAboutSubject(error: unknown): boolean {
  return error instanceof Error && error.message.includes('"sub" property')
}
