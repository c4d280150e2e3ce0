import {
  type Host,
  isJsonObject,
  type JsonObject,
  jwtPart,
  loadOnce,
  type RecordSealer,
} from '../../../entries/plugin.ts'
import { createSealer } from '../../../protocols/sealing/sealer.ts'
import type { Settings } from '../settings.ts'

/** Seconds: as good as for ever. */
const NO_END = 100 * 365 * 24 * 60 * 60

/** Returns what seals stored hashes; `undefined` if they are stored as they are. */
export function sealerOf(
  { keys, ports }: Pick<Host, 'keys' | 'ports'>,
  pepper: Settings['pepper'],
): RecordSealer | undefined {
  if (pepper === false) return undefined
  if (pepper === 'secret') return keys.sealer('password')
  const sealer = createSealer(pepper.keys, 'latchkey.record.password')
  const currentKey = loadOnce(async () => keyOf(await sealer.seal({}, 1, ports)))
  return {
    isCurrent: async (text) => keyOf(text) === (await currentKey()),
    seal: async (data, { key, userId, maxAge = NO_END }) =>
      sealer.seal({ data, aud: key, ...(userId !== undefined && { sub: userId }) }, maxAge, ports),
    async open(text, { key, userId }) {
      const { data, aud, sub } = (await sealer.open(text, ports))?.claims ?? {}
      const isOwn = aud === key && sub === userId
      return isOwn && isJsonObject(data) ? (data as JsonObject) : undefined
    },
  }
}

function keyOf(sealed: string): unknown {
  return jwtPart(sealed, 0)?.['kid']
}
