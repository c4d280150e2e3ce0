import { keepWithinSite } from '../http/safe-url.ts'
import type { Session } from '../model/session.ts'
import type { AuthConfig } from '../options/auth-config.ts'
import type { CallbacksOptions, SessionParams } from '../options/callbacks.ts'
import type { Callbacks } from '../plan.ts'

/** Returns the application's callbacks, and the defaults for the others. */
export function compileCallbacks({ callbacks = {} }: AuthConfig): Callbacks {
  return {
    signIn: callbacks.signIn?.bind?.(callbacks) ?? (() => true),
    jwt: callbacks.jwt?.bind?.(callbacks),
    session: callbacks.session?.bind?.(callbacks) ?? publicSession,
  }
}

/** Returns the function that checks redirect targets. The default accepts only the own origin. */
export function compileRedirect({
  callbacks = {},
}: AuthConfig): NonNullable<CallbacksOptions['redirect']> {
  return (
    callbacks.redirect?.bind?.(callbacks) ?? (({ url, baseUrl }) => keepWithinSite(url, baseUrl))
  )
}

/** Returns only the data for the browser: name, address and picture. */
function publicSession({ session }: SessionParams): Session {
  const { name, email, image } = session.user
  const expires: unknown = session.expires
  return {
    user: { name, email, image } as NonNullable<Session['user']>,
    expires: expires instanceof Date ? expires.toISOString() : String(expires),
  }
}
