import { type Host, recordKind } from '../../entries/plugin.ts'
import { confusables } from './confusables.generated.ts'

/** What names look like. Of names that look alike, one is taken. */
export interface Looks {
  /**
   * Takes the look of a name for this name. It must be followed by {@link Looks.isOf} after the name was stored.
   *
   * @param name in the form in which names are compared.
   * @returns whether no other name in use looks like it.
   */
  claim(name: string): Promise<boolean>
  /** Returns whether the look is taken for this name. */
  isOf(name: string): Promise<boolean>
  /** Returns whether {@link Looks.claim} would take the look. */
  isFree(name: string): Promise<boolean>
  /** Forgets the looks of names that nobody has any more. */
  forget(names: readonly string[]): Promise<void>
}

const prototypes: ReadonlyMap<string, string> = new Map(
  confusables.split(' ').map((pair) => {
    const [from = '', ...to] = Array.from(pair)
    return [from, to.join('')]
  }),
)

/**
 * Returns what a name looks like: its skeleton (Unicode Technical Standard 39), in lower case. A digit that looks like
 * a capital letter also looks like the small one.
 */
export function lookOf(name: string): string {
  const visible = name.normalize('NFD').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
  const looks = Array.from(visible, (char) => prototypes.get(char) ?? char)
  return looks.join('').normalize('NFD').toLowerCase()
}

/** Milliseconds within which the name is stored whose look was taken. */
const STORED_WITHIN = 60_000

/**
 * @param reserved the names that nobody may have: neither may they have a name that looks like one of them.
 * @param isUsed whether somebody has, reserved, or recently gave up a name.
 */
export function createLooks(
  host: Host,
  reserved: ReadonlySet<string>,
  isUsed: (name: string) => Promise<boolean>,
): Looks {
  const looks = recordKind<{ name: string; since: number }>(host, 'username-look', {
    shape: ({ name, since }) =>
      typeof name === 'string' && typeof since === 'number' ? { name, since } : undefined,
  })
  const reservedLooks = new Set([...reserved].map(lookOf))

  const isOf = async (name: string): Promise<boolean> =>
    (await looks.get(lookOf(name)))?.data.name === name

  return {
    isOf,
    async claim(name) {
      const key = lookOf(name)
      if (reservedLooks.has(key)) return false
      const data = { name, since: host.ports.now() }
      if (await looks.create({ key, data })) return true
      const kept = await looks.get(key)
      if (kept?.data.name === name) return true
      const isNew = kept !== null && data.since - kept.data.since < STORED_WITHIN
      if (!kept || isNew || (await isUsed(kept.data.name))) return false
      // The name was freed, or its process was killed before it stored the name.
      const taken = await looks.replace(kept, { data })
      if (!taken) return false
      // The one who stores that name reads the look afterwards, so at least one of the two sees the other.
      if (!(await isUsed(kept.data.name))) return true
      await looks.replace(taken, { data: kept.data })
      return false
    },
    async isFree(name) {
      const key = lookOf(name)
      if (reservedLooks.has(key)) return false
      const kept = await looks.get(key)
      return !kept || kept.data.name === name || !(await isUsed(kept.data.name))
    },
    async forget(names) {
      for (const name of names) {
        const kept = await looks.get(lookOf(name))
        // Unless somebody has taken it in the meantime.
        if (kept?.data.name === name && !(await isUsed(name)))
          await looks.replace(kept, { expires: new Date(host.ports.now()) })
      }
    },
  }
}
