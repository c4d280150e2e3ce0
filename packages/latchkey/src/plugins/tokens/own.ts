import type { Host } from '../../entries/plugin.ts'
import type { ApiKeys } from './api-keys/keys.ts'
import type { ApiKeysSettings } from './api-keys/settings.ts'
import type { BearerStore } from './bearer/store.ts'
import type { DeviceFlow } from './device/flow.ts'
import type { DeviceSettings } from './device/settings.ts'
import type { Issuer } from './jwt/issuer.ts'
import type { KeyRing } from './jwt/key-ring.ts'
import type { JwtSettings } from './jwt/settings.ts'
import type { NativeCodes } from './native/codes.ts'
import type { NativeSettings } from './native/settings.ts'

/** The page of a user's API keys, below the base path. */
export const KEYS_PAGE = 'account/keys'

/** The values that the routes share. */
export interface Own {
  readonly host: Host
  /** Signed tokens, loaded with the first one. @throws if they are off. */
  jwt(): Promise<Jwt>
  /** The sessions of programs. */
  bearers(): Promise<BearerStore>
  /** Sign-ins of devices, loaded with the first one. @throws if they are off. */
  device(): Promise<{ readonly flow: DeviceFlow; readonly settings: DeviceSettings }>
  /** Sign-ins of apps, loaded with the first one. @throws if they are off. */
  native(): Promise<{ readonly codes: NativeCodes; readonly settings: NativeSettings }>
  /** API keys, loaded with the first one. @throws if they are off. */
  apiKeys(): Promise<{ readonly keys: ApiKeys; readonly settings: ApiKeysSettings }>
}

/** The signing part. */
export interface Jwt {
  readonly settings: JwtSettings
  readonly ring: KeyRing
  readonly issuer: Issuer
}
