import type { Host, SafeUrl, Session } from '../../../entries/plugin.ts'
import type { Settings } from '../settings.ts'

/** Returns the path of the form that reconnects an account. */
export function reconnectPath(host: Pick<Host, 'site'>, provider: string): SafeUrl {
  return host.site.path(`provider-tokens/connect/${encodeURIComponent(provider)}`)
}

/** Adds the ended connections to the session that the browser receives. */
export function withEnded(
  session: Session,
  ended: readonly string[],
  host: Pick<Host, 'site'>,
  { legacyError }: Pick<Settings, 'legacyError'>,
): Session {
  if (ended.length === 0) return session
  const providers = Object.fromEntries(
    ended.map((provider) => [
      provider,
      { error: 'RefreshTokenError', reconnect: reconnectPath(host, provider) },
    ]),
  )
  const error = legacyError ? { error: 'RefreshTokenError' } : {}
  return { ...session, providers, ...error } as unknown as Session
}
