import type { JWT } from '../model/jwt.ts'
import type { JWTDecodeParams, JWTEncodeParams } from '../options/auth-config.ts'
import type { Awaitable } from '../options/awaitable.ts'
import type { Ports } from '../ports.ts'
import { createSealer, type Opened, type Sealer } from '../sealing/sealer.ts'

/** Writes and reads the tokens of sessions. */
export interface JwtCodec {
  encode(token: JWT, salt: string): Awaitable<string>
  /** @returns `undefined` when the token is not ours, was changed or has expired. */
  decode(token: string, salt: string): Awaitable<Opened | undefined>
}

/** The application's own functions, or ours where it has none. */
export interface JwtCodecOptions {
  readonly secrets: readonly string[]
  /** Seconds. */
  readonly maxAge: number
  readonly encode?: ((params: JWTEncodeParams) => Awaitable<string>) | undefined
  readonly decode?: ((params: JWTDecodeParams) => Awaitable<JWT | null>) | undefined
}

export function createJwtCodec(
  { secrets, maxAge, encode, decode }: JwtCodecOptions,
  ports: Pick<Ports, 'now' | 'random'>,
): JwtCodec {
  const sealers = new Map<string, Sealer>()
  const sealer = (salt: string): Sealer => {
    let known = sealers.get(salt)
    if (!known) sealers.set(salt, (known = createSealer(secrets, salt)))
    return known
  }
  return {
    encode: encode
      ? (token, salt) => encode({ token, salt, secret: secrets, maxAge })
      : (token, salt) => sealer(salt).seal(token, maxAge, ports),
    decode: decode
      ? async (token, salt) => {
          const claims = await decode({ token, salt, secret: secrets })
          return claims ? { claims, text: JSON.stringify(claims) } : undefined
        }
      : (token, salt) => sealer(salt).open(token, ports),
  }
}
