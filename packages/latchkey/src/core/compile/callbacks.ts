import { keepWithinSite } from '../../http/safe-url.ts'
import type { Session } from '../../model/session.ts'
import type { AuthConfig } from '../../options/auth-config.ts'
import type { CallbacksOptions, SessionParams } from '../../options/callbacks.ts'
import type { Callbacks } from '../../plan/plan.ts'

/** Returns the application's callbacks, and the defaults for the others. */
export function compileCallbacks({ callbacks = {}, session = {} }: AuthConfig): Callbacks {
  const own = callbacks.session?.bind?.(callbacks)
  const hasId = session.userId === true
  return {
    signIn: callbacks.signIn?.bind?.(callbacks) ?? (() => true),
    jwt: callbacks.jwt?.bind?.(callbacks),
    session: own
      ? (params) => own(hasId ? withUserId(params) : params)
      : (params) => publicSession(params, hasId),
  }
}

/** Adds the id of a sealed session's user, which the token has. The user of a stored session has it. */
function withUserId(params: SessionParams): SessionParams {
  const { session, token } = params as Pick<SessionParams, 'session'> & Partial<SessionParams>
  const id = token?.sub
  if (id !== undefined) session.user = { id, ...session.user }
  return params
}

/** Returns the function that checks redirect targets. The default accepts only the own origin. */
export function compileRedirect({
  callbacks = {},
}: AuthConfig): NonNullable<CallbacksOptions['redirect']> {
  return (
    callbacks.redirect?.bind?.(callbacks) ?? (({ url, baseUrl }) => keepWithinSite(url, baseUrl))
  )
}

/** Returns only the data for the browser: name, address, picture, and the id if it is requested. */
function publicSession(params: SessionParams, hasId: boolean): Session {
  const { session, user, token } = params as Pick<SessionParams, 'session'> & Partial<SessionParams>
  const { name, email, image } = session.user
  const id = hasId ? (user?.id ?? token?.sub) : undefined
  const expires: unknown = session.expires
  return {
    user: { ...(id !== undefined && { id }), name, email, image } as NonNullable<Session['user']>,
    expires: expires instanceof Date ? expires.toISOString() : String(expires),
  }
}
