import { withDocs } from '../../base/option-error.ts'

/** The members of a storage of `unstorage` that the adapter uses. */
export interface UnstorageLike {
  /** Returns the parsed value if the stored text is JSON. */
  getItem(key: string): Promise<unknown>
  setItem(key: string, value: string): Promise<void>
  removeItem(key: string): Promise<void>
  getKeys(base?: string): Promise<string[]>
}

/** The queues of storages, for changes one after the other. */
const queues = new WeakMap<UnstorageLike, Queue>()

/** Returns the queue of a storage, which all adapters on it share. */
export function queueOf(storage: UnstorageLike): Queue {
  const queue = queues.get(storage) ?? new Queue()
  queues.set(storage, queue)
  return queue
}

/** Runs several reads at once or one write, in the order of the calls. */
export class Queue {
  #writing: Promise<unknown> = Promise.resolve()
  readonly #reading = new Set<Promise<unknown>>()

  read<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#writing.then(work)
    const over = settled(result)
    this.#reading.add(over)
    void over.then(() => this.#reading.delete(over))
    return result
  }

  write<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = Promise.all([this.#writing, ...this.#reading])
    const result = before.then(work)
    this.#writing = settled(result)
    this.#reading.clear()
    return result
  }
}

/** Returns a promise without the result. */
function settled(promise: Promise<unknown>): Promise<void> {
  const nothing = (): void => {}
  return promise.then(nothing, nothing)
}

/** Reads and writes entries and lists by their keys. */
export class Items {
  readonly #storage: UnstorageLike

  constructor(storage: UnstorageLike) {
    this.#storage = storage
  }

  /** @throws if the stored value is not an object, for example a truncated record. */
  async record(key: string): Promise<Record<string, unknown> | null> {
    const value = await this.#read(key)
    if (value === null || value === undefined) return null
    if (typeof value !== 'object' || Array.isArray(value)) {
      throw new Error(withDocs(`the value of ${key} in the storage is not a record`, 'adapterCall'))
    }
    return value as Record<string, unknown>
  }

  /** Returns a value that another adapter may have stored, if it is an object. */
  async foreign(key: string): Promise<Record<string, unknown> | null> {
    const value = await this.#read(key)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  }

  /** Returns a list of texts; a single text is a list, too. */
  async list(key: string): Promise<string[]> {
    const value = await this.#read(key)
    if (value === null || value === undefined) return []
    return Array.isArray(value) ? value.map(String) : [String(value)]
  }

  async text(key: string): Promise<string | undefined> {
    return (await this.list(key))[0]
  }

  write(key: string, value: unknown): Promise<void> {
    return this.#storage.setItem(key, JSON.stringify(value))
  }

  remove(key: string): Promise<void> {
    return this.#storage.removeItem(key)
  }

  async add(key: string, member: string): Promise<void> {
    const members = await this.list(key)
    if (!members.includes(member)) await this.write(key, [...members, member])
  }

  async drop(key: string, member: string): Promise<void> {
    const members = await this.list(key)
    const rest = members.filter((each) => each !== member)
    if (rest.length === 0) await this.remove(key)
    else if (rest.length < members.length) await this.write(key, rest)
  }

  /** Returns keys in a stable order. */
  async keysBelow(base: string): Promise<string[]> {
    return (await this.#storage.getKeys(base)).toSorted()
  }

  async #read(key: string): Promise<unknown> {
    try {
      const value = await this.#storage.getItem(key)
      // Some drivers return an error as if it were the stored value.
      if (value instanceof Error) throw value
      return value
    } catch (error) {
      if (isTooLong(error)) return null
      throw error
    }
  }
}

/** Whether the name of a file would be too long, so that it cannot exist. */
function isTooLong(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === 'ENAMETOOLONG'
}
