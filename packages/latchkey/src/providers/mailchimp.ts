/**
 * Sign in with Mailchimp.
 *
 * Register an app with the callback URL `https://your.site/auth/callback/mailchimp`, then set
 * `AUTH_MAILCHIMP_ID` and `AUTH_MAILCHIMP_SECRET`.
 *
 * This provider signs users in; it does not send mail.
 *
 * @see https://mailchimp.com/developer/marketing/guides/access-user-data-oauth-2/
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/mailchimp.ts'

/** The members of the answer that the default user is made of. */
export interface MailchimpProfile {
  accountname: string
  login: { login_id: number; email: string }
  /** The data centre that the account is kept in, which is part of the addresses of the API. */
  dc?: string
  [member: string]: unknown
}

const mailchimp: OAuthProvider<MailchimpProfile> = oauth({
  id: 'mailchimp',
  name: 'Mailchimp',
  authorization: 'https://login.mailchimp.com/oauth2/authorize',
  token: 'https://login.mailchimp.com/oauth2/token',
  userinfo: 'https://login.mailchimp.com/oauth2/metadata',
  profile: ({ accountname, login }) => ({
    id: String(login?.login_id),
    name: accountname,
    email: login?.email,
    image: null,
  }),
  style: { brandColor: '#000', mark },
})

export default mailchimp
