import { type Host, Problem } from '../../entries/plugin.ts'

/**
 * Counts an attempt in the store, also without the plugin `limits`, for values that are safe only with few attempts.
 *
 * @returns whether the attempt is allowed.
 */
export async function mayTry(
  { store, ports }: Pick<Host, 'store' | 'ports'>,
  key: string,
  { limit, seconds }: { readonly limit: number; readonly seconds: number },
): Promise<boolean> {
  const { countAttempt } = store ?? {}
  if (!countAttempt) throw new Problem('store_unavailable', 'the store counts no attempts')
  const now = ports.now()
  const expires = new Date(now + seconds * 1000)
  return countAttempt({ key: `latchkey.${key}`, limit, now: new Date(now), expires })
}

/** @throws {Problem} `too_many_attempts` */
export async function needTry(...asked: Parameters<typeof mayTry>): Promise<void> {
  const [, , { seconds }] = asked
  if (await mayTry(...asked)) return
  throw new Problem('too_many_attempts', 'there were too many attempts', {
    headers: { 'retry-after': String(seconds) },
    members: { retryAfter: seconds },
  })
}
