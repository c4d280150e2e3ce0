import { misspelledIn } from '../base/option-names.ts'
import type { AuthConfig, SessionOptions } from '../options/auth-config.ts'
import type { CallbacksOptions } from '../options/callbacks.ts'
import type { CookiesOptions } from '../options/cookie-policy.ts'
import type { EventMessages } from '../options/events.ts'
import type { PagesOptions } from '../options/pages.ts'

/** The names of a type, all of which the compiler requires. */
type Names<T> = Readonly<Record<keyof T, true>>

const options: Names<AuthConfig> = {
  acceptSessionsFrom: true,
  adapter: true,
  allowCrossSite: true,
  basePath: true,
  callbacks: true,
  cookies: true,
  debug: true,
  events: true,
  experimental: true,
  jwt: true,
  logger: true,
  mail: true,
  pages: true,
  plugins: true,
  providers: true,
  raw: true,
  records: true,
  redirectProxyOrigins: true,
  redirectProxyUrl: true,
  secret: true,
  session: true,
  skipCSRFCheck: true,
  texts: true,
  theme: true,
  trailingSlash: true,
  trustHost: true,
  useSecureCookies: true,
  waitUntil: true,
}

const session: Names<SessionOptions> = {
  strategy: true,
  maxAge: true,
  updateAge: true,
  generateSessionToken: true,
  stateCookie: true,
  signOutWithoutStore: true,
  userId: true,
}

const callbacks: Names<CallbacksOptions> = {
  signIn: true,
  redirect: true,
  jwt: true,
  session: true,
  authorized: true,
}

const events: Names<EventMessages> = {
  createUser: true,
  updateUser: true,
  deleteUser: true,
  linkAccount: true,
  signIn: true,
  signOut: true,
  session: true,
  sessionStarted: true,
  sessionEnded: true,
  sessionSuspected: true,
  security: true,
  truthRead: true,
  apiKeyExpiring: true,
  backchannelLogout: true,
  backchannelLogoutRefused: true,
  providerTokensRenewed: true,
  providerTokensFailed: true,
  providerTokensUnavailable: true,
  providerTokensRevoked: true,
}

const pages: Names<PagesOptions> = {
  signIn: true,
  signOut: true,
  error: true,
  verifyRequest: true,
  newUser: true,
}

const cookies: Names<CookiesOptions> = {
  sessionToken: true,
  callbackUrl: true,
  csrfToken: true,
  pkceCodeVerifier: true,
  state: true,
  nonce: true,
  webauthnChallenge: true,
}

/**
 * Returns a message for each option that is probably misspelled. Other unknown options are allowed, since applications and
 * frameworks may have their own beside them.
 */
export function misspelled(config: AuthConfig): string[] {
  return [
    ...within('', config, options),
    ...within('session.', config.session, session),
    ...within('callbacks.', config.callbacks, callbacks),
    ...within('events.', config.events, events),
    ...within('pages.', config.pages, pages),
    ...within('cookies.', config.cookies, cookies),
  ]
}

function within(
  prefix: string,
  given: object = {},
  known: Readonly<Record<string, true>>,
): readonly string[] {
  return misspelledIn(given, Object.keys(known), prefix)
}
