import { appendFileSync, readFileSync } from 'node:fs'

/** What a process that tries mutants tells of them, a line each, so that it may be ended at any time. */
export type Entry =
  | { readonly kind: 'load'; readonly id: string }
  | { readonly kind: 'try' | 'killed' | 'timeout'; readonly id: string; readonly test: string }
  | { readonly kind: 'test'; readonly test: string }
  | { readonly kind: 'unusable'; readonly test: string; readonly why: string }
  | { readonly kind: 'end' }

export function appendEntry(path: string, entry: Entry): void {
  appendFileSync(path, `${JSON.stringify(entry)}\n`)
}

export function readJournal(path: string): Entry[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Entry)
}
