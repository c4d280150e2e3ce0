import {
  type Client,
  clockSkew,
  clockTolerance,
  processUserInfoResponse,
  skipSubjectCheck,
} from 'oauth4webapi'
import { type Ports, systemPorts } from '../ports.ts'
import { claimsOf, headerOf } from './jwt-header.ts'
import { type SignedAnswer, verifySignature } from './jwt-signature.ts'

/** Seconds: the times of the token are judged elsewhere. */
const ANY_TIME = 24 * 60 * 60

/**
 * Verifies the signature, the issuer and the audience of a JWT that came by itself, and not within an answer of
 * the provider. Its header and its times have to be judged besides.
 *
 * The library verifies signatures of answers alone; the answer that takes any JWT is that of the userinfo endpoint.
 *
 * @throws when they are not right, or the keys cannot be read.
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
    // It may have no subject; that is looked at last.
    if (!isAboutSubject(error)) throw error
  }
  await verifySignature({ metadata, response, jwt, clientSecret }, send, ports)
}

function isAboutSubject(error: unknown): boolean {
  return error instanceof Error && error.message.includes('"sub" property')
}
