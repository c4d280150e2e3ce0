import { encodeBase64url } from '../base/encoding/base64url.ts'
import type { Ports } from '../base/ports.ts'
import type { Lease } from '../plugin/host-groups.ts'
import type { Records } from '../store/records.ts'

/** The kind of records of leases. The key of a record is the name of its lease. */
const KIND = 'lease'

/**
 * Acquires a lease, which one of all processes with the same records holds at a time.
 *
 * Clocks differ and processes pause, so a lease only saves work. Code that must not run twice must also compare
 * versions.
 *
 * @param milliseconds until the lease expires.
 * @returns `null` if another process holds it.
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
