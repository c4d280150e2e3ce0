import type { Awaitable } from '../../base/awaitable.ts'
import { oncePer } from '../../base/once.ts'
import type { Ports } from '../../base/ports.ts'
import type { JWT } from '../../model/jwt.ts'
import type { JWTDecodeParams, JWTEncodeParams } from '../../options/auth-config.ts'
import { secretsOf } from '../../options/secrets.ts'
import {
  createOpener,
  createSeal,
  type Opened,
  whyUnopened,
} from '../../protocols/sealing/sealer.ts'

/** Writes and reads the tokens of sessions. */
export interface JwtCodec {
  /** @param maxAge seconds, if it differs from the configured one. */
  encode(token: JWT, salt: string, maxAge?: number): Awaitable<string>
  /**
   * @param maxAge seconds, for the function of the application, if it differs from the configured one.
   * @returns `undefined` if the token is foreign, was changed or has expired.
   */
  decode(token: string, salt: string, maxAge?: number): Awaitable<Opened | undefined>
  /** Returns the reason why a token was not decoded, for the log. */
  why(token: string, salt: string): Promise<string>
  /** Decodes a token as `decode` does, also an expired one. Missing if the application has its own `decode`. */
  decodeOver?: JwtCodec['decode'] | undefined
}

/** Options of session tokens: the functions of the application, or the built-in ones. */
export interface JwtCodecOptions {
  /** As configured, because the application's functions may expect a string. */
  readonly secret: string | readonly string[]
  /** Seconds. */
  readonly maxAge: number
  readonly encode?: ((params: JWTEncodeParams) => Awaitable<string>) | undefined
  readonly decode?: ((params: JWTDecodeParams) => Awaitable<JWT | null>) | undefined
}

export function createJwtCodec(
  { secret, maxAge: usual, encode, decode }: JwtCodecOptions,
  ports: Pick<Ports, 'now' | 'random'>,
): JwtCodec {
  const sealFor = oncePer((salt: string) => createSeal(secretsOf(secret), salt))
  return {
    encode: encode
      ? (token, salt, maxAge = usual) => encode({ token, salt, secret, maxAge })
      : (token, salt, maxAge = usual) => sealFor(salt)(token, maxAge, ports),
    decode: createJwtDecoder({ secret, maxAge: usual, decode }, ports),
    why: whyNotDecoded({ secret, decode }, ports),
    decodeOver: decode ? undefined : createJwtDecoder({ secret, maxAge: usual }, { now: () => 0 }),
  }
}

/** Returns the reason why a token was not decoded, for the log. */
export function whyNotDecoded(
  { secret, decode }: Pick<JwtCodecOptions, 'secret' | 'decode'>,
  ports: Pick<Ports, 'now'>,
): JwtCodec['why'] {
  if (decode) return async () => '`jwt.decode` of the configuration returned no claims'
  return async (token, salt) => whyUnopened(token, secretsOf(secret), salt, ports)
}

/** Creates the part of a {@link JwtCodec} that reads. */
export function createJwtDecoder(
  { secret, maxAge: usual, decode }: Pick<JwtCodecOptions, 'secret' | 'maxAge' | 'decode'>,
  ports: Pick<Ports, 'now'>,
): JwtCodec['decode'] {
  if (decode) {
    return async (token, salt, maxAge = usual) => {
      const claims = await decode({ token, salt, secret, maxAge })
      return claims ? { claims, text: JSON.stringify(claims) } : undefined
    }
  }
  const openerFor = oncePer((salt: string) => createOpener(secretsOf(secret), salt))
  return (token, salt) => openerFor(salt)(token, ports)
}
