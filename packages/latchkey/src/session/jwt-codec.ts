import type { JWT } from '../model/jwt.ts'
import type { JWTDecodeParams, JWTEncodeParams } from '../options/auth-config.ts'
import type { Awaitable } from '../options/awaitable.ts'
import type { Ports } from '../ports.ts'
import { createOpener, type Opened, type Sealer, seal } from '../sealing/sealer.ts'

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
  return {
    encode: encode
      ? (token, salt) => encode({ token, salt, secret: secrets, maxAge })
      : (token, salt) => seal(secrets, salt, token, maxAge, ports),
    decode: createJwtDecoder({ secrets, decode }, ports),
  }
}

/** The half of a {@link JwtCodec} that reads. */
export function createJwtDecoder(
  { secrets, decode }: Pick<JwtCodecOptions, 'secrets' | 'decode'>,
  ports: Pick<Ports, 'now'>,
): JwtCodec['decode'] {
  if (decode) {
    return async (token, salt) => {
      const claims = await decode({ token, salt, secret: secrets })
      return claims ? { claims, text: JSON.stringify(claims) } : undefined
    }
  }
  const openers = new Map<string, Sealer['open']>()
  return (token, salt) => {
    let open = openers.get(salt)
    if (!open) openers.set(salt, (open = createOpener(secrets, salt)))
    return open(token, ports)
  }
}
