import type {
  PluginRecord,
  RecordAbilities,
  RecordKey,
  RecordQuery,
} from '../../../src/model/record.ts'

/** Who calls the store: a process, from one start to its end. */
export interface Caller {
  readonly name: string
  /** Milliseconds since the epoch, by its clock. */
  now(): number
  /** Does it get answers at the moment? */
  readonly listens: boolean
}

type Operation =
  | { readonly name: 'create'; readonly record: PluginRecord }
  | { readonly name: 'get' | 'take'; readonly key: RecordKey }
  | { readonly name: 'replace'; readonly record: PluginRecord }
  | { readonly name: 'list'; readonly query: RecordQuery }

/** A call on its way: sent, done, answered. Of a caller that was killed it may still be done. */
export interface Access {
  readonly caller: Caller
  readonly operation: Operation
  state: 'sent' | 'listing' | 'done'
  /** Nobody waits for its answer. */
  isOrphan: boolean
  result: unknown
  /** What a listing found when it began, by birth. */
  first: ReadonlyMap<number, Kept> | undefined
  resolve(value: unknown): void
  reject(error: Error): void
}

interface Kept extends PluginRecord {
  /** Which record it is, whatever its key. */
  readonly birth: number
}

/**
 * A store that promises what every store of records promises, and nothing more: a call is done and answered at two different
 * moments, may fail before or after it was done, and may be done long after its caller was killed. A listing has any
 * order, and what came or went meanwhile is in it or not.
 */
export class BreakingStore {
  readonly pending: Access[] = []
  records = new Map<string, Kept>()
  #births = 0

  /** What one process calls. */
  abilitiesOf(caller: Caller): Required<RecordAbilities> {
    const send = (operation: Operation): Promise<never> =>
      new Promise((resolve, reject) => {
        this.pending.push({
          caller,
          operation,
          state: 'sent',
          isOrphan: false,
          result: undefined,
          first: undefined,
          resolve: resolve,
          reject,
        })
      })
    return {
      createRecord: (record) => send({ name: 'create', record }),
      getRecord: (key) => send({ name: 'get', key }),
      replaceRecord: (record) => send({ name: 'replace', record }),
      takeRecord: (key) => send({ name: 'take', key }),
      listRecords: (query) => send({ name: 'list', query }),
    }
  }

  put(record: Omit<PluginRecord, 'version' | 'createdAt'>, now: number): void {
    this.#insert({ ...record, version: 1, createdAt: new Date(now) })
  }

  peek(kind: string, key: string): PluginRecord | undefined {
    return this.records.get(`${kind}/${key}`)
  }

  canMove({ caller, isOrphan, state }: Access): boolean {
    return isOrphan || state !== 'done' || caller.listens
  }

  /** Moves a call on by one stage. @param bits decide what a listing has. */
  step(access: Access, bits: number): void {
    const { operation, state } = access
    if (state === 'done') return this.#answer(access)
    if (operation.name === 'list' && state === 'sent') {
      access.first = this.#matching(operation.query)
      access.state = 'listing'
      return
    }
    access.result =
      operation.name === 'list' ? this.#listed(access, operation.query, bits) : this.#run(access)
    access.state = 'done'
    if (access.isOrphan) this.drop(access)
  }

  /** The caller learns that it failed, whatever was done. */
  fail(access: Access): void {
    this.drop(access)
    access.reject(new Error('the store failed'))
  }

  /** Like a call whose caller is gone: it may still be done. */
  orphan(access: Access): void {
    if (access.state === 'sent' && access.operation.name !== 'list') access.isOrphan = true
    else this.drop(access)
  }

  drop(access: Access): void {
    const at = this.pending.indexOf(access)
    if (at >= 0) this.pending.splice(at, 1)
  }

  /** Removes what has expired by the clock of somebody. */
  clean(now: number): void {
    for (const [name, record] of this.records) if (isOver(record, now)) this.records.delete(name)
  }

  #answer(access: Access): void {
    this.drop(access)
    access.resolve(access.result)
  }

  #insert(record: PluginRecord): void {
    this.records.set(`${record.kind}/${record.key}`, {
      ...structuredClone(record),
      birth: ++this.#births,
    })
  }

  #run({ operation, caller }: Access): unknown {
    if (operation.name === 'list') return undefined
    const { kind, key } = 'key' in operation ? operation.key : operation.record
    const name = `${kind}/${key}`
    const known = this.records.get(name)
    switch (operation.name) {
      case 'create': {
        if (known && !isOver(known, caller.now())) return false
        this.#insert(operation.record)
        return true
      }
      case 'replace': {
        const { record } = operation
        if (known?.version !== record.version - 1) return false
        this.records.set(name, { ...structuredClone(record), birth: known.birth })
        return true
      }
      case 'take':
        this.records.delete(name)
        return known ?? null
      case 'get':
        return known ?? null
    }
  }

  #matching({ kind, userId }: RecordQuery): Map<number, Kept> {
    const all = [...this.records.values()].filter(
      (record) => record.kind === kind && (userId === undefined || record.userId === userId),
    )
    return new Map(all.map((record) => [record.birth, record]))
  }

  #listed({ first = new Map() }: Access, query: RecordQuery, seed: number): unknown {
    const last = this.#matching(query)
    let bits = seed
    const chance = (): number => (bits = mix(bits + 1))
    const found: Kept[] = []
    for (const [birth, record] of first) {
      const now = last.get(birth)
      if (now) found.push(chance() & 1 ? record : now)
      else if (chance() & 2) found.push(record)
    }
    for (const [birth, record] of last) if (!first.has(birth) && chance() & 1) found.push(record)
    const records = found.sort((a, b) => mix(a.birth + seed) - mix(b.birth + seed))
    return { records, next: null }
  }
}

function isOver({ expires }: PluginRecord, now: number): boolean {
  return expires !== undefined && expires.getTime() <= now
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x45d9f3b)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
