/**
 * Sign in with LINE.
 *
 * Create a LINE Login channel with the callback URL `https://your.site/auth/callback/line`, then
 * set `AUTH_LINE_ID` and `AUTH_LINE_SECRET`.
 *
 * The email address needs a permission, which you request in the console.
 *
 * @see https://developers.line.biz/en/docs/line-login/integrate-line-login/
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'
import { mark } from './marks/line.ts'

/** The claims of the ID token. */
export interface LineProfile {
  sub: string
  name?: string
  /** Once the channel may ask for it. */
  email?: string
  picture?: string
  iss: string
  aud: string
  exp: number
  iat: number
  amr?: string[]
  [claim: string]: unknown
}

const line: OIDCProvider<LineProfile> = oidc({
  id: 'line',
  name: 'LINE',
  issuer: 'https://access.line.me',
  checks: ['state'],
  client: { id_token_signed_response_alg: 'HS256' },
  style: { brandColor: '#00c300', mark },
})

export default line
