/** Bytes of each entry: the start of the SHA-256 of a folded password. */
export const PREFIX_LENGTH = 5

let loading: Promise<Uint8Array> | undefined

/** Loads the list when a password is set for the first time. */
function loadPrefixes(): Promise<Uint8Array> {
  loading ??= decodePrefixes().catch((error: unknown) => {
    // The next password tries again.
    loading = undefined
    throw error
  })
  return loading
}

async function decodePrefixes(): Promise<Uint8Array> {
  const { prefixes } = await import('./blocklist.generated.ts')
  return Uint8Array.from(atob(prefixes), (character) => character.charCodeAt(0))
}

/** Returns whether a folded password is one of the most common ones. Another has this result once in 60 million. */
export async function isCommon(folded: string): Promise<boolean> {
  const bytes = new TextEncoder().encode(folded)
  const wanted = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const prefixes = await loadPrefixes()
  let low = 0
  let high = prefixes.length / PREFIX_LENGTH - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const order = compare(prefixes, middle * PREFIX_LENGTH, wanted)
    if (order === 0) return true
    if (order < 0) low = middle + 1
    else high = middle - 1
  }
  return false
}

function compare(prefixes: Uint8Array, at: number, wanted: Uint8Array): number {
  for (let i = 0; i < PREFIX_LENGTH; i++) {
    const difference = (prefixes[at + i] ?? 0) - (wanted[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
