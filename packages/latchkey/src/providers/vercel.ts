/**
 * Sign in with Vercel.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/vercel`, then set
 * `AUTH_VERCEL_ID` and `AUTH_VERCEL_SECRET`.
 *
 * No scope is sent by default. For the name and the email address, allow these scopes in the app and
 * request them with `authorization: { params: { scope: 'openid profile email' } }`.
 *
 * @see https://vercel.com/docs/sign-in-with-vercel
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/vercel.ts'

/** The members of the answer that the default user is made of. */
export interface VercelProfile {
  sub: string
  /** With the scope `profile`. */
  name?: string
  preferred_username?: string
  /** With the scope `email`. */
  email?: string
  email_verified?: boolean
  picture?: string
  [member: string]: unknown
}

const vercel: OAuthProvider<VercelProfile> = oauth({
  id: 'vercel',
  name: 'Vercel',
  authorization: { url: 'https://vercel.com/oauth/authorize', params: { scope: null } },
  token: 'https://api.vercel.com/login/oauth/token',
  userinfo: 'https://api.vercel.com/login/oauth/userinfo',
  client: { token_endpoint_auth_method: 'client_secret_post' },
  profile: ({ sub, name, preferred_username, email, email_verified, picture }) => ({
    id: sub,
    name: name ?? preferred_username ?? null,
    email: email_verified === false ? null : (email ?? null),
    image: picture ?? null,
  }),
  style: { brandColor: '#000', mark },
})

export default vercel
