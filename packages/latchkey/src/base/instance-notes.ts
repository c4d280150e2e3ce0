/** What integrations need to know of an instance for their warnings. */
export interface InstanceNotes {
  /** Warns through the logger of the configuration. */
  warn(code: 'mount-point' | 'proxy-not-trusted' | 'address-mismatch', detail: string): void
  /** The path of the built-in sign-in page; `undefined` if it depends on the request, or is a page of the application. */
  readonly signIn: string | undefined
  /** Notes that the application mounts the handler. */
  mounted(): void
}

const notes = new WeakMap<object, InstanceNotes>()

export function offerNotes<Instance extends object>(
  instance: Instance,
  given: InstanceNotes,
): Instance {
  notes.set(instance, given)
  return instance
}

export function notesOf(instance: object): InstanceNotes | undefined {
  return notes.get(instance)
}

const bases = Symbol.for('latchkey.mounted')

/** The base paths of mounted handlers, for all copies of the package in this process. */
function mountedBases(): Set<string | undefined> {
  const shared = globalThis as { [bases]?: Set<string | undefined> }
  return (shared[bases] ??= new Set())
}

/** @param base the base path; `undefined` if it depends on the request. */
export function noteMounted(base: string | undefined): void {
  mountedBases().add(base)
}

/** Notes that a handler of an instance is mounted. */
export function markMounted(instance: object): void {
  const known = notes.get(instance)
  if (known) known.mounted()
  else noteMounted(undefined)
}

/** Returns whether a handler may be mounted at a base path. */
export function mayBeMounted(base: string): boolean {
  return mountedBases().has(base) || mountedBases().has(undefined)
}
