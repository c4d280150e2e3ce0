import type { Host } from '../plugin/host.ts'

/** Characters of a public id: 132 bits. */
const LENGTH = 22

/** Returns the id with which a browser names something that it must not know the key of. */
export async function publicId(
  kind: string,
  key: string,
  { keys }: Pick<Host, 'keys'>,
): Promise<string> {
  return (await keys.hash('public', kind, key)).slice(0, LENGTH)
}

/**
 * Finds what a public id names, among the things of the caller. What belongs to somebody else is never found.
 *
 * @param keyOf returns the key that {@link publicId} was made of.
 */
export async function findPublic<Item>(
  id: string,
  kind: string,
  own: readonly Item[],
  keyOf: (item: Item) => string,
  { keys }: Pick<Host, 'keys'>,
): Promise<Item | undefined> {
  for (const item of own) {
    // An id on an open page may be of an earlier secret.
    const hashes = await keys.hashes('public', kind, keyOf(item))
    if (hashes.some((hash) => hash.slice(0, LENGTH) === id)) return item
  }
  return undefined
}
