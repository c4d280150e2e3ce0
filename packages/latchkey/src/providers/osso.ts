/**
 * Sign in with Osso.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/osso`, then set
 * `AUTH_OSSO_ID`, `AUTH_OSSO_SECRET` and `AUTH_OSSO_ISSUER`. The issuer is your server, such as
 * `https://sso.your.site/`.
 *
 * Osso is no longer maintained. At a sign-in, send the parameter `email` or `domain`, which selects the
 * organization.
 *
 * @see https://ossoapp.com/docs/consume/overview/
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'

/** The members of the answer that the default user is made of. */
export interface OssoProfile {
  id: string
  name?: string
  email: string
  [member: string]: unknown
}

const osso: OAuthProvider<OssoProfile> = oauth({
  id: 'osso',
  name: 'Osso',
  authorization: '{issuer}/oauth/authorize',
  token: '{issuer}/oauth/token',
  userinfo: '{issuer}/oauth/me',
})

export default osso
