import { decodeProtectedHeader, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'

/** Algorithms by which access tokens are signed. */
export type SigningAlgorithm = 'ES256' | 'EdDSA'

/** What an access token says (RFC 9068 section 2.2). All times are seconds since the epoch. */
export interface TokenClaims {
  readonly iss: string
  /** The id of the user. */
  readonly sub: string
  readonly aud: string
  readonly client_id: string
  readonly iat: number
  readonly exp: number
  readonly jti: string
  /** The public name of the session that it was issued to; it signs nobody in. */
  readonly sid?: string
  /** When and how the user last proved who they are (RFC 8176). */
  readonly auth_time?: number
  readonly amr?: readonly string[]
  readonly acr?: string
  /** Scopes, with blanks between them. */
  readonly scope?: string
  readonly [claim: string]: unknown
}

/** What an access token has to say to be accepted. */
export interface Expected {
  readonly issuer: string
  readonly audiences: readonly string[]
  readonly algorithms: readonly SigningAlgorithm[]
  /** All of them. */
  readonly scopes?: readonly string[] | undefined
  /** Seconds since it was issued. */
  readonly maxAge?: number | undefined
  /** Seconds by which clocks may differ. */
  readonly clockTolerance: number
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** The claims of an access token, or why it is refused: for a log, not for whoever sent it. */
export type Verified =
  | { readonly claims: TokenClaims; readonly why?: undefined }
  | { readonly claims: null; readonly why: string }

/** Longest token that is looked at, characters. */
const LONGEST = 8192

/** Verifies a signed access token (RFC 9068 section 4, RFC 8725). */
export async function verifyAccessToken(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, audiences, algorithms, scopes = [], maxAge, clockTolerance, now }: Expected,
): Promise<Verified> {
  if (token.length > LONGEST) return refused(`the token is longer than ${LONGEST} characters`)
  try {
    // A token without the name of its key would be tried with whichever key fits.
    if (typeof decodeProtectedHeader(token).kid !== 'string')
      return refused('the token names no key (kid)')
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience: [...audiences],
      algorithms: [...algorithms],
      typ: 'at+jwt',
      clockTolerance,
      currentDate: new Date(now),
      requiredClaims: ['sub', 'iat', 'exp', 'jti', 'client_id'],
      ...(maxAge !== undefined && { maxTokenAge: maxAge }),
    })
    const fault = faultOf(payload, now / 1000 + clockTolerance, scopes)
    return fault === undefined ? { claims: payload as unknown as TokenClaims } : refused(fault)
  } catch (error) {
    return refused(
      error instanceof errors.JOSEError ? `${error.code}: ${error.message}` : String(error),
    )
  }
}

/** What `jose` leaves open. @param latest seconds since the epoch */
function faultOf(
  { aud, sub, iat, jti, client_id, scope }: Readonly<Record<string, unknown>>,
  latest: number,
  scopes: readonly string[],
): string | undefined {
  if (typeof aud !== 'string') return 'aud is a list; the token is meant for others, too'
  for (const [name, value] of Object.entries({ sub, jti, client_id }))
    if (typeof value !== 'string' || value === '') return `${name} is no text`
  if (typeof iat !== 'number' || iat > latest) return 'iat is in the future'
  const granted = typeof scope === 'string' ? scope.split(' ') : []
  const missing = scopes.find((each) => !granted.includes(each))
  return missing === undefined ? undefined : `the scope ${missing} is missing`
}

function refused(why: string): Verified {
  return { claims: null, why }
}
