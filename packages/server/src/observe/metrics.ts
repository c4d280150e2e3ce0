import { createHash, timingSafeEqual } from 'node:crypto'
import type { AuthConfig } from 'latchkey'
import type { EndReason } from 'latchkey/plugins/sessions'

type Events = NonNullable<AuthConfig['events']>

/** What this process knows about ended sealed sessions. */
export interface RevocationState {
  readonly entries: number
  /** Milliseconds since the process last knew all of them. */
  readonly age: number
}

/** Counts the events of the library, and returns the counters as text. */
export interface Metrics {
  /** Returns handlers that count an event and then call the handlers of the application. */
  events(handlers?: Events): Events
  /**
   * Returns all metrics in the text format of Prometheus.
   *
   * @param revocations `null` if the instance does not check for ended sealed sessions.
   */
  text(revocations: RevocationState | null): string
}

/**
 * Reasons for the end of a session. A reason that an application chose is counted as `other`, so that the number of
 * series is limited.
 */
const REASONS: Readonly<Record<Exclude<EndReason, 'failed'>, true>> = {
  'sign-out': true,
  'ended-by-user': true,
  'ended-by-administrator': true,
  'password-changed': true,
  'factor-changed': true,
  'account-unlinked': true,
  'user-disabled': true,
  'user-deleted': true,
  replaced: true,
  evicted: true,
  idle: true,
  absolute: true,
  binding: true,
  'token-reuse': true,
  'back-channel': true,
  'front-channel': true,
  application: true,
}

const COUNTERS = {
  latchkey_truth_reads_total: 'Lookups of sealed sessions in the store.',
  latchkey_revocation_false_hits_total:
    'Lookups of sealed sessions that were still valid although their fingerprint was listed.',
  latchkey_provider_token_renewals_total: 'Renewals of tokens of providers.',
  latchkey_logout_backchannel_total: 'Logout tokens of providers.',
  latchkey_sessions_ended_total: 'Sessions that were ended.',
  latchkey_security_total: 'Events of the security of accounts.',
  latchkey_limited_total: 'Limits of attempts that were reached, once for a key and window.',
} as const

type Counter = keyof typeof COUNTERS

export function createMetrics(): Metrics {
  const counters = new Map<Counter, Map<string, number>>()
  const count = (name: Counter, labels: Readonly<Record<string, string>> = {}): void => {
    const series = counters.get(name) ?? new Map<string, number>()
    counters.set(name, series)
    const key = labelsOf(labels)
    series.set(key, (series.get(key) ?? 0) + 1)
  }
  // This counter has no labels, so it exists from the start.
  counters.set('latchkey_revocation_false_hits_total', new Map([['', 0]]))

  const renewal = (provider: string, result: string): void =>
    count('latchkey_provider_token_renewals_total', { provider, result })

  return {
    events: (handlers = {}) => ({
      ...handlers,
      truthRead(message) {
        const { why, ended } = message
        count('latchkey_truth_reads_total', { why })
        if (why === 'named' && !ended) count('latchkey_revocation_false_hits_total')
        return handlers.truthRead?.(message)
      },
      sessionEnded(message) {
        const reason = Object.hasOwn(REASONS, message.reason) ? message.reason : 'other'
        count('latchkey_sessions_ended_total', { reason })
        return handlers.sessionEnded?.(message)
      },
      security(message) {
        const { type, outcome, reason = '' } = message
        count('latchkey_security_total', { type, outcome })
        const [action = '', by = ''] = reason.split(' by ')
        if (type === 'limit.reached') count('latchkey_limited_total', { action, by })
        return handlers.security?.(message)
      },
      providerTokensRenewed(message) {
        renewal(message.provider, 'renewed')
        return handlers.providerTokensRenewed?.(message)
      },
      providerTokensFailed(message) {
        renewal(message.provider, message.lost ? 'lost' : 'refused')
        return handlers.providerTokensFailed?.(message)
      },
      providerTokensUnavailable(message) {
        renewal(message.provider, 'unavailable')
        return handlers.providerTokensUnavailable?.(message)
      },
      backchannelLogout(message) {
        const result = message.ended > 0 ? 'ended' : 'nothing'
        count('latchkey_logout_backchannel_total', { result })
        return handlers.backchannelLogout?.(message)
      },
      backchannelLogoutRefused(message) {
        const result = { check: 'refused', limit: 'limited', failure: 'failed' }[message.why]
        count('latchkey_logout_backchannel_total', { result })
        return handlers.backchannelLogoutRefused?.(message)
      },
    }),

    text(revocations) {
      const lines: string[] = []
      const add = (name: string, type: string, help: string, values: Iterable<string>): void => {
        lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`)
        for (const value of values) lines.push(name + value)
      }
      if (revocations) {
        const { age, entries } = revocations
        add(
          'latchkey_revocation_snapshot_age_seconds',
          'gauge',
          'Seconds since the list of ended sealed sessions was last known to be complete.',
          [` ${age / 1000}`],
        )
        add(
          'latchkey_revocation_snapshot_entries',
          'gauge',
          'Sessions and users in the list of ended sealed sessions.',
          [` ${entries}`],
        )
      }
      for (const [name, help] of Object.entries(COUNTERS)) {
        const series = [...(counters.get(name as Counter) ?? [])].toSorted(([one], [other]) =>
          one < other ? -1 : 1,
        )
        add(
          name,
          'counter',
          help,
          series.map(([labels, value]) => `${labels} ${value}`),
        )
      }
      return `${lines.join('\n')}\n`
    },
  }
}

/** Whether a request has the token for metrics. The time of the comparison does not depend on the token. */
export function mayReadMetrics(authorization: string | undefined, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`))
}

function labelsOf(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replaceAll(/["\\\n]/g, (found) => ESCAPED[found] ?? '')}"`,
  )
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}

const ESCAPED: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n' }
