import { encodeBase64url } from '../encoding/base64url.ts'
import type { Lease } from '../plugin.ts'
import type { Ports } from '../ports.ts'
import type { Records } from '../store/records.ts'

/** Records of names that somebody holds; the key of one is the name. */
const KIND = 'lease'

/**
 * Holds a name, among all processes that share the records: one of them at a time does what must not be done twice.
 * Clocks differ and processes pause, so what depends on it for more than saving work compares versions as well.
 *
 * @param milliseconds after which it is anybody's again.
 * @returns `null` while somebody else holds it.
 */
export async function acquireLease(
  name: string,
  milliseconds: number,
  { records, ports }: { readonly records: Records; readonly ports: Pick<Ports, 'now' | 'random'> },
): Promise<Lease | null> {
  const holder = encodeBase64url(ports.random(16))
  const until = (length: number): Date => new Date(ports.now() + length)
  const isOurs = await records.create({
    kind: KIND,
    key: name,
    data: { holder },
    expires: until(milliseconds),
  })
  if (!isOurs) return null
  const setEnd = async (expires: Date): Promise<boolean> => {
    const record = await records.get(KIND, name)
    return (
      record?.data['holder'] === holder && (await records.replace(record, { expires })) !== null
    )
  }
  return {
    extend: (length) => setEnd(until(length)),
    async release() {
      await setEnd(until(0))
    },
  }
}
