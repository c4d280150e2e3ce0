/** How processes tell each other that something was written. What is told may come late, twice or never. */
export interface Push {
  /** @param hint is called when somebody tells. */
  listen(hint: () => void): Promise<void>
  /** @param seq the number of what was written. */
  notify(seq: number): Promise<void>
  /** Gives its connection back, when the process ends. */
  close(): Promise<void>
}
