import { sidFingerprint, sidRemainder } from '../../../protocols/revocation/fingerprint.ts'

/** Names of sessions that were ended, each with when no cookie of it can be valid any more. */
export interface Fingerprints {
  readonly size: number
  /** @param sid 22 characters of base64url. */
  has(sid: string): boolean
  /** @param exp seconds since the epoch. */
  add(sid: string, exp: number): void
  /** The first four bytes of each name; ascending, without repetition. */
  prefixes(): Uint32Array
  /** Takes out what ended before. @param seconds since the epoch. */
  forget(seconds: number): void
}

/** Slots that an empty table has. */
const SMALLEST = 256

/** Numbers of a slot: the first four bytes of a name, the next four, and the minute of its end; 0 if it is empty. */
const SLOT = 3

/**
 * A set of names in one typed array: of each name its first 8 bytes, and the minute of its end. They lie side by side, so
 * that a name is looked up in one place of the memory. 12 bytes a slot, and at most three slots of four are used. Two
 * names that begin alike are one: whoever finds a name asks the store.
 *
 * @param expected how many names there will be, if that is known.
 */
export function createFingerprints(expected = 0): Fingerprints {
  let size = 0
  let slots = SMALLEST
  while (expected * 4 > slots * 3) slots *= 2
  let mask = slots - 1
  let table = new Uint32Array(slots * SLOT)

  /** @returns where the slot of a name begins, or the empty one where it belongs. */
  function slotOf(first: number, second: number): number {
    let at = ((first ^ second) & mask) * SLOT
    while (table[at + 2] !== 0 && (table[at] !== first || table[at + 1] !== second)) {
      at = at === mask * SLOT ? 0 : at + SLOT
    }
    return at
  }

  function put(first: number, second: number, minute: number): void {
    const at = slotOf(first, second)
    const known = table[at + 2] ?? 0
    if (known === 0) size++
    table[at] = first
    table[at + 1] = second
    table[at + 2] = Math.max(known, minute)
  }

  /** Makes a table of this many slots, and leaves out what ended before. */
  function rebuild(slots: number, before: number): void {
    const old = table
    table = new Uint32Array(slots * SLOT)
    mask = slots - 1
    size = 0
    for (let at = 0; at < old.length; at += SLOT) {
      const minute = old[at + 2] ?? 0
      if (minute > before) put(old[at] ?? 0, old[at + 1] ?? 0, minute)
    }
  }

  return {
    get size() {
      return size
    },
    has: (sid) => table[slotOf(sidFingerprint(sid), sidRemainder(sid)) + 2] !== 0,
    add(sid, exp) {
      if ((size + 1) * 4 > (mask + 1) * 3) rebuild((mask + 1) * 2, 0)
      put(sidFingerprint(sid), sidRemainder(sid), Math.ceil(exp / 60))
    },
    prefixes() {
      const used = new Uint32Array(size)
      let count = 0
      for (let at = 0; at < table.length; at += SLOT)
        if (table[at + 2] !== 0) used[count++] = table[at] ?? 0
      used.sort()
      return used.filter((prefix, at) => at === 0 || prefix !== used[at - 1])
    },
    forget(seconds) {
      const before = Math.floor(seconds / 60)
      rebuild(mask + 1, before)
      let slots = mask + 1
      while (slots > SMALLEST && size * 8 < slots) slots /= 2
      if (slots <= mask) rebuild(slots, before)
    },
  }
}
