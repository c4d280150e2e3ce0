import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { toError } from '../../base/errors.ts'

/** The algorithms of access tokens. */
export type SigningAlgorithm = 'ES256' | 'EdDSA'

/** The claims of an access token (RFC 9068 section 2.2). All times are seconds since the epoch. */
export interface TokenClaims {
  readonly iss: string
  /** The id of the user. */
  readonly sub: string
  readonly aud: string
  readonly client_id: string
  readonly iat: number
  readonly exp: number
  readonly jti: string
  /** The public id of the session that requested the token; it is not a credential. */
  readonly sid?: string
  /** The time of the last authentication; `amr` has its methods (RFC 8176). */
  readonly auth_time?: number
  readonly amr?: readonly string[]
  readonly acr?: string
  /** Scopes, separated by spaces. */
  readonly scope?: string
  readonly [claim: string]: unknown
}

/** The requirements for an access token. */
export interface Expected {
  readonly issuer: string
  readonly audiences: readonly string[]
  readonly algorithms: readonly SigningAlgorithm[]
  /** The token must have all of these scopes. */
  readonly scopes?: readonly string[] | undefined
  /** Maximum number of seconds since it was issued. */
  readonly maxAge?: number | undefined
  /** Seconds by which clocks may differ. */
  readonly clockTolerance: number
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** The claims of an access token, or the reason for its refusal, for the log only. */
export type Verified =
  | { readonly claims: TokenClaims; readonly why?: undefined }
  | { readonly claims: null; readonly why: string }

/** Maximum length of a token, in characters. */
const LONGEST = 8192

/** Verifies a signed access token (RFC 9068 section 4, RFC 8725). */
export async function verifyAccessToken(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, audiences, algorithms, scopes = [], maxAge, clockTolerance, now }: Expected,
): Promise<Verified> {
  if (token.length > LONGEST) return refused(`the token is longer than ${LONGEST} characters`)
  const namedKey: JWTVerifyGetKey = (header, jws) => {
    // A token without a key id would be verified with any suitable key.
    if (typeof header.kid !== 'string') throw new Error('the token has no key id (`kid`)')
    return keys(header, jws)
  }
  try {
    const { payload } = await jwtVerify(token, namedKey, {
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
      error instanceof errors.JOSEError
        ? `${error.code}: ${error.message}`
        : toError(error).message,
    )
  }
}

/**
 * Checks the claims that `jose` does not check.
 *
 * @param latest the latest `iat`, seconds since the epoch.
 */
function faultOf(
  { aud, sub, iat, jti, client_id, scope }: Readonly<Record<string, unknown>>,
  latest: number,
  scopes: readonly string[],
): string | undefined {
  if (typeof aud !== 'string') return '`aud` must be one audience, got a list'
  for (const [name, value] of Object.entries({ sub, jti, client_id }))
    if (typeof value !== 'string' || value === '')
      return `\`${name}\` must be a string that is not empty`
  if (typeof iat !== 'number' || iat > latest) return '`iat` is not a number or is in the future'
  const granted = typeof scope === 'string' ? scope.split(' ') : []
  const missing = scopes.find((each) => !granted.includes(each))
  return missing === undefined ? undefined : `the scope ${missing} is missing`
}

function refused(why: string): Verified {
  return { claims: null, why }
}
