import { sidFingerprint, sidRemainder } from '../../../protocols/revocation/fingerprint.ts'

/** The ids of ended sessions, each with the time at which its last cookie expires. */
export interface Fingerprints {
  readonly size: number
  /** @param sid 22 characters of base64url. */
  has(sid: string): boolean
  /** @param exp in seconds since the epoch. */
  add(sid: string, exp: number): void
  /** Returns the first four bytes of each id, ascending, without repetition. */
  prefixes(): Uint32Array
  /** Removes ids that expired before a time. @param seconds since the epoch. */
  forget(seconds: number): void
}

/** The number of slots in an empty table. */
const SMALLEST = 256

/**
 * The numbers of a slot: the first four bytes of an id, the next four, and the minute of its expiry; 0 for an empty
 * slot.
 */
const SLOT = 3

/**
 * A set of ids in one typed array. It stores the first 8 bytes of each id and the minute of its expiry side by side, so
 * a lookup reads one place in memory. A slot has 12 bytes, and at most three of four slots are used. Ids with the same
 * beginning are equal, so a match must be confirmed by the store.
 *
 * @param expected the expected number of ids, if known.
 */
export function createFingerprints(expected = 0): Fingerprints {
  let size = 0
  let slots = SMALLEST
  while (expected * 4 > slots * 3) slots *= 2
  let mask = slots - 1
  let table = new Uint32Array(slots * SLOT)

  /** @returns the index of the slot of an id, or of the empty slot where it belongs. */
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

  /** Creates a table of this many slots, without entries that expired before. */
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
