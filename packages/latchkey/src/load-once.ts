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
