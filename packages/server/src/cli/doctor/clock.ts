import { customFetch } from 'latchkey'
import type { ProviderClient } from 'latchkey/plugin'
import type { Examination } from './report.ts'

/** Maximum difference between two clocks in seconds. */
const LIMIT = 5
/** Difference in seconds from which sign-ins fail. */
const TOO_MUCH = 60
/** Maximum time in milliseconds for the answer of a provider. */
const PATIENCE = 5000

/** Reads the metadata of OpenID providers, and compares the clock of this machine with the `Date` headers. */
export async function checkProviders(
  clients: readonly ProviderClient[],
  examination: Examination,
): Promise<void> {
  for (const client of clients) {
    const read = await examination.check('provider', async (found) => {
      try {
        await client.metadata()
        return true
      } catch (error) {
        found({
          level: 'error',
          seen: `${client.id}: ${client.issuer} does not return its metadata (${reasonOf(error)})`,
          fix: `check its issuer, and that this machine can reach it`,
        })
        return false
      }
    })
    if (!read) {
      examination.skip(`${client.id} does not return its metadata`, 'clock')
      continue
    }
    await examination.check('clock', async (found) => {
      const ahead = await secondsAhead(client)
      if (ahead === undefined || Math.abs(ahead) <= LIMIT) return
      found({
        level: Math.abs(ahead) > TOO_MUCH ? 'error' : 'warning',
        seen: `the clock of this machine is ${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} the clock of ${client.id}; the limit is ${LIMIT} s`,
        fix: 'set the clock of this machine, for example with NTP',
      })
    })
  }
}

/**
 * Returns the minimum number of seconds by which this clock is ahead of the provider's; `undefined` if the answer has
 * no `Date`.
 */
async function secondsAhead({ issuer, members }: ProviderClient): Promise<number | undefined> {
  const { wellKnown } = members
  const url =
    typeof wellKnown === 'string'
      ? wellKnown
      : `${issuer?.replace(/\/$/, '')}/.well-known/openid-configuration`
  const own = (members as { [customFetch]?: typeof fetch })[customFetch]
  const asked = Date.now()
  const response = await (own ?? fetch)(url, {
    headers: { accept: 'application/json', 'cache-control': 'no-cache' },
    signal: AbortSignal.timeout(PATIENCE),
  })
  const answered = Date.now()
  await response.body?.cancel()
  const { headers } = response
  const written = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(written)) return undefined
  // A cache on the way keeps the date of the origin (RFC 9111 section 5.1).
  const from = written + (Number(headers.get('age')) || 0) * 1000
  // `Date` has no fractions of a second, and the answer took time to arrive: both count in favour of the clock.
  if (asked > from + 1000) return Math.round((asked - from - 1000) / 1000)
  return answered < from ? -Math.round((from - answered) / 1000) : 0
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: unknown; message?: string }
  const inner = cause as { code?: string; message?: string } | undefined
  return inner?.code ?? inner?.message ?? message ?? 'unknown error'
}
