/**
 * Loads a module when it is first asked for, and keeps it: asking the runtime costs each time. What failed, for want of
 * a file descriptor say, is tried again by whoever asks next.
 */
export function loadOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loaded: Module | undefined
  return async () => {
    loaded ??= await load()
    return loaded
  }
}

/** A `Map`, or a `WeakMap` where keys go away. */
interface Kept<Key, Made> {
  get(key: Key): Made | undefined
  set(key: Key, made: Made): unknown
}

/** What is made for each key when it is first asked for, and kept. */
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
