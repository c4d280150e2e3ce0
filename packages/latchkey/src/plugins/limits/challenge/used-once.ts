import { type Host, Problem } from '../../../entries/plugin.ts'

/**
 * Uses up an answer, so that no instance accepts it again.
 *
 * @param seconds until the answer is refused in any case.
 * @returns `false` if it was used before.
 */
export async function isFirstUse(
  { hasRecords, keys, ports, records, store }: Host,
  answer: string,
  seconds: number,
): Promise<boolean> {
  const key = await keys.hash('challenge', answer)
  const now = ports.now()
  const expires = new Date(now + seconds * 1000)
  if (hasRecords) return records.create({ kind: 'challenge', key, data: {}, expires })
  const count = store?.countAttempt
  if (!count) {
    throw new Problem(
      'store_unavailable',
      'a challenge needs an adapter: the store remembers which answers were used',
    )
  }
  return count({ key: `latchkey.challenge:${key}`, limit: 1, now: new Date(now), expires })
}
