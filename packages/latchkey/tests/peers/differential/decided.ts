import { readFile } from 'node:fs/promises'

/** The ids of the table of departures, in its order. */
export async function decidedDepartures(): Promise<string[]> {
  const table = new URL('../../../../../docs/decisions/departures.md', import.meta.url)
  const rows = (await readFile(table, 'utf8')).matchAll(/^\| ([DCK]-\d+) \|/gm)
  return [...rows].map(([, id = '']) => id)
}
