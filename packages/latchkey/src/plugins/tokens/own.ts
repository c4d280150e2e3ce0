import type { Host } from '../../plugin-kit.ts'
import type { Issuer } from './jwt/issuer.ts'
import type { KeyRing } from './jwt/key-ring.ts'
import type { JwtSettings } from './jwt/settings.ts'

/** What the routes are given. */
export interface Own {
  readonly host: Host
  /** Signed tokens, loaded with the first; throws where they are off. */
  jwt(): Promise<Jwt>
}

/** What signs tokens. */
export interface Jwt {
  readonly settings: JwtSettings
  readonly ring: KeyRing
  readonly issuer: Issuer
}
