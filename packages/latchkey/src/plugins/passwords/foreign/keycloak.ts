import { isJsonObject } from '../../../entries/plugin.ts'
import { decodeBase64 } from '../hashing/base64.ts'
import { isTooCostly, memoryOf } from '../hashing/hash-costs.ts'
import type { Argon2Hash } from '../hashing/phc.ts'
import { verifyArgon2 } from './argon2.ts'
import { MOST_ITERATIONS } from './engine.ts'
import type { ForeignHash } from './foreign-hash.ts'
import { type Pbkdf2Hash, verifyPbkdf2 } from './pbkdf2.ts'

type Parsed = Argon2Hash | Pbkdf2Hash

const DIGESTS = { pbkdf2: 'sha1', 'pbkdf2-sha256': 'sha256', 'pbkdf2-sha512': 'sha512' } as const
const VERSIONS = { '1.0': 16, '1.3': 19 } as const
const LONGEST = 4096

function parse(stored: string): Parsed | undefined {
  if (!stored.startsWith('{') || stored.length > LONGEST) return undefined
  const credential = jsonOf(stored)
  const data = jsonOf(credential?.['credentialData'])
  const secret = jsonOf(credential?.['secretData'])
  const tag = bytesIn(secret?.['value'])
  const salt = bytesIn(secret?.['salt'])
  const { algorithm, hashIterations } = data ?? {}
  const iterations = countIn(hashIterations)
  if (!tag || !salt || iterations === undefined || tag.length < 16 || tag.length > 1024)
    return undefined
  if (algorithm === 'argon2')
    return argon2Of(data?.['additionalParameters'], iterations, { salt, tag })
  const digest = Object.entries(DIGESTS).find(([name]) => name === algorithm)?.[1]
  return digest && { digest, iterations, salt, tag }
}

function argon2Of(
  given: unknown,
  passes: number,
  bytes: Pick<Argon2Hash, 'salt' | 'tag'>,
): Argon2Hash | undefined {
  const parameters = isJsonObject(given) ? given : {}
  // Each is a list of one text.
  const [type, version, memory, parallelism, hashLength] = [
    'type',
    'version',
    'memory',
    'parallelism',
    'hashLength',
  ].map((name) => [parameters[name]].flat()[0])
  const ofVersion = Object.entries(VERSIONS).find(([name]) => name === version)?.[1]
  const [kib, lanes] = [countIn(memory), countIn(parallelism)]
  if ((type !== 'id' && type !== 'i') || !ofVersion || !kib || !lanes) return undefined
  if (countIn(hashLength) !== bytes.tag.length || bytes.salt.length < 8) return undefined
  const ofType = type === 'id' ? 'argon2id' : 'argon2i'
  return { type: ofType, version: ofVersion, memory: kib, passes, parallelism: lanes, ...bytes }
}

/** An object, or the JSON of one: an export of a realm has either. */
function jsonOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (isJsonObject(value)) return value
  if (typeof value !== 'string') return undefined
  try {
    const parsed: unknown = JSON.parse(value)
    return isJsonObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

function bytesIn(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  return typeof value === 'string' ? decodeBase64(value) : undefined
}

function countIn(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(count) && Number(count) >= 1 ? Number(count) : undefined
}

/**
 * Hashes of Keycloak: a credential of type `password` in an export of a realm, as JSON with `credentialData` and
 * `secretData`.
 */
export function keycloak(): ForeignHash {
  return {
    id: 'keycloak',
    matches: (stored) => parse(stored) !== undefined,
    async verify(password, stored) {
      const hash = parse(stored)
      if (!hash) return false
      return 'digest' in hash ? verifyPbkdf2(password, hash) : verifyArgon2(password, hash)
    },
    isTooCostly(stored) {
      const hash = parse(stored)
      if (!hash) return false
      return 'digest' in hash ? hash.iterations > MOST_ITERATIONS : isTooCostly(hash)
    },
    memory(stored) {
      const hash = parse(stored)
      return hash && !('digest' in hash) ? memoryOf(hash) : 8
    },
    dummy: JSON.stringify({
      credentialData: { hashIterations: 210_000, algorithm: 'pbkdf2-sha512' },
      secretData: {
        value: `${'WlpaWlpa'.repeat(10)}WlpaWg==`,
        salt: 'AAECAwQFBgcICQoLDA0ODw==',
      },
    }),
  }
}
