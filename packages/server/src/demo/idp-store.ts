type Payload = Record<string, unknown> & {
  uid?: string
  grantId?: string
  consumed?: number
}

const MOST_ENTRIES = 2000

/** What the development identity provider remembers: in memory, bounded, and gone with the process. */
export class IdpStore {
  static readonly #entries: Map<string, { payload: Payload; expires: number }> = new Map()
  readonly #model: string

  constructor(model: string) {
    this.#model = model
  }

  async upsert(id: string, payload: Payload, expiresIn?: number): Promise<void> {
    const entries = IdpStore.#entries
    entries.set(this.#key(id), { payload, expires: Date.now() + (expiresIn ?? 3600) * 1000 })
    if (entries.size <= MOST_ENTRIES) return
    const [oldest] = entries.keys()
    if (oldest !== undefined) entries.delete(oldest)
  }

  async find(id: string): Promise<Payload | undefined> {
    const entry = IdpStore.#entries.get(this.#key(id))
    return entry && entry.expires > Date.now() ? entry.payload : undefined
  }

  async findByUid(uid: string): Promise<Payload | undefined> {
    for (const [key, { payload, expires }] of IdpStore.#entries)
      if (key.startsWith(`${this.#model}:`) && payload.uid === uid && expires > Date.now())
        return payload
    return undefined
  }

  async findByUserCode(): Promise<undefined> {
    return undefined
  }

  async consume(id: string): Promise<void> {
    const payload = await this.find(id)
    if (payload) payload.consumed = Math.floor(Date.now() / 1000)
  }

  async destroy(id: string): Promise<void> {
    IdpStore.#entries.delete(this.#key(id))
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, { payload }] of IdpStore.#entries)
      if (payload.grantId === grantId) IdpStore.#entries.delete(key)
  }

  #key(id: string): string {
    return `${this.#model}:${id}`
  }
}
