/**
 * Loads a module on the first call and caches it, since each import costs time. If the import fails, for example without a
 * free file descriptor, the next call tries again.
 */
export function loadOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loaded: Module | undefined
  return async () => {
    loaded ??= await load()
    return loaded
  }
}

/** A `Map`, or a `WeakMap` if the keys may be garbage collected. */
interface Kept<Key, Made> {
  get(key: Key): Made | undefined
  set(key: Key, made: Made): unknown
}

/** Returns a function that creates a value for each key on the first call, and caches it. */
export function oncePer<Key, Made extends object | number>(
  make: (key: Key) => Made,
  kept: Kept<Key, Made> = new Map<Key, Made>(),
): (key: Key) => Made {
  return (key) => {
    let made = kept.get(key)
    if (made === undefined) kept.set(key, (made = make(key)))
    return made
  }
}
