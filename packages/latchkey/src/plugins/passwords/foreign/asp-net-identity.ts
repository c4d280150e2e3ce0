import { decodeBase64 } from '../hashing/base64.ts'
import { MOST_ITERATIONS } from './engine.ts'
import type { ForeignHash } from './foreign-hash.ts'
import { type Pbkdf2Hash, verifyPbkdf2 } from './pbkdf2.ts'

const DIGESTS = ['sha1', 'sha256', 'sha512'] as const
/** Bytes before the salt in version 3: the version, and three numbers. */
const HEADER = 13

function parse(stored: string): Pbkdf2Hash | undefined {
  const bytes = stored.length <= 1024 ? decodeBase64(stored) : undefined
  if (bytes?.[0] === 0 && bytes.length === 49)
    return { digest: 'sha1', iterations: 1000, salt: bytes.slice(1, 17), tag: bytes.slice(17) }
  if (bytes?.[0] !== 1 || bytes.length < HEADER) return undefined
  const numbers = new DataView(bytes.buffer)
  const digest = DIGESTS[numbers.getUint32(1)]
  const iterations = numbers.getUint32(5)
  const saltLength = numbers.getUint32(9)
  const salt = bytes.slice(HEADER, HEADER + saltLength)
  const tag = bytes.slice(HEADER + saltLength)
  // The same bounds as there.
  if (!digest || iterations < 1 || salt.length < 16 || tag.length < 16) return undefined
  return { digest, iterations, salt, tag }
}

/** Hashes of ASP.NET Core Identity, of its versions 2 and 3. */
export function aspNetIdentity(): ForeignHash {
  return {
    id: 'asp-net-identity',
    matches: (stored) => parse(stored) !== undefined,
    async verify(password, stored) {
      const hash = parse(stored)
      return hash !== undefined && verifyPbkdf2(password, hash)
    },
    isTooCostly: (stored) => (parse(stored)?.iterations ?? 0) > MOST_ITERATIONS,
    memory: () => 8,
    dummy: 'AQAAAAIAAYagAAAAEAABAgMEBQYHCAkKCwwNDg9aWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWg==',
  }
}
