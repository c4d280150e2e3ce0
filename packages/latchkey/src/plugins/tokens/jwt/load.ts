import type { Host } from '../../../entries/plugin.ts'
import type { Jwt } from '../own.ts'
import { derivedKeys } from './derived-keys.ts'
import { givenKeys } from './given-keys.ts'
import { createIssuer } from './issuer.ts'
import type { KeyRing } from './key-ring.ts'
import { type KeyMemory, recordKeys } from './record-keys.ts'
import type { JwtSettings } from './settings.ts'

/** Creates the signing part. It is a module of its own, because it needs `jose`. */
export function createJwt(host: Host, settings: JwtSettings, memory: KeyMemory): Jwt {
  const ring = ringOf(host, settings, memory)
  return { settings, ring, issuer: createIssuer(host, settings, ring) }
}

function ringOf(host: Host, settings: JwtSettings, memory: KeyMemory): KeyRing {
  const { keys, alg } = settings
  if (keys === 'records') return recordKeys(host, settings, memory)
  return keys === 'derived' ? derivedKeys(host.keys) : givenKeys(keys, alg)
}
