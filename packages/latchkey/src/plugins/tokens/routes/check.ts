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

/** The user of an accepted request. */
interface Subject {
  readonly subject: string
  readonly session: string | undefined
  readonly scope?: string | undefined
}

/** The tolerated difference between clocks of instances, in seconds. */
const TOLERANCE = 15

/** `GET token/check`: for proxies that check each request. */
export async function check(call: Call<Input>, { host, jwt }: Own): Promise<Answer> {
  const { request, input, current } = call
  const token = bearerToken(request.original.headers)
  const isHeld = current !== null && (await isOfToken(current, token))
  const { subject, session, scope } =
    token === undefined || isHeld
      ? await ofSession(current)
      : await ofToken(token, request, input, await jwt(), host.ports.now())
  const headers = { 'x-auth-subject': subject, 'x-auth-session': session, 'x-auth-scope': scope }
  // All three, also empty ones, so a proxy replaces headers of the client with these names.
  const shown = Object.entries(headers).map(([name, value = '']) => [name, safe(value)])
  return { status: 204, headers: Object.fromEntries(shown) as Record<string, string> }
}

/** Returns whether the session comes from this token. A cookie beside another token does not count. */
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

/**
 * Returns a value for a header. A value with `%` or characters beyond ASCII is percent-encoded, so different values
 * stay different.
 */
function safe(value: string): string {
  return /^[\x21-\x24\x26-\x7e](?:[\x20-\x24\x26-\x7e]*[\x21-\x24\x26-\x7e])?$/.test(value)
    ? value
    : encodeURIComponent(value)
}
