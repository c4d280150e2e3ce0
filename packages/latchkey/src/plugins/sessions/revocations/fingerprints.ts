import { sidFingerprint, sidRemainder } from '../../../revocation/fingerprint.ts'

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

/**
 * A set of names in typed arrays: of each name its first 8 bytes, and the minute of its end. 12 bytes a slot, and at most
 * three slots of four are used. Two names that begin alike are one: whoever finds a name asks the store.
 */
export function createFingerprints(): Fingerprints {
  let size = 0
  let mask = SMALLEST - 1
  let high = new Uint32Array(SMALLEST)
  let low = new Uint32Array(SMALLEST)
  /** 0: the slot is empty. */
  let minutes = new Uint32Array(SMALLEST)

  /** @returns the slot of a name, or the empty one where it belongs. */
  function slotOf(first: number, second: number): number {
    let at = (first ^ second) & mask
    while (minutes[at] !== 0 && (high[at] !== first || low[at] !== second)) at = (at + 1) & mask
    return at
  }

  function put(first: number, second: number, minute: number): void {
    const at = slotOf(first, second)
    const known = minutes[at] ?? 0
    if (known === 0) size++
    high[at] = first
    low[at] = second
    minutes[at] = Math.max(known, minute)
  }

  /** Makes a table of this many slots, and leaves out what ended before. */
  function rebuild(slots: number, before: number): void {
    const [oldHigh, oldLow, oldMinutes] = [high, low, minutes]
    high = new Uint32Array(slots)
    low = new Uint32Array(slots)
    minutes = new Uint32Array(slots)
    mask = slots - 1
    size = 0
    for (let at = 0; at < oldMinutes.length; at++) {
      const minute = oldMinutes[at] ?? 0
      if (minute > before) put(oldHigh[at] ?? 0, oldLow[at] ?? 0, minute)
    }
  }

  return {
    get size() {
      return size
    },
    has: (sid) => minutes[slotOf(sidFingerprint(sid), sidRemainder(sid))] !== 0,
    add(sid, exp) {
      if ((size + 1) * 4 > (mask + 1) * 3) rebuild((mask + 1) * 2, 0)
      put(sidFingerprint(sid), sidRemainder(sid), Math.ceil(exp / 60))
    },
    prefixes() {
      const used = high.filter((_, at) => minutes[at] !== 0).sort()
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
