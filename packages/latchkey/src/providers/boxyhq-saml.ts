/**
 * Sign in with BoxyHQ SAML.
 *
 * Run BoxyHQ (now Ory Polis), and add a SAML connection for your product. Give it the callback URL
 * `https://your.site/auth/callback/boxyhq-saml`, then set `AUTH_BOXYHQ_SAML_ID`,
 * `AUTH_BOXYHQ_SAML_SECRET` and `AUTH_BOXYHQ_SAML_ISSUER`. The issuer is the URL of the service, such as
 * `https://jackson.your.site`.
 *
 * Choose the connection when a sign-in starts: `signIn('boxyhq-saml', {}, { tenant, product })`.
 *
 * @see https://boxyhq.com/docs/jackson/saml-flow
 * @module
 */

import { fullName } from '../protocols/oauth/full-name.ts'
import { type OAuthProvider, oauth } from './define.ts'

/** The members of the answer that the default user is made of. */
export interface BoxyHQSAMLProfile {
  id: string
  email: string
  /** As far as the connection maps it. */
  firstName?: string
  /** As far as the connection maps it. */
  lastName?: string
  [member: string]: unknown
}

const samlJackson: OAuthProvider<BoxyHQSAMLProfile> = oauth({
  id: 'boxyhq-saml',
  name: 'BoxyHQ SAML',
  authorization: { url: '{issuer}/api/oauth/authorize', params: { provider: 'saml' } },
  token: '{issuer}/api/oauth/token',
  userinfo: '{issuer}/api/oauth/userinfo',
  profile: ({ id, firstName, lastName, email }) => ({
    id,
    name: fullName(firstName, lastName),
    email,
    image: null,
  }),
  style: { brandColor: '#25c2a0' },
})

export default samlJackson
