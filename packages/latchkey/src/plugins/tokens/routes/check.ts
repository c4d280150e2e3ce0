import { createLocalJWKSet, decodeProtectedHeader } from 'jose'
import * as v from 'valibot'
import {
  type Answer,
  bearerToken,
  type Call,
  Problem,
  type SiteRequest,
} from '../../../entries/plugin.ts'
import { verifyAccessToken } from '../../../protocols/jose/access-token.ts'
import { PREFIX } from '../bearer/prefix.ts'
import type { Jwt, Own } from '../own.ts'

interface Input {
  readonly audience?: string | undefined
}

export const input: v.GenericSchema<Input> = v.strictObject({
  audience: v.optional(v.pipe(v.string(), v.maxLength(500))),
})

/** Whom a proxy lets pass. */
interface Subject {
  readonly subject: string
  readonly session: string | undefined
  readonly scope?: string | undefined
}

/** Seconds by which clocks of instances may differ. */
const TOLERANCE = 15

/** `GET token/check`: for proxies that ask before they let a request pass. */
export async function check(call: Call<Input>, { host, jwt }: Own): Promise<Answer> {
  const { request, input, current } = call
  const token = bearerToken(request.original.headers)
  const isHeld = current !== null && (await isOfToken(current, token))
  const { subject, session, scope } =
    token === undefined || isHeld
      ? await ofSession(current)
      : await ofToken(token, request, input, await jwt(), host.ports.now())
  const headers = { 'x-auth-subject': subject, 'x-auth-session': session, 'x-auth-scope': scope }
  // All three, also those that are empty: a proxy then replaces what the client sent under these names.
  const shown = Object.entries(headers).map(([name, value = '']) => [name, safe(value)])
  return { status: 204, headers: Object.fromEntries(shown) as Record<string, string> }
}

/** Is it the token that the session is held by? The cookie beside another one does not count. */
async function isOfToken(
  current: NonNullable<Call['current']>,
  token: string | null | undefined,
): Promise<boolean> {
  return token?.startsWith(PREFIX + (await current.facts.sid())) === true
}

async function ofSession(current: Call['current']): Promise<Subject> {
  const subject = current?.facts.userId ?? current?.user.id
  if (!current || subject === undefined)
    throw new Problem('unauthenticated', 'nobody is signed in', {
      headers: { 'www-authenticate': 'Bearer' },
    })
  return { subject: String(subject), session: await current.facts.sid() }
}

async function ofToken(
  token: string | null,
  request: SiteRequest,
  { audience }: Input,
  { issuer, ring, settings }: Jwt,
  now: number,
): Promise<Subject> {
  const expected = {
    issuer: issuer.issuerOf(request),
    audiences: [issuer.audience(audience)],
    algorithms: [settings.alg],
    clockTolerance: TOLERANCE,
    now,
  }
  const keys = await ring.published(token === null ? undefined : kidOf(token))
  const { claims, why } =
    token === null
      ? { claims: null, why: 'the header has no token' }
      : await verifyAccessToken(token, createLocalJWKSet({ keys: [...keys] }), expected)
  if (!claims)
    throw new Problem('invalid_token', why, {
      headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
    })
  const { sub: subject, sid: session, scope } = claims
  return { subject, session, scope }
}

function kidOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid
  } catch {
    return undefined
  }
}

/** As it may stand in a header: a value with `%` or more than ASCII is percent-encoded, so that no two are the same. */
function safe(value: string): string {
  return /^[\x21-\x24\x26-\x7e](?:[\x20-\x24\x26-\x7e]*[\x21-\x24\x26-\x7e])?$/.test(value)
    ? value
    : encodeURIComponent(value)
}
