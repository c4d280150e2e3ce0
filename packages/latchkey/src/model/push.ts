/** Notifies other processes of a write. Notifications may arrive late, twice or never. */
export interface Push {
  /** @param hint is called for each notification. */
  listen(hint: () => void): Promise<void>
  /** @param seq the sequence number of the write. */
  notify(seq: number): Promise<void>
  /** Closes its connection at the end of the process. */
  close(): Promise<void>
}
