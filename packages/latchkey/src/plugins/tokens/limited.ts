import { type Host, type LimitSubjects, Problem } from '../../entries/plugin.ts'

/** Counts an attempt by the rules of the plugin `limits`. @throws {Problem} `too_many_attempts` */
export async function count(
  host: Pick<Host, 'limit'>,
  name: string,
  subjects: LimitSubjects,
): Promise<void> {
  const verdict = await host.limit(name, subjects)
  if (verdict.allowed) return
  const { retryAfter, headers, members } = verdict
  throw new Problem('too_many_attempts', `the limit of ${name} is reached`, {
    headers: { 'retry-after': String(retryAfter), ...headers },
    members: { ...members, retryAfter },
  })
}
