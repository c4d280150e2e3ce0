import { loadOnce } from '../base/once.ts'
import { optionError } from '../base/option-error.ts'
import { unknownIn } from '../base/option-names.ts'
import { isSafeWay } from '../http/paths/safe-way.ts'
import type { TokenClaims, Verified } from '../protocols/jose/access-token.ts'
import type { TokenSource, TokenVerifierOptions } from './token-reader.ts'

export type { TokenClaims } from '../protocols/jose/access-token.ts'
export type { TokenSource, TokenVerifierOptions } from './token-reader.ts'

/** Returns the claims of a token, or `null` without a token or for an invalid one. It never throws. */
export interface VerifyToken {
  (input: TokenSource): Promise<TokenClaims | null>
  /** Also returns why a token is refused. Log the reason, but do not send it to the caller. */
  result(input: TokenSource): Promise<Verified>
}

/**
 * Verifies access tokens of the plugin `tokens` of another Latchkey site. It requests only the public
 * keys of the issuer and caches them for ten minutes; for an unknown key it requests them again, at most twice a minute.
 *
 * @throws {TypeError} for invalid options.
 */
export function createTokenVerifier(options: TokenVerifierOptions): VerifyToken {
  checkNames(options)
  checkOptions(options)
  const load = loadOnce(async () => (await import('./token-reader.ts')).createTokenReader(options))
  const result: VerifyToken['result'] = async (input) => (await load())(input)
  return Object.assign(async (input: TokenSource) => (await result(input)).claims, { result })
}

/** The names of the options, all of which the compiler requires. */
const NAMES: Readonly<Record<keyof TokenVerifierOptions, true>> = {
  issuer: true,
  audience: true,
  jwks: true,
  algorithms: true,
  scopes: true,
  maxAge: true,
  clockTolerance: true,
  revocations: true,
  fetch: true,
}

const fail = (message: string): never => {
  throw optionError(`createTokenVerifier(): ${message}`, 'createTokenVerifier')
}

function checkNames(options: TokenVerifierOptions): void {
  const unknown = unknownIn(options, Object.keys(NAMES), '')
  if (unknown !== undefined) fail(unknown)
}

function checkOptions({
  issuer,
  audience,
  jwks = `${issuer}/jwks`,
  algorithms = ['ES256'],
  scopes = [],
  maxAge = 1,
  clockTolerance = 0,
  revocations,
}: TokenVerifierOptions): void {
  const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
  const isList = (list: unknown, fits: (value: unknown) => boolean): boolean =>
    Array.isArray(list) && list.every(fits)
  revocations?.with([])
  if (!URL.canParse(issuer)) fail(`\`issuer\` must be a URL, got ${JSON.stringify(issuer)}`)
  const audiences = [audience].flat()
  if (audiences.length === 0 || !audiences.every(isText))
    fail('`audience` must be the name of the API, or a list of at least one name')
  if (typeof jwks === 'string' ? !URL.canParse(jwks) : !isList(jwks, (key) => Object(key) === key))
    fail('`jwks` must be a URL or a list of public keys')
  // Somebody who changes the keys on the way can forge tokens.
  if (typeof jwks === 'string' && !isSafeWay(new URL(jwks)))
    fail(
      `\`jwks\` must be an https URL, or an http URL of this machine, got ${JSON.stringify(jwks)}`,
    )
  if (
    !isList(algorithms, (name) => name === 'ES256' || name === 'EdDSA') ||
    algorithms.length === 0
  )
    fail(`\`algorithms\` must be a list of ES256 and EdDSA, got ${JSON.stringify(algorithms)}`)
  if (!isList(scopes, isText)) fail('`scopes` must be a list of strings')
  if (!(maxAge > 0)) fail(`\`maxAge\` must be a number of seconds above 0, got ${String(maxAge)}`)
  if (!(clockTolerance >= 0 && clockTolerance <= 300))
    fail(`\`clockTolerance\` must be 0 to 300 seconds, got ${String(clockTolerance)}`)
}
