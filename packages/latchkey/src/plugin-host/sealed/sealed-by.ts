import { jwtPart } from '../../base/encoding/jwt-part.ts'
import { AuthError, toError } from '../../base/errors.ts'
import type { Ports } from '../../base/ports.ts'
import type { Logger } from '../../options/redacting-logger.ts'
import { createSeal } from '../../protocols/sealing/sealer.ts'
import type { Records } from '../../store/records.ts'

const KIND = 'sealed-by'

/** Which keys sealed values that do not expire. */
export interface SealedBy {
  /** Notes the key of a value that is stored now. */
  note(kind: string, sealed: string): Promise<void>
  /** Returns the kinds of records with values that no configured secret opens. */
  missing(): Promise<readonly string[]>
  /** Logs the result of {@link SealedBy.missing}, once. */
  check(): void
  /** Forgets all keys of a kind but the current one, after all its values were sealed anew. */
  forget(kind: string): Promise<void>
}

/** Returns the salt of the keys for values in records of a kind. */
export function recordSalt(kind: string): string {
  return `latchkey.record.${kind}`
}

/** Returns the id of the key that sealed a value; `undefined` for a value that is not sealed. */
export function sealedKeyId(sealed: string): string | undefined {
  if (sealed.split('.').length !== 5) return undefined
  const { kid } = jwtPart(sealed, 0) ?? {}
  return typeof kid === 'string' ? kid : undefined
}

/** @param noted the keys that this process has noted, for all plans of a store. */
export function createSealedBy(
  secrets: readonly string[],
  noted: Set<string>,
  { records, ports, logger }: { records: Records; ports: Ports; logger: Logger },
): SealedBy {
  let isChecked = false
  const idOf = async (secret: string, kind: string): Promise<string | undefined> =>
    sealedKeyId(await createSeal([secret], recordSalt(kind))({}, 1, ports))

  async function missing(): Promise<readonly string[]> {
    const { records: noted } = await records.list({ kind: KIND, limit: 100 })
    const kinds = new Set<string>()
    for (const { data } of noted) {
      const { kind, kid } = data
      if (typeof kind !== 'string' || typeof kid !== 'string') continue
      const known = await Promise.all(secrets.map((secret) => idOf(secret, kind)))
      if (!known.includes(kid)) kinds.add(kind)
    }
    return [...kinds]
  }

  return {
    missing,
    async note(kind, sealed) {
      const kid = sealedKeyId(sealed)
      const key = `${kind}.${kid}`
      if (kid === undefined || noted.has(key)) return
      await records.create({ kind: KIND, key, data: { kind, kid } })
      noted.add(key)
    },
    check() {
      if (isChecked) return
      isChecked = true
      missing()
        .then((kinds) => {
          for (const kind of kinds) logger.error(new AuthError(messageOf(kind)))
        })
        .catch((error: unknown) => {
          isChecked = false
          logger.error(toError(error))
        })
    },
    async forget(kind) {
      const current = secrets[0] !== undefined && (await idOf(secrets[0], kind))
      const { records: noted } = await records.list({ kind: KIND, limit: 100 })
      for (const { key, data } of noted)
        if (data['kind'] === kind && data['kid'] !== current) await records.take(KIND, key)
    },
  }
}

function messageOf(kind: string): string {
  return `stored values of the kind "${kind}" are sealed with a secret that is not configured, so nobody can use them; add it to the end of \`secret\`, run \`npx latchkey-server secrets reseal\` or latchkey.resealRecords(), and remove it then`
}
