import type { AdapterSession, Session } from '../model/session.ts'
import type { CallbacksOptions, SessionParams } from '../options/callbacks.ts'
import type { Logger } from '../options/redacting-logger.ts'

/** Members of a user that are for the server alone, by their usual names. */
const SECRET_NAME = /password|passwd|hash|secret|token|salt/i

/**
 * Wraps the application's `session` callback, whose result is sent to the browser: no result has the key of a stored
 * session. Logs once for each configuration that the callback returned nothing, or members of the user that look secret.
 */
export function guardSessionCallback(
  callback: NonNullable<CallbacksOptions['session']>,
  logger: Pick<Logger, 'warn'>,
): (params: SessionParams) => Promise<Session> {
  let isChecked = false
  let warnedOfNothing = false
  return async (params) => {
    hideKey(params.session)
    const session = (await callback(params)) as Session | undefined
    if (session === undefined && !warnedOfNothing) {
      warnedOfNothing = true
      logger.warn('session-missing', '`callbacks.session` returned undefined; return the session')
    }
    if (!session) return session as unknown as Session
    if (!isChecked) {
      isChecked = true
      warnOfSecrets(session, logger)
    }
    if (!Object.keys(session).includes('sessionToken')) return session
    const { sessionToken: _, ...others } = session as Session & Partial<AdapterSession>
    return others
  }
}

/** The callback can read the key of a stored session, but `{ ...session }` and JSON do not have it. */
function hideKey(session: Partial<AdapterSession>): void {
  if (session.sessionToken !== undefined)
    Object.defineProperty(session, 'sessionToken', { enumerable: false })
}

function warnOfSecrets({ user }: Session, logger: Pick<Logger, 'warn'>): void {
  const names = Object.keys(user ?? {}).filter((name) => SECRET_NAME.test(name))
  if (names.length === 0) return
  logger.warn(
    'session-secrets',
    `\`callbacks.session\` returns ${names.map((name) => `user.${name}`).join(', ')}, which every script of your pages can read; return only the members that pages need`,
  )
}
