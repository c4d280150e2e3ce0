/**
 * Sign in with Mail.ru.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/mailru`, then set
 * `AUTH_MAILRU_ID` and `AUTH_MAILRU_SECRET`.
 *
 * @see https://biz.mail.ru/developer/oauth.html
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'

/** The members of the answer that the default user is made of. */
export interface MailruProfile {
  id: string
  name: string
  email: string
  /** The picture. */
  image?: string
  [member: string]: unknown
}

const mailru: OAuthProvider<MailruProfile> = oauth({
  id: 'mailru',
  name: 'Mail.ru',
  authorization: { url: 'https://oauth.mail.ru/login', params: { scope: 'userinfo' } },
  token: 'https://oauth.mail.ru/token',
  userinfo: 'https://oauth.mail.ru/userinfo',
})

export default mailru
